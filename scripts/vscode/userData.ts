import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Keeps what has nothing to do with Keepthread out of the window. */
const quiet = {
  // A browser's VS Code would save by itself.
  'files.autoSave': 'off',
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Writes the user settings of a VS Code whose user data lies in the folder. */
export const writeSettings = (data: string, more: Readonly<Record<string, unknown>> = {}): void => {
  const user = path.join(data, 'User');
  mkdirSync(user, { recursive: true });
  writeFileSync(
    path.join(user, 'settings.json'),
    `${JSON.stringify({ ...quiet, ...more }, undefined, 2)}\n`,
  );
};

/** Makes VS Code forget the tabs, layouts and drafts that it keeps by itself; extensions' own data stays. */
export const forgetWindows = (data: string): void => {
  for (const backups of ['Backups', path.join('User', 'Backups')]) {
    rmSync(path.join(data, backups), { recursive: true, force: true });
  }
  const storage = path.join(data, 'User', 'workspaceStorage');
  for (const id of existsSync(storage) ? readdirSync(storage) : []) {
    for (const file of ['state.vscdb', 'state.vscdb.backup']) {
      rmSync(path.join(storage, id, file), { force: true });
    }
  }
};
