import * as vscode from 'vscode';
import type { ThreadDocument } from '../../core/engine.js';
import { Command } from '../ids.js';
import { counted } from '../views/words.js';
import { partAt } from './links.js';
import { pageOf } from './threadUri.js';

/** What can be done with a page, above its title, and with changes, above the call that made them. */
export function lensesOf(uri: vscode.Uri, shown: ThreadDocument): vscode.CodeLens[] {
  const { threadId, leaf } = pageOf(uri);
  const first = new vscode.Range(0, 0, 0, 0);
  const others = (shown.branches?.length ?? 1) - 1;
  const branches = counted(
    others,
    vscode.l10n.t('1 other branch'),
    vscode.l10n.t('{0} other branches', others),
  );
  return [
    lens(first, vscode.l10n.t('Copy as Markdown'), Command.copyThread, { threadId, leaf }),
    ...(branches === undefined
      ? []
      : [lens(first, branches, Command.openBranch, { threadId, leaf })]),
    ...shown.turns.flatMap(({ calls }) =>
      calls
        .filter(({ hasChanges }) => hasChanges)
        .map(({ start, turn, part }) => {
          const range = new vscode.Range(start, 0, start, 0);
          return lens(
            range,
            vscode.l10n.t('Open changes'),
            Command.openChanges,
            partAt(uri, { turn, part }),
          );
        }),
    ),
  ];
}

const lens = (range: vscode.Range, title: string, command: Command, argument: object) =>
  new vscode.CodeLens(range, { title, command, arguments: [argument] });
