import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ViewState } from '../../core/model/editors.js';
import { reanchor } from '../../core/restore/anchor.js';
import { columnOf } from './tabModel.js';

/** How long an editor may take to scroll once it was asked, in milliseconds. */
const patience = 500;

/** Puts selection and scroll of a visible editor back, at the same text if it has moved. */
export async function showView(view: ViewState, group: number): Promise<void> {
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
  if (top !== undefined) await scrollTo(editor, top);
}

/**
 * Makes a line the first visible one. `AtTop` leaves room above for the lines of sticky scroll, five by
 * default, so the place that is reached is looked at and the difference made up.
 */
async function scrollTo(editor: vscode.TextEditor, top: number): Promise<void> {
  if (topOf(editor) === top) return;
  await reveal(editor, top);
  const short = top - (topOf(editor) ?? top);
  const line = top + short;
  if (short !== 0 && line < editor.document.lineCount) await reveal(editor, line);
}

async function reveal(editor: vscode.TextEditor, line: number): Promise<void> {
  const scrolled = scrolls(editor);
  const start = new vscode.Position(line, 0);
  editor.revealRange(new vscode.Range(start, start), vscode.TextEditorRevealType.AtTop);
  await scrolled.orNot();
}

/** The editor tells its ranges some milliseconds after it has scrolled, and nothing when it need not. */
function scrolls(editor: vscode.TextEditor): { readonly orNot: () => Promise<void> } {
  let listener: vscode.Disposable | undefined;
  const told = new Promise<void>((resolve) => {
    listener = vscode.window.onDidChangeTextEditorVisibleRanges((event) => {
      if (event.textEditor === editor) resolve();
    });
  });
  return {
    orNot: async () => {
      // Answered behind what was asked of the window before, however busy it is.
      await vscode.commands.executeCommand('vscode.getEditorLayout');
      await Promise.race([told, wait(patience)]);
      listener?.dispose();
    },
  };
}

const topOf = (editor: vscode.TextEditor): number | undefined =>
  editor.visibleRanges[0]?.start.line;
