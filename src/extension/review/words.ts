import * as vscode from 'vscode';
import type { ReviewPlace } from '../../core/redact/review.js';
import type { ReviewWords } from '../../core/redact/reviewText.js';

export const reviewWords: ReviewWords = {
  title: ({ values, kept }) =>
    kept === 0
      ? values === 1
        ? vscode.l10n.t('1 value looks secret; it is hidden')
        : vscode.l10n.t('{0} values look secret; all are hidden', values)
      : kept === 1
        ? vscode.l10n.t('{0} values look secret; 1 of them stays readable', values)
        : vscode.l10n.t('{0} values look secret; {1} of them stay readable', values, kept),
  get notice() {
    return [
      vscode.l10n.t('This is best effort: a secret of a kind that is not known can be missed.'),
      vscode.l10n.t(
        'Hidden values are masked wherever they stand; a file that holds one is left out.',
      ),
    ];
  },
  kind: (kind, values) =>
    `${kind} · ${values === 1 ? vscode.l10n.t('1 value') : vscode.l10n.t('{0} values', values)}`,
  place: placeWords,
  morePlaces: (count) =>
    count === 1
      ? vscode.l10n.t('and in 1 more place')
      : vscode.l10n.t('and in {0} more places', count),
  unlisted: (count) =>
    count === 1
      ? vscode.l10n.t('1 more place is hidden and not listed here.')
      : vscode.l10n.t('{0} more places are hidden and not listed here.', count),
};

function placeWords({ thread, turn, file, field }: ReviewPlace): string {
  const parts = [
    thread === undefined ? undefined : vscode.l10n.t('Conversation “{0}”', thread),
    turn === undefined ? undefined : vscode.l10n.t('turn {0}', turn),
    file === undefined ? undefined : vscode.l10n.t('File {0}', file),
    field,
  ];
  const said = parts.filter((part) => part !== undefined);
  return said.length === 0 ? vscode.l10n.t('The session') : said.join(', ');
}
