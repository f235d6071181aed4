import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { start, stop } from './processes.js';

export interface DesktopOptions {
  readonly executable: string;
  /** Given to `--user-data-dir`. */
  readonly data: string;
  /** A folder or workspace file; empty: none. */
  readonly workspace: string;
  readonly extensions: readonly string[];
  readonly tests?: string | undefined;
  readonly env: Readonly<Record<string, string>>;
}

export interface DesktopWindow {
  /** Exit code of the window: that of the module named by `tests`. */
  readonly ended: Promise<number>;
  readonly kill: () => Promise<void>;
}

/** Opens an installed VS Code on data of its own. */
export const openDesktop = (options: DesktopOptions): DesktopWindow => {
  const child = start(
    options.executable,
    [
      ...(options.workspace === '' ? [] : [options.workspace]),
      ...options.extensions.map((folder) => `--extensionDevelopmentPath=${folder}`),
      ...(options.tests === undefined ? [] : [`--extensionTestsPath=${options.tests}`]),
      `--user-data-dir=${options.data}`,
      `--extensions-dir=${path.join(options.data, 'extensions')}`,
      ...['--disable-workspace-trust', '--disable-updates', '--disable-telemetry'],
      ...['--skip-welcome', '--skip-release-notes', '--new-window', '--wait'],
      // The home folder is not a person's, so there is no keychain in it.
      '--use-inmemory-secretstorage',
      // Root, containers and a VS Code that was just unpacked have none.
      ...(process.platform === 'linux' ? ['--no-sandbox'] : []),
    ],
    { stdio: 'ignore', env: options.env },
  );
  const ended = once(child, 'exit').then(([code]: unknown[]) =>
    typeof code === 'number' ? code : 1,
  );
  return { ended, kill: () => stop(child, 'SIGKILL') };
};

/** An installed VS Code whose `code` command is on the PATH, if there is one that starts. */
export const findCode = (): string | undefined => {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  // On Windows `bin\\code.cmd` is a script, which only a shell can start; the program lies above it.
  const candidates =
    process.platform === 'win32'
      ? folders
          .filter((folder) => existsSync(path.join(folder, 'code.cmd')))
          .map((folder) => path.join(folder, '..', 'Code.exe'))
      : folders.map((folder) => path.join(folder, 'code'));
  return candidates.find((file) => existsSync(file) && works(file));
};

const works = (file: string): boolean =>
  process.platform === 'win32' || spawnSync(file, ['--version'], { stdio: 'ignore' }).status === 0;
