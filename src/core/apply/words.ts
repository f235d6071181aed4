import type { ConflictReason, LeftReason } from './types.js';

/** Puts words into the person's language; as `vscode.l10n`. */
export interface Words {
  t(text: string, ...values: (string | number)[]): string;
}

/** Why a file stands against a plan. */
export function conflictWords(reason: ConflictReason, l10n: Words): string {
  switch (reason) {
    case 'bothChanged':
      return l10n.t('changed here and in the session, in the same lines');
    case 'binary':
      return l10n.t('changed here and in the session, and it is no text');
    case 'bothAdded':
      return l10n.t('there is another file of this name here');
    case 'deletedHere':
      return l10n.t('the session changed it, and it is gone here');
    case 'changedHere':
      return l10n.t('the session deleted or moved it, and it was changed here');
    case 'movedHere':
      return l10n.t('the session deleted it, and it was moved here');
    case 'bothMoved':
      return l10n.t('moved here and in the session, to different places');
    case 'unmerged':
      return l10n.t('it is in the middle of a merge here');
    case 'inTheWay':
      return l10n.t('a folder or link is in its place here');
    case 'case':
      return l10n.t('its name differs from another one in upper and lower case only');
    case 'unsaved':
      return l10n.t('it has unsaved changes in an editor');
    case 'doesNotFit':
      return l10n.t('its change does not fit the commit that it was made on');
  }
}

/** Why a file that the session changed stays as it is here. */
export function leftWords(reason: LeftReason, l10n: Words): string {
  switch (reason) {
    case 'name':
      return l10n.t('not a name that can be written to');
    case 'link':
      return l10n.t('links are not made');
    case 'submodule':
      return l10n.t('submodules stay where they are');
    case 'sensitive':
      return l10n.t('programs take commands or settings from it');
    case 'notSent':
      return l10n.t('its content did not come along');
    case 'asked':
      return l10n.t('as you said');
  }
}
