import type {
  FindResult,
  FoundThread,
  Source,
  SourceQuery,
  ThreadParser,
} from '../agents/source.js';
import type { EngineEvents, Problem, ScanReport } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { threadId } from '../core/model/ids.js';
import type { ThreadSummary } from '../core/model/thread.js';
import { isWriteError } from '../vault/writeError.js';
import type { ExpectedChats } from './expectedChats.js';
import { FirstReading } from './firstReading.js';
import { summarize, ThreadFolds } from './folds.js';
import { notForgotten } from './forgottenThreads.js';
import { isEmptier, summarizeFullest } from './fullest.js';
import { keepRecords } from './keepRecords.js';
import type { KeptHeads } from './keptHeads.js';
import { inLanes } from './lanes.js';
import { SeenThreads } from './seenThreads.js';
import type { Store } from './store.js';
import { isThere } from './threadPresence.js';

export interface IngestOptions {
  readonly store: Store;
  readonly sources: readonly Source[];
  readonly query: (source: Source) => SourceQuery;
  /** Masks secrets in one record; undefined when the setting is off. */
  readonly redact: ((record: Uint8Array) => Uint8Array) | undefined;
  readonly heads: KeptHeads;
  readonly chats: ExpectedChats;
  /** What is said with every scan. */
  readonly problems: readonly Problem[];
  readonly events: Pick<EngineEvents, 'turnEnded' | 'activity' | 'reading'>;
}

/** What a source has for the window's folders. */
interface Found {
  readonly source: Source;
  readonly threads: FindResult['threads'];
}

/** Conversations that are read at a time, since one waits for the disk and for its compression. */
const LANES = 2;

interface Tally {
  filesLookedAt: number;
  threads: number;
  recordsAdded: number;
  notSaved: number;
  bytesRead: number;
  readonly problems: Problem[];
}

/**
 * Brings the agents' records into the vault: finds a folder's threads, reads each from where reading
 * stopped, and keeps their summaries. A scan costs new bytes only. Scans follow one another; a call
 * during one waits for the next.
 */
export class Ingest {
  private readonly foldsOf: (store: Store) => ThreadFolds;
  private readonly folds: ThreadFolds;
  private readonly seen = new SeenThreads();
  private readonly touched = new Set<string>();
  /** Threads that their agents' lists leave out, as of the last scan. */
  private readonly unlisted = new Set<string>();
  private queue: Promise<unknown> = Promise.resolve();
  private waiting: Promise<ScanReport> | undefined;
  private first = true;
  private readonly reading: FirstReading;

  constructor(private readonly options: IngestOptions) {
    this.reading = new FirstReading((progress) => options.events.reading?.(progress));
    const byAgent = new Map(options.sources.map((source) => [source.agent, source]));
    this.foldsOf = (store) =>
      new ThreadFolds(
        (agent) => byAgent.get(agent),
        (id, generation, records) => store.placedRecords(id, generation, records),
        () => store.epoch,
      );
    this.folds = this.foldsOf(options.store);
  }

  /** Threads that got records since this window opened. */
  get touchedThreads(): ReadonlySet<string> {
    return this.touched;
  }

  /** Whether everything that was there at the start has been read. */
  get caughtUp(): boolean {
    return !this.first;
  }

  /** Stops the first reading of everything; nothing is read until {@link resume}. */
  async pause(): Promise<void> {
    this.reading.pause();
    await this.queue;
  }

  get isPaused(): boolean {
    return this.reading.isPaused;
  }

  /** True when it was paused: it goes on with the next scan. */
  resume(): boolean {
    return this.reading.resume();
  }

  /** Rows, marked where the agent's own list leaves the thread out. */
  withListing(rows: readonly ThreadSummary[]): readonly ThreadSummary[] {
    const mark = (row: ThreadSummary): ThreadSummary =>
      row.state === 'live' && this.unlisted.has(row.id) ? { ...row, state: 'unlisted' } : row;
    return this.unlisted.size === 0 ? rows : rows.map(mark);
  }

  /** Folders worth watching, of all agents. */
  watchedFolders(): readonly string[] {
    const { sources: all, query } = this.options;
    return all.flatMap((source) => source.watch(query(source)));
  }

  /** Derives what the vault's records mean where the index does not know it: after a rebuild. */
  async summarizeMissing(signal?: AbortSignal, store = this.options.store): Promise<void> {
    const { index } = store;
    const folds = store === this.options.store ? this.folds : this.foldsOf(store);
    for (const head of index.threadsNeedingSummary()) {
      signal?.throwIfAborted();
      const summary = await summarizeFullest(index, folds, head);
      if (summary) index.putThreadSummary(summary);
    }
  }

  scan(): Promise<ScanReport> {
    this.waiting ??= this.queue.then(() => {
      this.waiting = undefined;
      return this.scanNow();
    });
    this.queue = this.waiting.catch(() => undefined);
    return this.waiting;
  }

