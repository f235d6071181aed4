import * as vscode from 'vscode';
import type { ReviewMark } from '../../core/redact/reviewText.js';
import { Command } from '../ids.js';

/** What can be done on a line of the review, above it. */
export function reviewLenses(mark: ReviewMark): vscode.CodeLens[] {
  const range = new vscode.Range(mark.line, 0, mark.line, 0);
  const lens = (title: string, command: string, ...args: readonly unknown[]): vscode.CodeLens =>
    new vscode.CodeLens(range, { title, command, arguments: [...args] });
  switch (mark.what) {
    case 'title':
      return [
        lens(`$(check) ${vscode.l10n.t('Go on with these choices')}`, Command.reviewAccept, {}),
        lens(vscode.l10n.t('Cancel'), Command.reviewCancel, {}),
      ];
    case 'kind':
      return [
        lens(vscode.l10n.t('Hide all of this kind'), Command.reviewHideKind, { kind: mark.kind }),
        lens(vscode.l10n.t('Keep all of this kind'), Command.reviewKeepKind, { kind: mark.kind }),
      ];
    case 'value': {
      const { value, isKept } = mark.value;
      return isKept
        ? [
            lens(`$(eye) ${vscode.l10n.t('Stays readable')}`, ''),
            lens(vscode.l10n.t('Hide'), Command.reviewHide, { value }),
          ]
        : [
            lens(`$(eye-closed) ${vscode.l10n.t('Hidden')}`, ''),
            lens(vscode.l10n.t('Keep'), Command.reviewKeep, { value }),
          ];
    }
    case 'found':
      return [];
  }
}
