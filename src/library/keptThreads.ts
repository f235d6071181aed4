import { sourceOf } from '../agents/registry.js';
import type { ParserOptions } from '../agents/source.js';
import { ExpectedError } from '../core/errors.js';
import { idInRecords, splitThreadId } from '../core/model/ids.js';
import type { Thread, ThreadSummary } from '../core/model/thread.js';
import { ThreadFolds } from './folds.js';
import { summarizeFullest } from './fullest.js';
import type { Store } from './store.js';

/** A thread that the vault has records of. */
export interface KeptThread {
  readonly id: string;
  readonly agent: string;
  readonly nativeId: string;
  /** The file that it was last read from. */
  readonly path: string | undefined;
  /** Bytes of that file that were read. */
  readonly bytesRead: number;
}

/** The threads of vaults whose index was just made, and does not know yet what they mean. */
export interface KeptThreads {
  list(): readonly KeptThread[];
  get(id: string): KeptThread | undefined;
  /** Of its fullest copy; undefined for an agent that this version does not know. */
  summary(id: string): Promise<ThreadSummary | undefined>;
  /** @throws ExpectedError `threadMissing` */
  thread(id: string, options?: ParserOptions): Promise<Thread>;
  /** Of its fullest copy, as the agent wrote them. */
  records(id: string): Promise<readonly Uint8Array[]>;
}

export const noKeptThreads: KeptThreads = {
  list: () => [],
  get: () => undefined,
  summary: () => Promise.resolve(undefined),
  thread: (id) => Promise.reject(threadMissing(id)),
  records: (id) => Promise.reject(threadMissing(id)),
};

const threadMissing = (id: string): ExpectedError =>
  new ExpectedError('threadMissing', 'There is no conversation {0}.', [id]);

export function keptThreadsOf(store: Store): KeptThreads {
  const { index } = store;
  const folds = new ThreadFolds(sourceOf, (id, generation, records) =>
    store.placedRecords(id, generation, records),
  );
  const heads = new Map(index.threadsNeedingSummary().map((head) => [head.id, head]));
  const kept = new Map(
    [...heads.keys()].map((id) => {
      const cursor = index.cursor(id);
      const thread = { id, ...splitThreadId(id), path: cursor?.path };
      return [id, { ...thread, bytesRead: cursor?.offset ?? 0 }] as const;
    }),
  );
  const summaries = new Map<string, ThreadSummary>();
  const summary = async (id: string): Promise<ThreadSummary | undefined> => {
    const known = summaries.get(id);
    const head = heads.get(id);
    if (known !== undefined || head === undefined) return known;
    const made = await summarizeFullest(index, folds, head);
    if (made !== undefined) summaries.set(id, made);
    return made;
  };
  return {
    list: () => [...kept.values()],
    get: (id) => kept.get(id),
    summary,
    thread: async (id, options) => {
      const { agent, nativeId } = splitThreadId(id);
      const fullest = await summary(id);
      const parser = sourceOf(agent)?.parser(idInRecords(nativeId), options);
      if (fullest === undefined || parser === undefined) throw threadMissing(id);
      const records = store.placedRecords(id, fullest.generation, fullest.records);
      for await (const { record, place } of records) {
        parser.push(record, place);
      }
      return { ...parser.thread(), cwd: fullest.cwd };
    },
    records: async (id) => {
      const fullest = await summary(id);
      if (fullest === undefined) throw threadMissing(id);
      const all: Uint8Array[] = [];
      for await (const record of store.records(id, fullest.generation, fullest.records)) {
        all.push(record);
      }
      return all;
    },
  };
}
