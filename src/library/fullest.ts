import type { ThreadParser } from '../agents/source.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { SessionIndex } from '../vault/sessionIndex.js';
import type { ThreadHead } from '../vault/threadRows.js';
import { summarize, type ThreadFolds } from './folds.js';

/** Agents that rewrite a file whole make many generations; only the longest ones can be fuller. */
const mostCopies = 3;

type Index = Pick<SessionIndex, 'thread' | 'generations' | 'batches' | 'cursor'>;

/**
 * The list row of a thread's fullest copy in the vault: the newest one, unless the agent's file held
 * more before it was rewritten (promise 2). Undefined for an agent that this version does not know.
 */
export async function summarizeFullest(
  index: Index,
  folds: ThreadFolds,
  newest: ThreadHead,
): Promise<ThreadSummary | undefined> {
  let best: ThreadSummary | undefined;
  for (const head of [...longerCopies(index, newest), newest]) {
    const parser = await folds.upTo(head.id, head.generation, head.records);
    if (parser === undefined) return undefined;
    const row = summaryOf(index, head, parser);
    if (best === undefined || !isEmptier(row, best)) best = row;
  }
  return best;
}

function summaryOf(index: Index, head: ThreadHead, parser: ThreadParser): ThreadSummary {
  const { id, generation, records } = head;
  const before = index.thread(id);
  const thread = parser.thread({ turns: false });
  return summarize(
    id,
    { ...thread, cwd: thread.cwd ?? index.cursor(id)?.cwd ?? before?.cwd, parent: before?.parent },
    {
      generation,
      records,
      bytes: before?.bytes ?? 0,
      working: parser.working,
      state: before?.state ?? 'live',
    },
  );
}

/** Generations before the newest that have more records, the longest last. */
function longerCopies(index: Index, { id, generation, records }: ThreadHead): ThreadHead[] {
  return index
    .generations(id)
    .filter((other) => other < generation)
    .map((other) => ({ id, generation: other, records: recordsIn(index, id, other) }))
    .filter((other) => other.records > records)
    .sort((one, other) => one.records - other.records)
    .slice(-mostCopies);
}

function recordsIn(index: Index, id: string, generation: number): number {
  const last = index.batches(id, generation).at(-1);
  return last === undefined ? 0 : last.first + last.count;
}

/** A rewritten file that holds less never replaces the fuller copy in lists (promise 2). */
export const isEmptier = (now: ThreadSummary, before: ThreadSummary): boolean =>
  now.generation > before.generation && now.turns + now.messages < before.turns + before.messages;
