import * as vscode from 'vscode';
import type { ThreadDocument } from '../../core/engine.js';

export const threadScheme = 'keepthread-thread';

/**
 * The language of threads' documents, told by this folder in their path. They are Markdown to look at and to no other
 * extension: VS Code's own would make links to commands of what a transcript says, and headings of its own outline.
 */
export const threadLanguage = 'keepthread-conversation';

/** One page of a thread, or of one of its branches. */
export interface ThreadPage {
  readonly threadId: string;
  readonly page: number;
  /** Absent: the branch that the agent goes on with. */
  readonly leaf?: string | undefined;
}

/** The address of one page of a thread; its path is what the tab shows. */
export function uriOf(
  { threadId, page, leaf }: ThreadPage,
  { title, pages }: Pick<ThreadDocument, 'title' | 'pages'>,
): vscode.Uri {
  const number = pages > 1 ? ` (${page + 1})` : '';
  const branch = leaf === undefined ? '' : ` ${vscode.l10n.t('(branch)')}`;
  const query = new URLSearchParams({ thread: threadId, page: String(page) });
  if (leaf !== undefined) query.set('leaf', leaf);
  return vscode.Uri.from({
    scheme: threadScheme,
    path: `/${threadLanguage}/${fileName(title)}${branch}${number}`,
    query: query.toString(),
  });
}

export function pageOf(uri: vscode.Uri): ThreadPage {
  const query = new URLSearchParams(uri.query);
  return {
    threadId: query.get('thread') ?? '',
    page: Number(query.get('page') ?? 0),
    leaf: query.get('leaf') ?? undefined,
  };
}

/** A title as a file's name. */
export const fileName = (title: string): string => title.replace(/[\\/:?#]+/g, ' ').trim();