  private async scanNow(): Promise<ScanReport> {
    const tally: Tally = {
      filesLookedAt: 0,
      threads: 0,
      recordsAdded: 0,
      notSaved: 0,
      bytesRead: 0,
      problems: [...this.options.problems],
    };
    const found: Found[] = [];
    this.reading.note(0, 0);
    await this.options.heads.restore();
    for (const source of this.options.sources) {
      // One agent's broken store must not hide the others.
      await this.telling(tally, source.name, async () => {
        found.push(await this.findIn(source, tally));
      });
    }
    await this.options.heads.save();
    const active = await this.readFound(found, tally);
    if (!this.reading.isPaused) {
      for (const { source, threads } of found) {
        await this.telling(tally, source.name, () => this.markGone(source, threads));
      }
      this.first = false;
      this.reading.finish();
    }
    if (active.length > 0) this.options.events.activity(active);
    return tally;
  }

  /** Says why something did not work. */
  private async telling(tally: Tally, where: string, run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      if (this.reading.signal?.aborted !== true) {
        tally.problems.push({ where, message: messageOf(error) });
        if (isWriteError(error)) tally.notSaved += 1;
      }
    }
  }

  private async findIn(source: Source, tally: Tally): Promise<Found> {
    const { filesLookedAt, threads, problems } = await source.find(this.options.query(source));
    tally.filesLookedAt += filesLookedAt;
    tally.threads += threads.length;
    tally.problems.push(...problems);
    return { source, threads };
  }

  /** Returns the ids of threads that got records. */
  private async readFound(found: readonly Found[], tally: Tally): Promise<readonly string[]> {
    const active: string[] = [];
    const forgotten = this.options.store.index.forgottenThreads();
    const all = found.flatMap(({ source, threads }) =>
      notForgotten(threads, source.agent, forgotten).map((thread) => ({ source, thread })),
    );
    let done = 0;
    await inLanes(all, LANES, async ({ source, thread }) => {
      if (this.reading.isPaused) return false;
      this.reading.note(done, all.length);
      await this.telling(tally, thread.path, async () => {
        const id = await this.readNews(source, thread, tally);
        if (id !== undefined) active.push(id);
      });
      done += 1;
      return true;
    });
    return active;
  }

  /** The thread's id when it got records. */
  private async readNews(
    source: Source,
    thread: FoundThread,
    tally: Tally,
  ): Promise<string | undefined> {
    const id = threadId(source.agent, thread.nativeId);
    if (thread.isUnlisted === true) this.unlisted.add(id);
    else this.unlisted.delete(id);
    if (await this.seen.has(id, thread, this.options.store.index.cursor(id))) {
      if (this.first) this.placeThread(id, thread.cwd);
      return undefined;
    }
    const hasNews = await this.readThread(source, thread, id, tally);
    this.seen.note(id, thread, this.options.store.index.cursor(id));
    return hasNews ? id : undefined;
  }

  private async readThread(
    source: Source,
    found: FoundThread,
    id: string,
    tally: Tally,
  ): Promise<boolean> {
    const { store } = this.options;
    const { epoch } = store;
    const { folds, reading } = this;
    const keptNow = await keepRecords(
      { ...this.options, folds },
      { source, found, id, reading },
      tally,
    );
    if (!keptNow) return false;
    const { parser, cursor, wasWorking, added } = keptNow;
    if (!parser || !cursor) {
      this.placeThread(id, found.cwd);
      return false;
    }
    if (store.epoch !== epoch) {
      // Something was taken out of the vault meanwhile, which the parser may know still.
      await this.summarizeMissing();
    } else if (!this.keepSummary(id, parser, cursor, found.cwd)) {
      tally.problems.push({
        where: cursor.path,
        message: "The agent's file holds less than before. The fuller copy is kept and shown.",
      });
    }
    await this.options.chats.arrived(store, id, cursor);
    this.touched.add(id);
    if (!this.first && !parser.working && (wasWorking || added > 0)) {
      this.options.events.turnEnded(id);
    }
    return true;
  }

  /** False when the fuller copy of before stays shown. */
  private keepSummary(
    id: string,
    parser: ThreadParser,
    { generation, records }: { readonly generation: number; readonly records: number },
    cwdInStore?: string,
  ): boolean {
    const { index } = this.options.store;
    const before = index.thread(id);
    const thread = parser.thread({ turns: false });
    const placed = { ...thread, cwd: thread.cwd ?? cwdInStore ?? before?.cwd };
    const summary = summarize(id, placed, {
      generation,
      records,
      bytes: before?.bytes ?? 0,
      working: parser.working,
      state: 'live',
    });
    if (before && isEmptier(summary, before)) return false;
    index.putThreadSummary(summary);
    return true;
  }

  /** Versions before this one did not write down the folder that only the agent's store knows. */
  private placeThread(id: string, cwd: string | undefined): void {
    const { index } = this.options.store;
    const summary = cwd === undefined ? undefined : index.thread(id);
    if (summary && summary.cwd === undefined) index.putThreadSummary({ ...summary, cwd });
  }

  /** Threads that are not there any more stay, marked; one that is back is live again. */
  private async markGone(source: Source, found: readonly FoundThread[]): Promise<void> {
    const { store } = this.options;
    const present = new Set(found.map(({ nativeId }) => threadId(source.agent, nativeId)));
    for (const { id, path, state } of store.index.threadPaths(source.agent)) {
      const there = present.has(id) || (await isThere(source, id, path));
      const now = there ? 'live' : 'gone';
      if (now !== state) {
        await store.appendThreadEvent({ schemaVersion: 1, thread: id, at: Date.now(), state: now });
      }
    }
  }
}
