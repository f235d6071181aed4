import * as vscode from 'vscode';
import type { Completion } from '../../core/search/complete.js';
import type { HitKind, SearchHit, SearchResult } from '../../core/search/types.js';
import { agentName } from '../../core/thread/names.js';
import { escapeIcons, plain } from '../views/plainText.js';
import * as words from '../views/words.js';

/** What is listed: something that was found, a way to go on typing, or a word about it all. */
export interface SearchItem extends vscode.QuickPickItem {
  readonly hit?: SearchHit | undefined;
  /** What the query becomes when it is chosen. */
  readonly query?: string | undefined;
}

const icons: Readonly<Record<HitKind, string>> = {
  prompt: 'account',
  answer: 'hubot',
  thinking: 'lightbulb',
  toolInput: 'tools',
  toolResult: 'output',
  notice: 'info',
  title: 'comment-discussion',
  session: 'history',
};

/** Hits come from transcripts: hostile text, which stays text. */
export function hitItem(hit: SearchHit, now: number): SearchItem {
  const { kind, snippet, agent, at, title } = hit;
  const isSession = kind === 'session';
  return {
    hit,
    alwaysShow: true,
    iconPath: new vscode.ThemeIcon(icons[kind]),
    label:
      escapeIcons(plain(isSession ? title : snippet.text, 160)) ||
      vscode.l10n.t('Untitled session'),
    detail: escapeIcons(
      words.joined(
        agent === undefined ? undefined : agentName(agent),
        kindWords(hit),
        isSession || kind === 'title' ? undefined : plain(title, 80),
        at === undefined ? undefined : words.momentWords(at, now),
        isSession ? foundIn(hit) : undefined,
      ),
    ),
  };
}

/** What else of a session holds the words: its goal, labels, and files by their names. */
function foundIn({ snippet, title }: SearchHit): string {
  const { text } = snippet;
  const rest = text.startsWith(title) ? text.slice(title.length) : text;
  return plain(rest.replace(/[a-z][a-z0-9+.-]*:\/\/\S*\/(?=\S)/gi, ''), 120);
}

function kindWords({ kind, tool }: SearchHit): string {
  const name = plain(tool ?? '', 40);
  switch (kind) {
    case 'prompt':
      return vscode.l10n.t('You');
    case 'answer':
      return vscode.l10n.t('Answer');
    case 'thinking':
      return vscode.l10n.t('Thinking');
    case 'toolInput':
      return name;
    case 'toolResult':
      return vscode.l10n.t('Result of {0}', name);
    case 'notice':
      return vscode.l10n.t('Notice');
    case 'title':
      return vscode.l10n.t('Conversation');
    case 'session':
      return vscode.l10n.t('Session');
  }
}

const abouts: Readonly<Record<string, () => string>> = {
  'agent:': () => vscode.l10n.t('Conversations with one agent'),
  'role:': () => vscode.l10n.t('What you, an agent or a tool said'),
  'tool:': () => vscode.l10n.t('Calls of one tool'),
  'file:': () => vscode.l10n.t('Calls that name a file or folder'),
  'branch:': () => vscode.l10n.t('Work on one branch'),
  'after:': () => vscode.l10n.t('From a day on, such as 2026-01-31 or 7d'),
  'before:': () => vscode.l10n.t('Until a day, such as 2026-01-31 or 7d'),
};

export const completionItem = ({ filter, about, query }: Completion): SearchItem => ({
  query,
  alwaysShow: true,
  iconPath: new vscode.ThemeIcon('filter'),
  label: filter,
  description: about ?? abouts[filter]?.() ?? '',
});

/** A line that says something and does nothing. */
const said = (label: string, icon: string): SearchItem => ({
  alwaysShow: true,
  iconPath: new vscode.ThemeIcon(icon),
  label,
});

/**
 * What there is to be said of a result besides its hits.
 *
 * @param isCompleted ways to go on typing are listed, so that nothing was looked for yet
 */
export function remarks(
  { hits, more, advice, pending, complete }: SearchResult,
  isCompleted = false,
): SearchItem[] {
  const items = advice.map(({ template, args }) =>
    said(escapeIcons(plain(vscode.l10n.t(template, ...args), 300)), 'question'),
  );
  if (hits.length === 0 && items.length === 0 && complete && !isCompleted) {
    items.push(said(vscode.l10n.t('Nothing found'), 'circle-slash'));
  }
  if (more) items.push(said(vscode.l10n.t('There is more: type more words'), 'ellipsis'));
  if (pending.threads > 0) {
    const words = vscode.l10n.t('{0} conversations are still being read', pending.threads);
    items.push(said(words, 'loading~spin'));
  }
  return items;
}
