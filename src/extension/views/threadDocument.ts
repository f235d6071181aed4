import * as vscode from 'vscode';
import type { ThreadDocument, ThreadPlace } from '../../core/engine.js';
import type { Sessions } from '../sessions.js';

export const threadScheme = 'keepthread-thread';

/** Agents write in bursts; the document follows when they pause, or at least so often. */
const refreshDelayMs = 1000;

interface ThreadPage {
  readonly threadId: string;
  readonly page: number;
}

/** The address of one page of a thread; its path is what the tab shows. */
function uriOf({ threadId, page }: ThreadPage, { title, pages }: ThreadDocument): vscode.Uri {
  const number = pages > 1 ? ` (${page + 1})` : '';
  const name = title.replace(/[\\/:?#]+/g, ' ').trim();
  return vscode.Uri.from({
    scheme: threadScheme,
    path: `/${name}${number}.md`,
    query: new URLSearchParams({ thread: threadId, page: String(page) }).toString(),
  });
}

function pageOf(uri: vscode.Uri): ThreadPage {
  const query = new URLSearchParams(uri.query);
  return { threadId: query.get('thread') ?? '', page: Number(query.get('page') ?? 0) };
}

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
    vscode.DocumentLinkProvider
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  /** The newest rendering of each open document, by its URI. */
  private readonly shown = new Map<string, ThreadDocument>();
  /** Rendered to learn a title, and about to be asked for by the editor. */
  private readonly ready = new Map<string, ThreadDocument>();
  private timer: NodeJS.Timeout | undefined;
  private readonly disposables: readonly { dispose(): unknown }[];

  constructor(private readonly sessions: Sessions) {
    const selector: vscode.DocumentSelector = { scheme: threadScheme };
    this.disposables = [
      this.changed,
      vscode.workspace.registerTextDocumentContentProvider(threadScheme, this),
      vscode.languages.registerFoldingRangeProvider(selector, this),
      vscode.languages.registerDocumentLinkProvider(selector, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
      sessions.onDidChange(() => this.refreshSoon()),
    ];
  }

  async open(at: ThreadPage, place?: ThreadPlace): Promise<void> {
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
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const key = uri.toString();
    const rendered = this.ready.get(key) ?? (await this.render(pageOf(uri)));
    this.ready.delete(key);
    this.shown.set(key, rendered);
    return rendered.text;
  }

  provideFoldingRanges({ uri }: vscode.TextDocument): vscode.FoldingRange[] {
    const folds = this.shown.get(uri.toString())?.folds ?? [];
    return folds.map(({ start, end }) => new vscode.FoldingRange(start, end));
  }

  /** The lines that name the other pages lead there. */
  provideDocumentLinks(document: vscode.TextDocument): vscode.DocumentLink[] {
    const shown = this.shown.get(document.uri.toString());
    if (shown === undefined || shown.pages < 2) return [];
    const links: vscode.DocumentLink[] = [];
    for (const number of [2, document.lineCount - 2]) {
      const line = document.lineAt(number);
      if (!line.text.startsWith(`Page ${shown.page + 1} of ${shown.pages}:`)) continue;
      for (const found of line.text.matchAll(/page (\d+)/g)) {
        const page = Number(found[1]) - 1;
        const range = new vscode.Range(number, found.index, number, found.index + found[0].length);
        const target = uriOf({ ...pageOf(document.uri), page }, shown);
        links.push(new vscode.DocumentLink(range, target));
      }
    }
    return links;
  }

  dispose(): void {
    clearTimeout(this.timer);
    vscode.Disposable.from(...this.disposables).dispose();
  }

  private async render(
    { threadId, page }: ThreadPage,
    place?: ThreadPlace,
  ): Promise<ThreadDocument> {
    return (await this.sessions.engine()).threadDocument(threadId, { page, place });
  }

  private refreshSoon(): void {
    if (this.shown.size === 0) return;
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      for (const key of this.shown.keys()) this.changed.fire(vscode.Uri.parse(key, true));
    }, refreshDelayMs);
  }
}

const documentsOf = new WeakMap<Sessions, ThreadDocuments>();

/** Makes the window able to show `keepthread-thread:` documents. */
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
  await documentsOf.get(sessions)?.open({ threadId, page: 0 }, place);
}
