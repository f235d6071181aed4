import { setImmediate } from 'node:timers/promises';
import type { Problem } from '../../core/engine.js';
import { messageOf } from '../../core/errors.js';
import { bothFilters } from '../../core/search/filters.js';
import type { Query } from '../../core/search/query.js';
import { parseQuery } from '../../core/search/query.js';
import type { SearchHit, SearchOptions, SearchResult } from '../../core/search/types.js';
import { buildImages } from './imageBuilder.js';
import { mergeSmall } from './mergeImages.js';
import { SessionTexts } from './names.js';
import type { LoadedImage } from './rowSearch.js';
import { searchRows } from './rowSearch.js';
import { Scope } from './scope.js';
import { Searchable, type SearcherOptions, type State } from './searchable.js';
import { titleHits } from './titles.js';
import type { Pending } from './tail.js';

const usualLimit = 50;
/** Of a search, so many hits may be sessions and titles. */
const NAMES = 10;
/** Records that are read for one search, in bytes, beyond what images hold. */
const TAIL = { typing: 8 * 2 ** 20, asked: 64 * 2 ** 20 };
/** Images stay loaded up to so many bytes. */
const LOADED = 64 * 2 ** 20;
/** Somebody who types sees what was there so long ago at the most, in milliseconds. */
const FRESH_MS = 1_000;
/** A builder waits so long after a search, in milliseconds. */
const QUIET_MS = 500;

/** Searches a window's projects, and builds what makes that fast. */
export class Searcher {
  private readonly searchable: Searchable;
  private readonly sessionTexts = new SessionTexts();
  private queue: Promise<unknown> = Promise.resolve();
  /** Number of the newest search of somebody who types. */
  private typed = 0;
  private lastSearch = -Infinity;
  private searching = 0;
  private closed = false;

  constructor(private readonly options: SearcherOptions) {
    this.searchable = new Searchable(options);
  }

  /** Never rejects for what was typed: advice says what is wrong with it. */
  async search(text: string, options: SearchOptions = {}): Promise<SearchResult> {
    const asYouType = options.asYouType ?? false;
    const number = asYouType ? (this.typed += 1) : 0;
    const isSuperseded = (): boolean => this.closed || (asYouType && number !== this.typed);
    const parsed = parseQuery(text, { asYouType, now: Date.now() });
    const query = { ...parsed, filters: bothFilters(options, parsed.filters) };
    if (query.advice.length > 0) return { ...nothing, advice: query.advice };
    if (query.needles.length === 0 && !hasFilter(query)) return nothing;
    this.searching += 1;
    try {
      return await this.exclusive(async () => {
        if (isSuperseded()) return { ...nothing, superseded: true };
        return this.run(query, { ...options, asYouType }, isSuperseded);
      });
    } finally {
      this.searching -= 1;
      this.lastSearch = performance.now();
    }
  }

  /** Bytes of records, about, that no image holds. */
  async pendingBytes(): Promise<number> {
    const { pending } = await this.exclusive(() => this.searchable.look());
    return pending.reduce((sum, one) => sum + bytesOf(one), 0);
  }

  /**
   * Writes images of what none holds yet, and makes one of many small ones. Stops while somebody searches.
   *
   * @returns what could not be read
   * @throws ExpectedError `locked` when another process builds; `diskFull`, `notWritable` or `writeFailed`
   */
  async build(
    options: {
      readonly waitMs?: number;
      readonly signal?: AbortSignal | undefined;
      readonly onProgress?: (done: number, all: number) => void;
    } = {},
  ): Promise<readonly Problem[]> {
    const { waitMs = 0, signal, onProgress } = options;
    const pause = (): Promise<void> => this.pause(signal);
    const { pending } = await this.exclusive(() => this.searchable.look());
    const { store } = this.options;
    const sql = await this.searchable.loadSql();
    const problems: Problem[] = [];
    for (const { place, images } of await this.searchable.open()) {
      const own = pending.filter(({ thread }) => this.searchable.isIn(thread, place));
      const isOurs = (pack: string): boolean => this.searchable.hasPack(pack);
      const remove = (name: string): Promise<void> => this.exclusive(() => images.remove(name));
      const shared = {
        ...{ store, folder: images, sql, hasPack: isOurs, waitMs, pause, problems, remove },
      };
      if (own.length > 0) await buildImages(own, { ...shared, onProgress });
      const { covered } = await this.exclusive(() => this.searchable.look());
      await mergeSmall(covered, shared);
    }
    return problems;
  }

  /** Lets go of the memory; the next search loads it again. */
  async release(): Promise<void> {
    if (performance.now() - this.lastSearch < QUIET_MS) return;
    await this.exclusive(() => this.searchable.release());
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.exclusive(() => this.searchable.release());
  }

