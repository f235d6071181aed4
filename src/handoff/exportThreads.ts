import { createHash } from 'node:crypto';
import type { ThreadSummary } from '../core/model/thread.js';
import type { AgentRecord, RecordsEntry, ThreadEntry } from './schemas.js';
import type { Sharing } from './sharing.js';
import type { SessionSource } from './source.js';
import { blobEntries } from './blobs.js';
import type { Wanted } from './selection.js';

/** A run of records is closed once it has so many bytes. */
const RUN = 256 * 1024;
/** A longer record travels as a blob: escaped, it could be too long for a line. */
const LONG_RECORD = 2 * 1024 * 1024;

/** Counts what went. */
export interface ThreadTally {
  threads: number;
  records: number;
}

/**
 * What the threads are called in the file, by their ids here: an agent may name a conversation after a path.
 * No two are called the same.
 */
export function threadNames(
  threads: readonly ThreadSummary[],
  sharing: Sharing,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  for (const { id } of threads) {
    const shared = sharing.value(id) as string;
    let name = shared;
    for (let number = 2; taken.has(name); number += 1) name = `${shared}#${number}`;
    taken.add(name);
    names.set(id, name);
  }
  return names;
}

export interface ThreadSharing {
  readonly source: SessionSource;
  readonly sharing: Sharing;
  readonly names: ReadonlyMap<string, string>;
  readonly tally: ThreadTally;
}

/** A thread's head and its records, run by run, each as it may be shared. */
export async function* threadEntries(
  thread: ThreadSummary,
  wanted: readonly Wanted[],
  { source, sharing, names, tally }: ThreadSharing,
): AsyncGenerator<object, void, undefined> {
  const { id, parent, title, turns, messages, firstAt, lastAt } = thread;
  const name = names.get(id) ?? id;
  // The name has been looked at, and must be the same wherever it stands.
  const ids = { id: name, parent: parent && names.get(parent) };
  const entry: ThreadEntry = {
    kind: 'thread',
    ...ids,
    generations: wanted.map(({ generation, records }) => ({ generation, records })),
    title,
    turns,
    messages,
    firstAt,
    lastAt,
  };
  yield { ...(sharing.value(entry) as ThreadEntry), ...ids };
  tally.threads += 1;
  for (const { generation, records } of wanted) {
    const run = new Run(name, generation);
    for await (const record of source.records(id, generation, records)) {
      const shared = sharing.record(record);
      if (shared.length > LONG_RECORD) {
        const blob = createHash('sha256').update(shared).digest('hex');
        yield* blobEntries(blob, shared, true);
        run.add({ blob }, shared.length);
      } else {
        run.add(agentRecord(shared), shared.length);
      }
      if (run.size >= RUN) yield run.take();
    }
    if (run.count > 0) yield run.take();
    tally.records += run.total;
  }
}

/** Records that follow one another. */
class Run {
  size = 0;
  private records: AgentRecord[] = [];
  private first = 0;

  constructor(
    private readonly thread: string,
    private readonly generation: number,
  ) {}

  get count(): number {
    return this.records.length;
  }

  get total(): number {
    return this.first + this.records.length;
  }

  add(record: AgentRecord, size: number): void {
    this.records.push(record);
    this.size += size;
  }

  take(): RecordsEntry {
    const { thread, generation, first, records } = this;
    this.first += records.length;
    this.records = [];
    this.size = 0;
    return { kind: 'records', thread, generation, first, records };
  }
}

/** As text where its bytes are UTF-8, which nearly all are. */
function agentRecord(bytes: Uint8Array): AgentRecord {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8');
  const isText = !text.includes('\ufffd') || Buffer.from(text).equals(buffer);
  return isText ? text : { base64: buffer.toString('base64') };
}
