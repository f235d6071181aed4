import * as vscode from 'vscode';
import type { ReviewMark } from '../../core/redact/reviewText.js';

/** How the lines of a review look: what is hidden is struck through, what stays readable is marked. */
export class ReviewPaint implements vscode.Disposable {
  private readonly heading = vscode.window.createTextEditorDecorationType({ fontWeight: 'bold' });
  private readonly quiet = vscode.window.createTextEditorDecorationType({
    color: new vscode.ThemeColor('descriptionForeground'),
  });
  private readonly hidden = vscode.window.createTextEditorDecorationType({
    textDecoration: 'line-through',
    backgroundColor: new vscode.ThemeColor('diffEditor.removedTextBackground'),
    borderRadius: '3px',
  });
  private readonly kept = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('diffEditor.insertedTextBackground'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.warningForeground'),
    borderRadius: '3px',
  });

  apply(editor: vscode.TextEditor, marks: readonly ReviewMark[]): void {
    const headings = marks.filter(({ what }) => what === 'title' || what === 'kind');
    const found = marks.filter((mark) => mark.what === 'found');
    const rangesOf = (isKept: boolean): vscode.Range[] =>
      found
        .filter(({ value }) => value.isKept === isKept)
        .map(({ line, from, to }) => new vscode.Range(line, from, line, to));
    editor.setDecorations(
      this.heading,
      headings.map(({ line }) => lineRange(line)),
    );
    editor.setDecorations(this.quiet, [
      new vscode.Range(1, 0, 2, Number.MAX_SAFE_INTEGER),
      ...found.map(({ line }) => lineRange(line - 1)),
    ]);
    editor.setDecorations(this.hidden, rangesOf(false));
    editor.setDecorations(this.kept, rangesOf(true));
  }

  dispose(): void {
    vscode.Disposable.from(this.heading, this.quiet, this.hidden, this.kept).dispose();
  }
}

const lineRange = (line: number): vscode.Range =>
  new vscode.Range(line, 0, line, Number.MAX_SAFE_INTEGER);
