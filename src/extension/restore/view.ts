import * as vscode from 'vscode';
import type { ViewState } from '../../core/model/editors.js';
import { reanchor } from '../../core/restore/anchor.js';
import { columnOf } from './tabModel.js';

/** Puts selection and scroll of a visible editor back, at the same text if it has moved. */
export function showView(view: ViewState, group: number): void {
  const column = columnOf(group);
  const uri = vscode.Uri.parse(view.place.uri).toString();
  const editor = vscode.window.visibleTextEditors.find(
    (candidate) => candidate.viewColumn === column && candidate.document.uri.toString() === uri,
  );
  if (editor === undefined) return;
  const { document } = editor;
  const { selections, top } = reanchor(
    view,
    document.lineCount,
    (line) => document.lineAt(line).text,
  );
  if (selections.length > 0) {
    editor.selections = selections.map((numbers) => new vscode.Selection(...numbers));
  }
  if (top !== undefined) {
    const start = new vscode.Position(top, 0);
    editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop);
  }
}