  private async run(
    query: Query,
    options: SearchOptions & { readonly asYouType: boolean },
    isSuperseded: () => boolean,
  ): Promise<SearchResult> {
    const { asYouType, thorough = false, limit = usualLimit } = options;
    const isHurried = asYouType && !thorough;
    const { searchable } = this;
    const state = await (asYouType ? searchable.recent(FRESH_MS) : searchable.look());
    const problems = [...state.problems];
    const onProblem = (where: string, error: unknown): number =>
      problems.push({ where, message: messageOf(error) });
    const left = await searchable.tail.update(
      this.options.store,
      state.pending,
      this.tailBytes(isHurried),
      () => setImmediate(),
      onProblem,
    );
    const images = await searchable.loadImages(state);
    const scope = this.scope(state, query, options, images);
    const names = [
      ...this.sessionTexts.search(
        state.facts.sessions.values(),
        query.needles,
        query.filters,
        ({ workspace }) => scope.holds(workspace),
      ),
      ...titleHits(state.facts.threads.values(), scope, query),
    ];
    const damaged = new Set<string>();
    const onDamage = (image: string, error: unknown): void => {
      damaged.add(image);
      onProblem(image, error);
    };
    const rows = await searchRows({
      ...{ query, scope, images, tail: searchable.tail.read, blocks: searchable.blocks },
      ...{ limit, isHurried, isSuperseded, onProblem: onDamage },
    });
    if (await searchable.drop(damaged)) {
      // What was in them is looked through as it is.
      const again = await this.run(query, options, isSuperseded);
      return { ...again, problems: [...problems, ...again.problems] };
    }
    if (isSuperseded()) return { ...nothing, superseded: true };
    await searchable.release(LOADED);
    const hits = combine(names, rows.hits);
    return {
      hits: hits.slice(0, limit),
      more: hits.length > limit,
      complete: rows.complete,
      advice: [],
      pending: { threads: left.length, bytes: left.reduce((sum, { bytes }) => sum + bytes, 0) },
      problems,
      superseded: false,
    };
  }

  private scope(
    { facts }: State,
    { filters }: Query,
    options: SearchOptions,
    images: readonly LoadedImage[],
  ): Scope {
    const known = new Map<string, { title?: string; cwd?: string; branch?: string }>();
    for (const { image, counts } of images) {
      for (const [number, thread] of image.threads.entries()) {
        if (counts(number)) known.set(thread.id, withoutAbsent(thread));
      }
    }
    for (const [id, thread] of this.searchable.tail.read) {
      known.set(id, { ...known.get(id), ...withoutAbsent(thread) });
    }
    const folders = options.folders ?? this.options.folders;
    return new Scope(facts, filters, folders, (id) => known.get(id) ?? {});
  }

  private tailBytes(isHurried: boolean): number {
    if (this.options.thorough) return Infinity;
    return isHurried ? TAIL.typing : TAIL.asked;
  }

  private async pause(signal: AbortSignal | undefined): Promise<void> {
    do {
      await setImmediate();
      signal?.throwIfAborted();
    } while (this.searching > 0 && (await this.untilIdle()));
  }

  private async untilIdle(): Promise<boolean> {
    await this.queue.catch(() => undefined);
    return true;
  }

  /** One at a time: images may go while they are searched otherwise. */
  private exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.queue.then(work);
    this.queue = done.catch(() => undefined);
    return done;
  }
}

const nothing: SearchResult = {
  hits: [],
  more: false,
  complete: true,
  advice: [],
  pending: { threads: 0, bytes: 0 },
  problems: [],
  superseded: false,
};

const hasFilter = ({ filters }: Query): boolean =>
  Object.entries(filters).some(([name, value]) => name !== 'in' && value !== undefined);

/** Sessions and titles first; a conversation that is found by what was said needs no title. */
function combine(names: readonly SearchHit[], rows: readonly SearchHit[]): readonly SearchHit[] {
  const found = new Set(rows.map(({ threadId }) => threadId));
  const telling = names.filter(({ kind, threadId }) => kind === 'session' || !found.has(threadId));
  return [...telling.slice(0, NAMES), ...rows, ...telling.slice(NAMES)];
}

const bytesOf = ({ thread, covered }: Pending): number =>
  thread.bytes * (1 - Math.min(1, (covered?.records ?? 0) / Math.max(1, thread.records)));

/** A value that is not known hides none that is. */
const withoutAbsent = ({
  title,
  cwd,
  branch,
}: {
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
}): { title?: string; cwd?: string; branch?: string } => ({
  ...(title === undefined ? {} : { title }),
  ...(cwd === undefined ? {} : { cwd }),
  ...(branch === undefined ? {} : { branch }),
});
