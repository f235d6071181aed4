import { createHash } from 'node:crypto';
import { sourceOf } from '../../agents/registry.js';
import { splitThreadId } from '../../core/model/ids.js';
import type { SearchRow } from '../../core/search/rows.js';
import { rowsOf } from '../../core/search/rows.js';
import type { ThreadFacts } from '../../vault/search/facts.js';
import type { Store } from '../store.js';

/** A larger conversation is read in pieces of half the size, in bytes of its records, so that memory stays flat. */
export const LARGEST_WHOLE = 32 * 2 ** 20;
/** Bytes of records between two pauses. */
const BETWEEN_PAUSES = 256 * 2 ** 10;

/** Lets others work, and throws when the work is not wanted any more. */
export type Pause = () => Promise<void>;

/** Some of a conversation, or all of it. */
export interface RowsPiece {
  readonly rows: readonly SearchRow[];
  /** Records up to its end, from the conversation's beginning. */
  readonly records: number;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  /** When it was last written to, if its records say so. */
  readonly at?: number | undefined;
}

/**
 * Reads the rows of a conversation as it is shown. One that is too large to be read as a whole is read in pieces,
 * each as if it were all: places in it are then told by their turns' ids alone. Nothing comes of an agent that this
 * version does not know.
 */
export async function* readRows(
  store: Store,
  thread: ThreadFacts,
  pause: Pause,
): AsyncGenerator<RowsPiece, void, undefined> {
  const { agent, nativeId } = splitThreadId(thread.id);
  const source = sourceOf(agent);
  if (!source) return;
  const inPieces = thread.bytes > LARGEST_WHOLE;
  let parser = source.parser(nativeId);
  let records = 0;
  const take = (upTo: number): RowsPiece => {
    const { turns, title, cwd, branch, counts } = parser.thread();
    const rows = [...rowsOf({ turns })];
    const placed = inPieces ? rows.map((row) => ({ ...row, turn: -1 })) : rows;
    return { rows: placed, records: upTo, title, cwd, branch, at: counts.lastAt };
  };
  let bytes = 0;
  let paused = 0;
  for await (const record of store.records(thread.id, thread.generation, thread.records)) {
    if (inPieces && bytes > LARGEST_WHOLE / 2) {
      yield take(records);
      parser = source.parser(nativeId);
      bytes = 0;
      paused = 0;
    }
    parser.push(record);
    records += 1;
    bytes += record.length;
    if (bytes - paused > BETWEEN_PAUSES) {
      paused = bytes;
      await pause();
    }
  }
  // Also when some of them could not be read: they will not be there next time either.
  yield take(thread.records);
  await pause();
}

/** Tells rows in their order from all others. */
export class RowDigest {
  private readonly hash = createHash('sha256');
  private pushed = 0;

  /** How many rows it is of. */
  get rows(): number {
    return this.pushed;
  }

  /** Hex; '' of no rows. */
  get value(): string {
    return this.pushed === 0 ? '' : this.hash.copy().digest('hex');
  }

  push({ turnId, part, kind, text }: SearchRow): void {
    this.hash.update(JSON.stringify([turnId, part, kind, text]));
    this.pushed += 1;
  }
}

/** Names of the packs that a conversation's records lie in; a generation may begin with records of the one before. */
export function packsOf(
  { index }: Store,
  { id, generation }: Pick<ThreadFacts, 'id' | 'generation'>,
): ReadonlySet<string> {
  const packs = new Set<string>();
  for (let at = generation; at >= 0; at--) {
    const batches = index.batches(id, at);
    for (const { ref } of batches) packs.add(ref.pack);
    if (batches[0]?.reused === undefined) break;
  }
  return packs;
}
