import * as vscode from 'vscode';
import type { ReviewDecisions, ReviewFinding } from '../../core/redact/review.js';
import { Review } from '../../core/redact/reviewModel.js';
import { renderReview, type ReviewMark, type ReviewText } from '../../core/redact/reviewText.js';
import { reviewLenses } from './lenses.js';
import { ReviewPaint } from './paint.js';
import { reviewWords } from './words.js';

export const reviewScheme = 'keepthread-review';

let opened = 0;

/**
 * One review, from the moment that its document opens until a person is done with it or closes it. The
 * text is served from memory: the values in it are on no disk.
 */
export class OpenReview
  implements vscode.TextDocumentContentProvider, vscode.CodeLensProvider, vscode.Disposable
{
  readonly uri: vscode.Uri;
  /** What was decided; undefined when the review was left. */
  readonly done: Promise<ReviewDecisions | undefined>;
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly lensesChanged = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.lensesChanged.event;
  private readonly review: Review;
  private readonly paint = new ReviewPaint();
  private readonly disposable: vscode.Disposable;
  private shown: ReviewText;
  private finish: (decisions: ReviewDecisions | undefined) => void = () => undefined;

  constructor(findings: readonly ReviewFinding[], unlisted: number) {
    this.review = new Review(findings, unlisted);
    this.shown = renderReview(this.review, reviewWords);
    // A document is cached by its address, so each review has one of its own.
    const path = `/${vscode.l10n.t('Before it is shared')}`;
    this.uri = vscode.Uri.from({ scheme: reviewScheme, path, query: String((opened += 1)) });
    this.done = new Promise((resolve) => (this.finish = resolve));
    this.disposable = vscode.Disposable.from(
      this.changed,
      this.lensesChanged,
      this.paint,
      vscode.workspace.registerTextDocumentContentProvider(reviewScheme, this),
      vscode.languages.registerCodeLensProvider({ scheme: reviewScheme }, this),
      vscode.window.onDidChangeVisibleTextEditors(() => this.repaint()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document.uri.toString() === this.uri.toString()) this.repaint();
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
        if (closed.some((tab) => this.isMine(tab))) void this.end(undefined);
      }),
    );
  }

  async show(): Promise<void> {
    const document = await vscode.workspace.openTextDocument(this.uri);
    await vscode.window.showTextDocument(document, { preview: false });
    this.repaint();
  }

  provideTextDocumentContent(): string {
    return this.shown.text;
  }

  provideCodeLenses(): vscode.CodeLens[] {
    return this.shown.marks.flatMap(reviewLenses);
  }

  hide(value: string): void {
    this.review.hide(value);
    this.refresh();
  }

  keep(value: string): void {
    this.review.keep(value);
    this.refresh();
  }

  hideKind(kind: string): void {
    this.review.hideKind(kind);
    this.refresh();
  }

  keepKind(kind: string): void {
    this.review.keepKind(kind);
    this.refresh();
  }

  /** What stands at the cursor, where the review's document is in front. */
  atCursor(): { readonly value: string; readonly kind: string } | undefined {
    const editor = vscode.window.activeTextEditor;
    if (editor?.document.uri.toString() !== this.uri.toString()) return undefined;
    const { line } = editor.selection.active;
    const isNear = (mark: ReviewMark): boolean => mark.line === line || mark.line === line - 1;
    const mark = this.shown.marks.findLast((each) => 'value' in each && isNear(each));
    return mark && 'value' in mark ? mark.value : undefined;
  }

  accept(): Promise<void> {
    return this.end(this.review.decisions);
  }

  cancel(): Promise<void> {
    return this.end(undefined);
  }

  dispose(): void {
    this.disposable.dispose();
  }

  private async end(decisions: ReviewDecisions | undefined): Promise<void> {
    this.finish(decisions);
    this.dispose();
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await vscode.window.tabGroups.close(tabs.filter((tab) => this.isMine(tab)));
  }

  private isMine({ input }: vscode.Tab): boolean {
    return input instanceof vscode.TabInputText && input.uri.toString() === this.uri.toString();
  }

  private refresh(): void {
    this.shown = renderReview(this.review, reviewWords);
    this.changed.fire(this.uri);
    this.lensesChanged.fire();
    this.repaint();
  }

  private repaint(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      if (editor.document.uri.toString() === this.uri.toString()) {
        this.paint.apply(editor, this.shown.marks);
      }
    }
  }
}
