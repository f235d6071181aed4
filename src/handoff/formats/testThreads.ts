import type { Part, Thread, Turn } from '../../core/model/thread.js';
import { noRedaction } from '../testFiles.js';
import type { ReadableSession } from './readable.js';

/** Sessions to be read elsewhere, for tests of what they are written as. */

export const at = Date.UTC(2026, 10, 30, 9);

export const threadOf = (turns: readonly Turn[], more: Partial<Thread> = {}): Thread => ({
  agent: 'claude-code',
  nativeId: 'n1',
  title: 'A thread',
  turns,
  todos: [],
  skipped: [],
  counts: {
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 1,
    toolResultsMatched: 1,
    toolResultsOrphan: 0,
    thinkingBlocks: 0,
    models: ['claude-x'],
    malformed: 0,
  },
  ...more,
});

async function* from(threads: readonly Thread[]): AsyncGenerator<Thread> {
  for (const thread of threads) yield await Promise.resolve(thread);
}

/** Its goal stands where people write other things, too. */
export const readableOf = (
  threads: readonly Thread[],
  session: Partial<ReadableSession['session']> = {},
): ReadableSession => ({
  session: {
    id: 's1',
    title: 'A session',
    goal: '',
    status: 'active',
    tags: [],
    createdAt: at,
    updatedAt: at,
    ...session,
  },
  snapshots: [{ id: 'p1', at, reason: 'manual', label: session.goal, branch: session.goal }],
  threads: from(threads),
  author: session.goal,
  tool: { name: 'keepthread', version: '1' },
  createdAt: at,
  redaction: () => noRedaction,
});

const everyPart = (text: string): readonly Part[] => [
  { kind: 'text', text },
  { kind: 'thinking', text },
  {
    kind: 'toolCall',
    id: text,
    name: text,
    input: { [text]: text },
    result: { text, isError: true },
  },
  { kind: 'image', mediaType: text, bytes: 1, name: text, data: text },
  { kind: 'attachment', name: text, uri: text },
  { kind: 'notice', notice: 'error', text },
];

/** A conversation in which everything that is text is this one. */
export const everywhere = (text: string): readonly Thread[] => [
  threadOf(
    [
      { id: '1', role: 'user', at, parts: everyPart(text) },
      { id: '2', role: 'assistant', at, model: text, parts: everyPart(text) },
    ],
    { title: text, cwd: text, branch: text, version: text },
  ),
];
