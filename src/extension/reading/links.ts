import * as vscode from 'vscode';
import type { ThreadDocument, ThreadPart } from '../../core/engine.js';
import type { DocumentLink, LinkTarget, PartPlace } from '../../core/thread/document.js';
import { fileMentions } from '../../core/thread/mentions.js';
import { bytesWords } from '../views/words.js';
import { Command } from '../ids.js';
import { FileFinder } from './fileFinder.js';
import type { ThreadImages } from './images.js';
import { pageOf, uriOf } from './threadUri.js';

/** Mentions of files that are looked up on one page. */
const mostMentions = 2000;

/** An image in a hover is text of at most 100,000 characters. */
const largestHoverBytes = 70_000;

/** Leads from a thread's document to files, images, subagents and other pages. */
export class ThreadLinks implements vscode.DocumentLinkProvider, vscode.HoverProvider {
  private readonly finder = new FileFinder();

  constructor(
    private readonly shown: (uri: vscode.Uri) => ThreadDocument | undefined,
    private readonly images: ThreadImages,
  ) {}

  async provideDocumentLinks(
    document: vscode.TextDocument,
    token: vscode.CancellationToken,
  ): Promise<vscode.DocumentLink[]> {
    const shown = this.shown(document.uri);
    if (shown === undefined) return [];
    const own = shown.links.filter((link) => isThere(document, link));
    const taken = new Set(own.map(({ line }) => line));
    const files = [...own, ...mentionsIn(document, taken)];
    const links = pageLinks(document, shown);
    for (const batch of batches(files, 100)) {
      if (token.isCancellationRequested) return [];
      const made = batch.map((link) => this.made(document.uri, shown, link));
      links.push(...(await Promise.all(made)).filter((link) => link !== undefined));
    }
    return links;
  }

  async provideHover(
    { uri }: vscode.TextDocument,
    { line, character }: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const link = this.shown(uri)?.links.find(
      (each) => each.line === line && each.start <= character && character <= each.end,
    );
    if (link?.to.kind !== 'image') return undefined;
    const { bytes, mediaType } = await this.images.read(partAt(uri, link.to));
    const range = new vscode.Range(line, link.start, line, link.end);
    const isShown = bytes.length <= largestHoverBytes && /^image\/[\w.+-]+$/.test(mediaType);
    const text = new vscode.MarkdownString();
    if (isShown) {
      const data = Buffer.from(bytes).toString('base64');
      text.appendMarkdown(`![](data:${mediaType};base64,${data}|width=400)`);
    } else {
      const words = vscode.l10n.t('{0}. Open it to see it.', bytesWords(bytes.length));
      text.appendText(words);
    }
    return new vscode.Hover(text, range);
  }

  private async made(
    uri: vscode.Uri,
    { cwd }: ThreadDocument,
    { line, start, end, to }: DocumentLink,
  ): Promise<vscode.DocumentLink | undefined> {
    const range = new vscode.Range(line, start, line, end);
    if (to.kind === 'file') {
      const found = await this.finder.find(to, cwd);
      const fragment = to.line === undefined ? '' : `L${to.line}`;
      return found && new vscode.DocumentLink(range, found.with({ fragment }));
    }
    const link = new vscode.DocumentLink(range, this.targetOf(uri, to));
    link.tooltip =
      to.kind === 'image' ? vscode.l10n.t('Open image') : vscode.l10n.t('Open conversation');
    return link;
  }

  /** Only commands of ours, with arguments that we made. */
  private targetOf(uri: vscode.Uri, to: Exclude<LinkTarget, { kind: 'file' }>): vscode.Uri {
    return to.kind === 'thread'
      ? commandUri(Command.openThread, { threadId: to.threadId })
      : commandUri(Command.openImage, partAt(uri, to));
  }
}

const commandUri = (command: Command, argument: object): vscode.Uri =>
  vscode.Uri.parse(`command:${command}?${encodeURIComponent(JSON.stringify([argument]))}`);

/** The part of a thread that a place on a page is of. */
export function partAt(uri: vscode.Uri, { turn, part }: PartPlace): ThreadPart {
  const { threadId, leaf } = pageOf(uri);
  return { threadId, leaf, place: { turn, part } };
}

/** The editor may still show the text of before. */
const isThere = (document: vscode.TextDocument, { line, end }: DocumentLink): boolean =>
  line < document.lineCount && end <= document.lineAt(line).text.length;

function mentionsIn(
  document: vscode.TextDocument,
  taken: ReadonlySet<number>,
): readonly DocumentLink[] {
  const found: DocumentLink[] = [];
  for (let line = 0; line < document.lineCount && found.length < mostMentions; line++) {
    if (taken.has(line)) continue;
    for (const { path, line: at, start, end } of fileMentions(document.lineAt(line).text)) {
      found.push({ line, start, end, to: { kind: 'file', path, line: at } });
    }
  }
  return found;
}

/** The lines that name the other pages lead there. */
function pageLinks(document: vscode.TextDocument, shown: ThreadDocument): vscode.DocumentLink[] {
  if (shown.pages < 2) return [];
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

function* batches<T>(all: readonly T[], size: number): Iterable<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}
