import * as vscode from 'vscode';
import type { FieldDifference, SessionField } from '../../core/handoff.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { fieldName } from './fieldNames.js';

interface FieldItem extends vscode.QuickPickItem {
  readonly field: SessionField;
}

/** Lets a person choose, of what they and the sender have both changed, what to take from the file. Undefined: closed. */
export async function pickTheirs(
  differences: readonly FieldDifference[],
): Promise<readonly SessionField[] | undefined> {
  const items = differences.map(({ field, here, theirs }): FieldItem => ({
    field,
    picked: true,
    label: fieldName(field, vscode.l10n),
    description: escapeIcons(vscode.l10n.t('in the file: {0}', plain(theirs, 200))),
    detail: escapeIcons(vscode.l10n.t('here: {0}', plain(here, 200))),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Take theirs'),
    placeHolder: vscode.l10n.t('What is not chosen stays as it is here'),
    ignoreFocusOut: true,
  });
  return picked?.map(({ field }) => field);
}
