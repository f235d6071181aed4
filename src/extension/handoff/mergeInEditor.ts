import * as vscode from 'vscode';
import { unresolvedIn, type ApplyPlan } from '../../core/apply/types.js';

/** More editors than this would be in the way. */
const mostEditors = 10;

/** Opens the files that were written with conflict markers, where VS Code offers to take either version or both. */
export async function openUnresolved(plan: ApplyPlan): Promise<void> {
  // The first one comes last, to be seen.
  const files = unresolvedIn(plan).slice(0, mostEditors);
  for (const file of files.toReversed()) await openAtMarkers(file);
}

export const unresolvedWords = (count: number): string =>
  count === 1
    ? vscode.l10n.t('1 file is not done yet: choose between both versions, save it, and stage it.')
    : vscode.l10n.t(
        '{0} files are not done yet: choose between both versions, save them, and stage them.',
        count,
      );

async function openAtMarkers(file: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
  const at = document.getText().search(/^<{7} /m);
  const place = document.positionAt(Math.max(at, 0));
  const editor = await vscode.window.showTextDocument(document, {
    preview: false,
    selection: new vscode.Range(place, place),
  });
  editor.revealRange(new vscode.Range(place, place), vscode.TextEditorRevealType.InCenter);
}
