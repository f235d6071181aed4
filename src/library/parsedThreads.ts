import { sourceOf } from '../agents/registry.js';
import type { ParserOptions } from '../agents/source.js';
import { ExpectedError } from '../core/errors.js';
import { idInRecords, splitThreadId } from '../core/model/ids.js';
import type { Thread } from '../core/model/thread.js';
import type { Store } from './store.js';

/** Bytes of the records whose meaning is kept. */
const mostBytes = 96 * 1024 * 1024;

interface Parsed {
  /** Of which records it is the meaning. */
  readonly stamp: string;
  readonly thread: Promise<Thread>;
  /** Of its records; 0 until they are read. */
  bytes: number;
}

/**
 * What threads of the vault mean. The last few stay at hand: a page of a document, the changes of a
 * call and each image of a long thread are questions of their own, and all its records would be read
 * for each.
 */
export class ParsedThreads {
  /** The least recently used one comes first. */
  private readonly kept = new Map<string, Parsed>();

  constructor(private readonly limit: number = mostBytes) {}

  /** @throws ExpectedError `threadMissing` */
  async read(
    store: Store,
    threadId: string,
    { leaf, images = false }: Pick<ParserOptions, 'leaf' | 'images'> = {},
  ): Promise<Thread> {
    const summary = store.index.thread(threadId);
    if (!summary) throw threadMissing(threadId);
    const key = JSON.stringify([threadId, leaf ?? null, images]);
    const stamp = [store.epoch, summary.generation, summary.records].join(' ');
    const known = this.kept.get(key);
    this.kept.delete(key);
    if (known?.stamp === stamp) {
      this.kept.set(key, known);
      return known.thread;
    }
    const parsed: Parsed = {
      stamp,
      bytes: 0,
      thread: parse(store, threadId, summary, { leaf, images }, (bytes) => {
        parsed.bytes += bytes;
      }),
    };
    this.kept.set(key, parsed);
    try {
      return await parsed.thread;
    } catch (error) {
      if (this.kept.get(key) === parsed) this.kept.delete(key);
      throw error;
    } finally {
      this.forgetOldest();
    }
  }

  private forgetOldest(): void {
    let bytes = [...this.kept.values()].reduce((sum, parsed) => sum + parsed.bytes, 0);
    for (const [key, parsed] of this.kept) {
      if (bytes <= this.limit) return;
      this.kept.delete(key);
      bytes -= parsed.bytes;
    }
  }
}

async function parse(
  store: Store,
  threadId: string,
  { generation, records }: { readonly generation: number; readonly records: number },
  options: ParserOptions,
  onBytes: (bytes: number) => void,
): Promise<Thread> {
  const { agent, nativeId } = splitThreadId(threadId);
  const parser = sourceOf(agent)?.parser(idInRecords(nativeId), options);
  if (parser === undefined) throw threadMissing(threadId);
  for await (const { record, place } of store.placedRecords(threadId, generation, records)) {
    parser.push(record, place);
    onBytes(record.length);
  }
  return parser.thread();
}

const threadMissing = (threadId: string): ExpectedError =>
  new ExpectedError('threadMissing', 'There is no conversation {0} in this project.', [threadId]);
