import * as vscode from 'vscode';
import type { StorageReport } from '../../core/engine.js';
import { copyText } from '../clipboard.js';
import type { Sessions } from '../sessions.js';
import { bytesWords, counted, joined } from '../views/words.js';
import type { Run } from './context.js';
import { pick } from './pick.js';

type Place = StorageReport['places'][number];

interface PlaceItem extends vscode.QuickPickItem {
  readonly path: string;
}

/** Lists what is stored where and how large it is; choosing a place shows it, or copies its path. */
export const whereIsMyData: Run<undefined> = async ({ sessions }) => {
  const { places } = await (await sessions.engine()).storage();
  const picked = await pick<PlaceItem>({
    items: places.map(placeItem),
    title: vscode.l10n.t('Where is my data?'),
    placeholder: vscode.l10n.t('Everything stays on this machine'),
  });
  if (picked && picked !== 'back') await showPlace(picked.path, sessions);
  return undefined;
};

function placeItem({ what, path, bytes, files }: Place): PlaceItem {
  return {
    path,
    label: whatWords(what),
    description: joined(
      bytesWords(bytes),
      counted(files, vscode.l10n.t('1 file'), vscode.l10n.t('{0} files', files)),
    ),
    detail: path,
  };
}

function whatWords(what: Place['what']): string {
  switch (what) {
    case 'vault':
      return vscode.l10n.t('Everything that was saved');
    case 'database':
      return vscode.l10n.t('Index for lists and look-ups; made again when it is missing');
    case 'catalog':
      return vscode.l10n.t('Sessions list, shown first; made again when it is missing');
    case 'agentStore':
      return vscode.l10n.t("An agent's own files; read, never changed");
    case 'setAside':
      return vscode.l10n.t('Damaged files that were moved aside');
  }
}

async function showPlace(path: string, sessions: Sessions): Promise<void> {
  const isLocal =
    vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
  if (isLocal) {
    await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path));
    return;
  }
  await copyText(sessions, path);
  vscode.window.setStatusBarMessage(vscode.l10n.t('Path copied'), 4000);
}
