import type { RecordPlace, Source, ThreadParser } from '../agents/source.js';
import type { Thread, ThreadSummary } from '../core/model/thread.js';
import { idInRecords, splitThreadId } from '../core/model/ids.js';
import type { PlacedRecord } from '../vault/recordPlaces.js';

/** A thread's parser, fed up to `records` of `generation`. */
interface Fold {
  readonly parser: ThreadParser;
  readonly epoch: number;
  readonly generation: number;
  records: number;
}

/** The first `records` records of one generation, in order. */
export type ReadRecords = (
  threadId: string,
  generation: number,
  records: number,
) => AsyncIterable<PlacedRecord>;

/** Folds that are kept; a thread that nobody writes to any more is folded again when it is needed. */
const KEPT = 16;

/**
 * The parsers of threads that are being written to, so that a new record costs its own bytes and not
 * the whole thread's. The least recently used one is forgotten.
 */
export class ThreadFolds {
  private readonly folds = new Map<string, Fold>();

  constructor(
    private readonly source: (agent: string) => Source | undefined,
    private readonly readRecords: ReadRecords,
    /** Another number than before: records may have been taken out or changed, and folds know them still. */
    private readonly epoch: () => number = () => 0,
  ) {}

  /**
   * A parser that has seen the first `records` records of the generation; reads them from the vault
   * if it is not at hand. Undefined for an agent that this version does not know.
   */
  async upTo(
    threadId: string,
    generation: number,
    records: number,
  ): Promise<ThreadParser | undefined> {
    const known = this.folds.get(threadId);
    const isCurrent = known?.epoch === this.epoch() && known.generation === generation;
    if (isCurrent && known.records === records) {
      this.keep(threadId, known);
      return known.parser;
    }
    return this.begin(threadId, { generation, records }, generation);
  }

  /**
   * A parser for a new generation that begins with the first `reused` records of the one before; the
   * vault holds them under that one until the new generation's first batch is written.
   */
  restart(
    threadId: string,
    before: { readonly generation: number; readonly reused: number },
    generation: number,
  ): Promise<ThreadParser | undefined> {
    const from = { generation: before.generation, records: before.reused };
    return this.begin(threadId, from, generation);
  }

  /** Feeds new records to the parser that {@link upTo} gave. */
  push(
    threadId: string,
    records: readonly Uint8Array[],
    places: readonly RecordPlace[] = [],
  ): void {
    const fold = this.folds.get(threadId);
    if (!fold) return;
    for (const [at, record] of records.entries()) fold.parser.push(record, places[at]);
    fold.records += records.length;
  }

  private async begin(
    threadId: string,
    from: { readonly generation: number; readonly records: number },
    generation: number,
  ): Promise<ThreadParser | undefined> {
    const epoch = this.epoch();
    const { agent, nativeId } = splitThreadId(threadId);
    const parser = this.source(agent)?.parser(idInRecords(nativeId), { turns: false });
    if (!parser) return undefined;
    const records = this.readRecords(threadId, from.generation, from.records);
    for await (const { record, place } of records) {
      parser.push(record, place);
    }
    this.keep(threadId, { parser, epoch, generation, records: from.records });
    return parser;
  }

  private keep(threadId: string, fold: Fold): void {
    this.folds.delete(threadId);
    this.folds.set(threadId, fold);
    const oldest = this.folds.size > KEPT ? this.folds.keys().next().value : undefined;
    if (oldest !== undefined) this.folds.delete(oldest);
  }
}

/** The list row of a thread. */
export function summarize(
  threadId: string,
  thread: Thread,
  at: {
    readonly generation: number;
    readonly records: number;
    readonly bytes: number;
    readonly working: boolean;
    readonly state: ThreadSummary['state'];
  },
): ThreadSummary {
  const { counts } = thread;
  return {
    id: threadId,
    agent: thread.agent,
    nativeId: thread.nativeId,
    title: thread.title ?? counts.firstPrompt ?? thread.nativeId,
    cwd: thread.cwd,
    branch: thread.branch,
    parent: thread.parent,
    version: thread.version,
    turns: counts.userTurns,
    messages: counts.assistantMessages,
    firstAt: counts.firstAt,
    lastAt: counts.lastAt,
    firstPrompt: counts.firstPrompt,
    lastPrompt: counts.lastPrompt,
    openTodos: thread.todos.filter((todo) => todo.state !== 'done').map((todo) => todo.text),
    skipped: thread.skipped.length,
    ...at,
  };
}
