import * as vscode from 'vscode';
import type { ThreadDocument, ThreadPart, ThreadPlace } from '../../core/engine.js';
import { changeScheme, ThreadChanges } from '../reading/changes.js';
import { imageScheme, ThreadImages } from '../reading/images.js';
import { lensesOf } from '../reading/lenses.js';
import { ThreadLinks } from '../reading/links.js';
import { outlineOf } from '../reading/outline.js';
import { pageOf, threadScheme, uriOf, type ThreadPage } from '../reading/threadUri.js';
import type { Sessions } from '../sessions.js';

/** Agents write in bursts; the document follows when they pause, or at least so often. */
const refreshDelayMs = 1000;

/** VS Code keeps a document for some time after its tab was closed; only a tab is what a person sees. */
const hasTab = (uri: vscode.Uri): boolean =>
  vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      ({ input }) =>
        input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
    ),
  );

/** Puts the cursor on a line, unfolded, in the middle of the window. */
async function reveal(editor: vscode.TextEditor, line: number): Promise<void> {
  await vscode.commands.executeCommand('editor.unfold', { levels: 1, selectionLines: [line] });
  editor.selection = new vscode.Selection(line, 0, line, 0);
  editor.revealRange(editor.selection, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/**
 * Serves threads as read-only documents, made when they are opened and made anew while they grow.
 */
class ThreadDocuments
  implements
    vscode.TextDocumentContentProvider,
    vscode.FoldingRangeProvider,
    vscode.DocumentSymbolProvider,
    vscode.CodeLensProvider
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly relensed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.relensed.event;
  readonly images: ThreadImages;
  readonly changes: ThreadChanges;
  /** The newest rendering of each open document, by its URI. */
  private readonly shown = new Map<string, ThreadDocument>();
  /** Rendered to learn a title, and about to be asked for by the editor. */
  private readonly ready = new Map<string, ThreadDocument>();
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: readonly { dispose(): unknown }[];

  constructor(private readonly sessions: Sessions) {
    const selector: vscode.DocumentSelector = { scheme: threadScheme };
    this.images = new ThreadImages(sessions);
    this.changes = new ThreadChanges(sessions);
    const links = new ThreadLinks((uri) => this.page(uri), this.images);
    this.disposables = [
      this.changed,
      this.relensed,
      this.images,
      vscode.workspace.registerTextDocumentContentProvider(threadScheme, this),
      vscode.workspace.registerTextDocumentContentProvider(changeScheme, this.changes),
      vscode.workspace.registerFileSystemProvider(imageScheme, this.images, { isReadonly: true }),
      vscode.languages.registerFoldingRangeProvider(selector, this),
      vscode.languages.registerDocumentSymbolProvider(selector, this),
      vscode.languages.registerCodeLensProvider(selector, this),
      vscode.languages.registerDocumentLinkProvider(selector, links),
      vscode.languages.registerHoverProvider(selector, links),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
      sessions.onDidChange(() => this.refreshSoon()),
    ];
  }

  /** What is shown of an open document. */
  page(uri: vscode.Uri): ThreadDocument | undefined {
    return this.shown.get(uri.toString());
  }

  /** @returns the editor, and the page that it shows */
  async open(at: ThreadPage, place?: ThreadPlace): Promise<OpenedPage> {
    const rendered = await this.render(at, place);
    const uri = uriOf({ ...at, page: rendered.page }, rendered);
    const isOpen = hasTab(uri);
    if (!this.shown.has(uri.toString())) this.ready.set(uri.toString(), rendered);
    const document = await vscode.workspace.openTextDocument(uri);
    const editor = await vscode.window.showTextDocument(document, { preview: true });
    const selectionLines = rendered.folds.map(({ start }) => start);
    // What a person unfolded stays so when the document is shown again.
    if (!isOpen && selectionLines.length > 0) {
      await vscode.commands.executeCommand('editor.fold', { levels: 1, selectionLines });
    }
    if (rendered.line !== undefined) await reveal(editor, rendered.line);
    return { editor, rendered };
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    const rendered = this.ready.get(key) ?? (await this.render(pageOf(uri)));
    this.ready.delete(key);
    this.shown.set(key, rendered);
    this.relensed.fire();
    return rendered.text;
  }

  provideFoldingRanges({ uri }: vscode.TextDocument): vscode.FoldingRange[] {
    const { folds = [], turns = [] } = this.page(uri) ?? {};
    return [...turns, ...folds].map(({ start, end }) => new vscode.FoldingRange(start, end));
  }

  provideDocumentSymbols({ uri }: vscode.TextDocument): vscode.DocumentSymbol[] {
    const shown = this.page(uri);
    return shown === undefined ? [] : outlineOf(shown);
  }

  provideCodeLenses({ uri }: vscode.TextDocument): vscode.CodeLens[] {
    const shown = this.page(uri);
    return shown === undefined ? [] : lensesOf(uri, shown);
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private async render(
    { threadId, page, leaf }: ThreadPage,
    place?: ThreadPlace,
  ): Promise<ThreadDocument> {
    return (await this.sessions.engine()).threadDocument(threadId, { page, leaf, place });
  }

  private refreshSoon(): void {
    if (this.shown.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const key of this.shown.keys()) this.changed.fire(vscode.Uri.parse(key, true));
    }, refreshDelayMs);
  }
}

export interface OpenedPage {
  readonly editor: vscode.TextEditor;
  readonly rendered: ThreadDocument;
}

const documentsOf = new WeakMap<Sessions, ThreadDocuments>();

/** Makes the window able to show threads, and what belongs to them. */
export function registerThreadDocuments(sessions: Sessions): vscode.Disposable {
  const documents = new ThreadDocuments(sessions);
  documentsOf.set(sessions, documents);
  return vscode.Disposable.from(documents);
}

/**
 * Opens a thread as a document, tool calls and thinking folded, at a place if one is given. Needs
 * {@link registerThreadDocuments}.
 *
 * @throws ExpectedError when the thread is not known.
 */
export async function openThread(
  sessions: Sessions,
  threadId: string,
  place?: ThreadPlace,
): Promise<void> {
  await openPage(sessions, { threadId, page: 0 }, place);
}

/** @throws ExpectedError when the thread is not known. */
export const openPage = async (
  sessions: Sessions,
  at: ThreadPage,
  place?: ThreadPlace,
): Promise<OpenedPage | undefined> => documentsOf.get(sessions)?.open(at, place);

/** The document in front and what it shows, if it is a thread's. */
export function threadInFront(sessions: Sessions): OpenedPage | undefined {
  const editor = vscode.window.activeTextEditor;
  const rendered = editor && documentsOf.get(sessions)?.page(editor.document.uri);
  return editor === undefined || rendered === undefined ? undefined : { editor, rendered };
}

/** Opens an image in the editor's own viewer. @throws ExpectedError `imageMissing` */
export async function openImage(sessions: Sessions, part: ThreadPart): Promise<void> {
  const uri = await documentsOf.get(sessions)?.images.uriOf(part);
  if (uri !== undefined) await vscode.commands.executeCommand('vscode.open', uri);
}

/** @throws ExpectedError `changesMissing` */
export async function openChanges(sessions: Sessions, part: ThreadPart): Promise<void> {
  await documentsOf.get(sessions)?.changes.open(part);
}
