import { readThread } from '../agents/copies.js';
import type { FoundThread, Source, ThreadParser } from '../agents/source.js';
import { threadId } from '../core/model/ids.js';
import type { Cursor } from '../core/model/records.js';
import { packPlaces } from '../vault/recordPlaces.js';
import type { FirstReading } from './firstReading.js';
import type { ThreadFolds } from './folds.js';
import type { IngestOptions } from './ingest.js';
import { readToEnd } from './seenThreads.js';

/** To note how far a file was read without a record being whole costs half a kilobyte in the vault. */
const WORTH_NOTING = 2 ** 20;

/** What was kept of a thread: its parser, fed with it, and where reading stopped. */
export interface KeptRecords {
  readonly parser: ThreadParser | undefined;
  readonly cursor: Cursor | undefined;
  /** Whether the agent was at work before. */
  readonly wasWorking: boolean;
  readonly added: number;
}

/** A thread of an agent's store that is to be read from where reading stopped. */
export interface ThreadNews {
  readonly source: Source;
  readonly found: FoundThread;
  /** Thread id. */
  readonly id: string;
  /** Has a signal while a person may pause it. */
  readonly reading: Pick<FirstReading, 'signal'>;
}

/**
 * Keeps the records that are new, and folds them while they are being compressed and written. Undefined when the
 * thread was forgotten meanwhile.
 */
export async function keepRecords(
  {
    store,
    redact,
    folds,
  }: Pick<IngestOptions, 'store' | 'redact'> & { readonly folds: ThreadFolds },
  { source, found, id, reading }: ThreadNews,
  tally: { bytesRead: number; recordsAdded: number },
): Promise<KeptRecords | undefined> {
  let cursor = store.index.cursor(id);
  let parser: ThreadParser | undefined;
  let wasWorking = false;
  let added = 0;
  /** Bytes that were read since what the vault knows of it. */
  let unnoted = 0;
  let writing: Promise<void> | undefined;
  try {
    for (let more = true; more;) {
      const { signal } = reading;
      signal?.throwIfAborted();
      const result = await readThread(source, found, cursor, signal);
      more = result.more;
      tally.bytesRead += result.bytesRead;
      if (store.index.isForgotten(id)) return undefined;
      if (result.records.length === 0 && !result.restarted) {
        // Within a line that is longer than what is read at once.
        cursor = result.cursor;
        unnoted += result.bytesRead;
        continue;
      }
      const records = redact ? result.records.map(redact) : result.records;
      // No record may be on the disk without those before it: the cursor would pass over them.
      await writing;
      parser = await parserBefore(folds, id, cursor, result.cursor, result.restarted);
      wasWorking ||= parser?.working ?? false;
      const upTo = { ...result.cursor, cwd: found.cwd };
      const appended = store.appendRecords(records, {
        ...batchOf(id, source.agent, found),
        generation: result.cursor.generation,
        first: result.cursor.records - records.length,
        count: records.length,
        reused: result.restarted?.reused,
        places: packPlaces(records, result.places),
        cursor: more ? upTo : readToEnd(upTo, found),
      });
      writing = appended.then(() => {
        tally.recordsAdded += records.length;
      });
      // It is waited for below.
      writing.catch(() => undefined);
      folds.push(id, records, result.places);
      cursor = result.cursor;
      unnoted = 0;
      added += records.length;
    }
  } finally {
    await writing;
  }
  if (cursor && unnoted >= WORTH_NOTING && store.index.cursor(id)) {
    // The file ends within a long line: a later window need not read so far again.
    const { generation, records: first } = cursor;
    const place = readToEnd({ ...cursor, cwd: found.cwd }, found);
    const head = batchOf(id, source.agent, found);
    await store.appendRecords([], { ...head, generation, first, count: 0, cursor: place });
  }
  return { parser, cursor, wasWorking, added };
}

/** The parser as of just before the records that were read, folding what the vault holds if needed. */
function parserBefore(
  folds: ThreadFolds,
  id: string,
  before: Cursor | undefined,
  now: Cursor,
  restarted: { readonly reused: number } | undefined,
): Promise<ThreadParser | undefined> {
  if (!restarted) return folds.upTo(id, now.generation, before?.records ?? 0);
  const from = { generation: before?.generation ?? 0, reused: restarted.reused };
  return folds.restart(id, from, now.generation);
}

const batchOf = (id: string, agent: string, { parent }: FoundThread) =>
  ({
    schemaVersion: 1,
    thread: id,
    parent: parent === undefined ? undefined : threadId(agent, parent),
  }) as const;
