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

/** A thread's head and its records, run by run, each as it may be shared. */
export async function* threadEntries(
  source: SessionSource,
  thread: ThreadSummary,
  wanted: readonly Wanted[],
  sharing: Sharing,
  tally: ThreadTally,
): AsyncGenerator<object, void, undefined> {
  const { id, parent, title, turns, messages, firstAt, lastAt } = thread;
  const entry: ThreadEntry = {
    kind: 'thread',
    id,
    parent,
    generations: wanted.map(({ generation, records }) => ({ generation, records })),
    title,
    turns,
    messages,
    firstAt,
    lastAt,
  };
  yield sharing.value(entry) as ThreadEntry;
  tally.threads += 1;
  for (const { generation, records } of wanted) {
    const run = new Run(id, generation);
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
