import type { SearchRow } from '../../core/search/rows.js';
import type { Covered } from '../../vault/search/coverage.js';
import type { ThreadFacts } from '../../vault/search/facts.js';
import type { Store } from '../store.js';
import { newRows } from './newRows.js';
import type { Pause } from './readRows.js';

/** Rows that no image holds yet, of one conversation. */
export interface TailThread {
  /** What it was read as: something else is read anew. */
  readonly key: string;
  readonly rows: readonly SearchRow[];
  /** What images hold of it does not count any more. */
  readonly isWhole: boolean;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
  readonly at: number;
}

export interface Pending {
  readonly thread: ThreadFacts;
  readonly covered: Covered | undefined;
}

/** What was said since images were last written, in memory. */
export class Tail {
  private threads = new Map<string, TailThread>();
  private readonly failed = new Map<string, string>();

  get read(): ReadonlyMap<string, TailThread> {
    return this.threads;
  }

  /**
   * Reads what is pending, in its order, until so many bytes of records were read.
   *
   * @returns what there was no room for
   */
  async update(
    store: Store,
    pending: readonly Pending[],
    most: number,
    pause: Pause,
    onProblem: (where: string, error: unknown) => void,
  ): Promise<readonly ThreadFacts[]> {
    const kept = new Map<string, TailThread>();
    const left: ThreadFacts[] = [];
    let bytes = 0;
    for (const { thread, covered } of pending) {
      const key = keyOf(thread, covered);
      const before = this.threads.get(thread.id);
      if (before?.key === key) {
        kept.set(thread.id, before);
        continue;
      }
      if (this.failed.get(thread.id) === key) continue;
      if (bytes > 0 && bytes + thread.bytes > most) {
        // What was read of it before is better than nothing.
        if (before) kept.set(thread.id, before);
        left.push(thread);
        continue;
      }
      bytes += thread.bytes;
      try {
        kept.set(thread.id, await readTail(store, thread, covered, key, pause));
      } catch (error) {
        this.failed.set(thread.id, key);
        onProblem(thread.id, error);
      }
    }
    this.threads = kept;
    return left;
  }

  clear(): void {
    this.threads = new Map();
    this.failed.clear();
  }
}

const keyOf = ({ generation, records }: ThreadFacts, covered: Covered | undefined): string =>
  `${generation} ${records} ${covered?.rows ?? 0} ${covered?.digest ?? ''}`;

async function readTail(
  store: Store,
  thread: ThreadFacts,
  covered: Covered | undefined,
  key: string,
  pause: Pause,
): Promise<TailThread> {
  const rows: SearchRow[] = [];
  let isWhole = covered === undefined;
  let facts: Pick<TailThread, 'title' | 'cwd' | 'branch'> = {};
  let at = thread.at ?? 0;
  for await (const piece of newRows(store, thread, covered, pause)) {
    rows.push(...piece.rows);
    isWhole ||= piece.firstRow === 0;
    facts = { title: piece.title, cwd: piece.cwd, branch: piece.branch };
    at = piece.at ?? at;
  }
  return { key, rows, isWhole, ...facts, at };
}
