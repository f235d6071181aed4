import * as vscode from 'vscode';
import type { ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import type { ThreadTarget } from '../ids.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { joined, momentWords, promptCount, threadStateWords } from '../views/words.js';
import { sessionTargetSchema, type Call } from './call.js';
import type { CommandContext } from './context.js';
import { findThread } from './findThread.js';
import { pick } from './pick.js';

interface ThreadItem extends vscode.QuickPickItem {
  readonly thread?: ThreadSummary;
}

/** Open to-dos that a list shows for a thread. */
const TODOS = 3;

/**
 * The conversation that a call is about: the one it names or was made on, else the one that the person chooses.
 *
 * @throws ExpectedError `threadMissing`
 */
export async function threadOf(
  context: CommandContext,
  call: Call<ThreadTarget>,
  ...how: [title?: string, fits?: (thread: ThreadSummary) => boolean]
): Promise<ThreadSummary | undefined> {
  if (call.from === 'program') return findThread(context.sessions, call.options.threadId);
  if (call.from === 'tree' && call.node.kind === 'thread') return call.node.thread;
  return pickThread(context, call, ...how);
}

/** Lets the person choose a conversation, with what was asked last and what is still to do. */
export async function pickThread(
  context: CommandContext,
  call: Call<object>,
  title = vscode.l10n.t('Continue a conversation'),
  fits: (thread: ThreadSummary) => boolean = () => true,
): Promise<ThreadSummary | undefined> {
  const picked = await pick<ThreadItem>({
    items: await threadItems(context, call, fits, Date.now()),
    title,
    placeholder: vscode.l10n.t('Choose a conversation'),
  });
  return picked === 'back' ? undefined : picked?.thread;
}

async function threadItems(
  { sessions, list }: CommandContext,
  call: Call<object>,
  fits: (thread: ThreadSummary) => boolean,
  now: number,
): Promise<ThreadItem[]> {
  const engine = await sessions.engine();
  const sessionId = sessionOf(call) ?? list.activeId;
  const [own, others] = await Promise.all([
    sessionId === undefined ? [] : engine.listThreads(sessionId),
    engine.listThreads(null),
  ]);
  return [
    ...part(vscode.l10n.t('This session'), own.filter(fits), now),
    ...part(vscode.l10n.t('Other conversations'), others.filter(fits), now),
  ];
}

function sessionOf(call: Call<object>): string | undefined {
  if (call.from === 'program') return sessionTargetSchema.safeParse(call.options).data?.sessionId;
  return call.from === 'tree' && 'sessionId' in call.node ? call.node.sessionId : undefined;
}

/** Subagents are left out: they belong to their parent's conversation. */
function part(label: string, threads: readonly ThreadSummary[], now: number): ThreadItem[] {
  const top = threads.filter(({ parent }) => parent === undefined);
  if (top.length === 0) return [];
  return [
    { label, kind: vscode.QuickPickItemKind.Separator },
    ...top.map((thread) => threadItem(thread, now)),
  ];
}

function threadItem(thread: ThreadSummary, now: number): ThreadItem {
  return {
    thread,
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    label: escapeIcons(plain(thread.title)) || vscode.l10n.t('Untitled conversation'),
    description: escapeIcons(
      joined(
        agentName(thread.agent),
        threadStateWords(thread),
        promptCount(thread.turns),
        thread.lastAt === undefined ? undefined : momentWords(thread.lastAt, now),
      ),
    ),
    detail: escapeIcons(joined(lastPromptWords(thread), todoWords(thread.openTodos))),
  };
}

const lastPromptWords = ({ lastPrompt, title }: ThreadSummary): string | undefined =>
  lastPrompt === undefined || lastPrompt === title
    ? undefined
    : vscode.l10n.t('Last: {0}', plain(lastPrompt, 90));

function todoWords(todos: readonly string[]): string | undefined {
  if (todos.length === 0) return undefined;
  const shown = todos.slice(0, TODOS).map((todo) => plain(todo, 40));
  const more = todos.length > TODOS ? ', …' : '';
  return vscode.l10n.t('To do: {0}', shown.join(', ') + more);
}
