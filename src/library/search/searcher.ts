import { setImmediate } from 'node:timers/promises';
import type { SqlJsStatic } from 'sql.js';
import { sourceOf } from '../../agents/registry.js';
import type { Problem } from '../../core/engine.js';
import { messageOf } from '../../core/errors.js';
import { splitThreadId } from '../../core/model/ids.js';
import { bothFilters } from '../../core/search/filters.js';
import type { Query } from '../../core/search/query.js';
import { parseQuery } from '../../core/search/query.js';
import type { SearchHit, SearchOptions, SearchResult } from '../../core/search/types.js';
import type { Covered } from '../../vault/search/coverage.js';
import { coverageOf } from '../../vault/search/coverage.js';
import type { SearchFacts, ThreadFacts } from '../../vault/search/facts.js';
import { ImageFolder, imagesOf } from '../../vault/search/imageFolder.js';
import { loadSql } from '../../vault/sqlite.js';
import type { Store, VaultPlace } from '../store.js';
import { Blocks } from './blocks.js';
import { describeSessions } from './describe.js';
import { buildImages } from './imageBuilder.js';
import { mergeSmall } from './mergeImages.js';
import { SessionTexts } from './names.js';
import { packsOf } from './readRows.js';
import type { LoadedImage } from './rowSearch.js';
import { searchRows } from './rowSearch.js';
import { Scope } from './scope.js';
import { titleHits } from './titles.js';
import type { Pending } from './tail.js';
import { Tail } from './tail.js';

const usualLimit = 50;
/** Of a search, so many hits may be sessions and titles. */
const NAMES = 10;
/** Records that are read for one search, in bytes, beyond what images hold. */
const TAIL = { typing: 8 * 2 ** 20, asked: 64 * 2 ** 20 };
/** Snapshots that are read for one search because their files are not known. */
const DESCRIBED = 50;
/** Images stay loaded up to so many bytes. */
const LOADED = 64 * 2 ** 20;
/** Somebody who types sees what was there so long ago at the most, in milliseconds. */
const FRESH_MS = 1_000;
/** A builder waits so long after a search, in milliseconds. */
const QUIET_MS = 500;

export interface SearcherOptions {
  readonly store: Store;
  readonly wasm: Uint8Array | string;
  /** Whether images may be written. */
  readonly mayWrite: boolean;
  /** Folders that `in:folder` means, by path or URI. */
  readonly folders: readonly string[];
  /** Everything is looked at, however long it takes. */
  readonly thorough?: boolean;
}

interface Project {
  readonly place: VaultPlace;
  readonly images: ImageFolder;
}

/** What there is to be searched. */
interface State {
  readonly revision: number;
  readonly at: number;
  readonly facts: SearchFacts;
  readonly covered: ReadonlyMap<string, Covered>;
  readonly pending: readonly Pending[];
  readonly problems: readonly Problem[];
}

/** Searches a window's projects, and builds what makes that fast. */
export class Searcher {
  private projects: Promise<readonly Project[]> | undefined;
  private sql: Promise<SqlJsStatic> | undefined;
  private state: State | undefined;
  private readonly tail = new Tail();
  private readonly blocks = new Blocks();
  private readonly sessionTexts = new SessionTexts();
  private queue: Promise<unknown> = Promise.resolve();
  /** Number of the newest search of somebody who types. */
  private typed = 0;
  private lastSearch = -Infinity;
  private searching = 0;
  private readonly described = new Set<string>();
  private epoch: number;
  private closed = false;

  constructor(private readonly options: SearcherOptions) {
    this.epoch = options.store.epoch;
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
    const { pending } = await this.exclusive(() => this.look());
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
    const { pending } = await this.exclusive(() => this.look());
    const { store } = this.options;
    const sql = await this.loadSql();
    const problems: Problem[] = [];
    for (const { place, images } of await this.open()) {
      const own = pending.filter(({ thread }) => this.isIn(thread, place));
      const isOurs = (pack: string): boolean => this.hasPack(pack);
      const remove = (name: string): Promise<void> => this.exclusive(() => images.remove(name));
      const shared = {
        ...{ store, folder: images, sql, hasPack: isOurs, waitMs, pause, problems, remove },
      };
      if (own.length > 0) await buildImages(own, { ...shared, onProgress });
      const { covered } = await this.exclusive(() => this.look());
      await mergeSmall(covered, shared);
    }
    return problems;
  }

  /** Lets go of the memory; the next search loads it again. */
  async release(): Promise<void> {
    if (performance.now() - this.lastSearch < QUIET_MS) return;
    await this.exclusive(async () => {
      this.blocks.clear();
      for (const { images } of (await this.projects) ?? []) await images.release(0);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.exclusive(async () => {
      for (const { images } of (await this.projects) ?? []) await images.release(0);
    });
  }

  private async run(
    query: Query,
    options: SearchOptions & { readonly asYouType: boolean },
    isSuperseded: () => boolean,
  ): Promise<SearchResult> {
    const { asYouType, thorough = false, limit = usualLimit } = options;
    const isHurried = asYouType && !thorough;
    const isFresh = performance.now() - (this.state?.at ?? -Infinity) < FRESH_MS;
    const state =
      this.state && asYouType && isFresh && this.epoch === this.options.store.epoch
        ? this.state
        : await this.look();
    const problems = [...state.problems];
    const onProblem = (where: string, error: unknown): number =>
      problems.push({ where, message: messageOf(error) });
    const left = await this.tail.update(
      this.options.store,
      state.pending,
      this.tailBytes(isHurried),
      () => setImmediate(),
      onProblem,
    );
    const images = await this.loadImages(state);
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
      ...{ query, scope, images, tail: this.tail.read, blocks: this.blocks },
      ...{ limit, isHurried, isSuperseded, onProblem: onDamage },
    });
    if (await this.drop(damaged)) {
      // What was in them is looked through as it is.
      const again = await this.run(query, options, isSuperseded);
      return { ...again, problems: [...problems, ...again.problems] };
    }
    if (isSuperseded()) return { ...nothing, superseded: true };
    for (const { images: folder } of await this.open()) await folder.release(LOADED);
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

  /** Removes images that are damaged, to be made again; false when there was nothing to remove. */
  private async drop(names: ReadonlySet<string>): Promise<boolean> {
    let isDropped = false;
    for (const { images } of this.options.mayWrite ? await this.open() : []) {
      for (const { name } of images.entries.filter((entry) => names.has(entry.name))) {
        await images.remove(name);
        isDropped = true;
      }
    }
    if (isDropped) this.state = undefined;
    return isDropped;
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
    for (const [id, thread] of this.tail.read) {
      known.set(id, { ...known.get(id), ...withoutAbsent(thread) });
    }
    const folders = options.folders ?? this.options.folders;
    return new Scope(facts, filters, folders, (id) => known.get(id) ?? {});
  }

  private tailBytes(isHurried: boolean): number {
    if (this.options.thorough) return Infinity;
    return isHurried ? TAIL.typing : TAIL.asked;
  }

  /** Finds out what there is. */
  private async look(): Promise<State> {
    const { store, mayWrite } = this.options;
    const projects = await this.open();
    if (store.epoch !== this.epoch) {
      // Something was taken out of a vault: it must not be found in memory either.
      this.epoch = store.epoch;
      this.tail.clear();
      this.blocks.clear();
    }
    const problems: Problem[] = [];
    for (const { place, images } of projects) {
      const isSafe = mayWrite && place.isListed;
      problems.push(...(await images.look((pack) => this.hasPack(pack), isSafe)));
    }
    const facts = await this.readFacts();
    const revision = store.index.revision;
    const entries = projects.flatMap(({ images }) => images.entries);
    const covered = coverageOf(entries, (id) => facts.threads.get(id)?.generation);
    const pending = [...facts.threads.values()]
      .filter(({ id, records }) => {
        const isKnown = sourceOf(splitThreadId(id).agent) !== undefined;
        return isKnown && covered.get(id)?.records !== records;
      })
      .sort((a, b) => (b.at ?? 0) - (a.at ?? 0))
      .map((thread) => ({ thread, covered: covered.get(thread.id) }));
    this.state = { revision, at: performance.now(), facts, covered, pending, problems };
    return this.state;
  }

  private async readFacts(): Promise<SearchFacts> {
    const { store, thorough } = this.options;
    if (this.state?.revision === store.index.revision) return this.state.facts;
    const facts = store.index.searchFacts();
    const most = thorough ? Infinity : DESCRIBED;
    const isChanged = await describeSessions(store, facts, this.described, most);
    return isChanged ? store.index.searchFacts() : facts;
  }

  private async loadImages({ covered }: State): Promise<readonly LoadedImage[]> {
    const counting = new Map<string, Set<number>>();
    for (const [id, { parts }] of covered) {
      if (this.tail.read.get(id)?.isWhole) continue;
      for (const { image, thread } of parts) {
        const threads = counting.get(image) ?? new Set();
        counting.set(image, threads.add(thread));
      }
    }
    const loaded: LoadedImage[] = [];
    for (const { images } of await this.open()) {
      for (const { name } of images.entries) {
        const threads = counting.get(name);
        const image = threads && (await images.image(name));
        if (image) loaded.push({ name, image, counts: (thread) => threads.has(thread) });
      }
    }
    return loaded;
  }

  private hasPack(pack: string): boolean {
    return this.options.store.places.some((place) => place.has(pack));
  }

  /** Whether a conversation's image belongs with this project's packs. */
  private isIn(thread: ThreadFacts, place: VaultPlace): boolean {
    const [first] = packsOf(this.options.store, thread);
    return first !== undefined && place.has(first);
  }

  private open(): Promise<readonly Project[]> {
    this.projects ??= this.loadSql().then((sql) =>
      this.options.store.places.map((place) => ({
        place,
        images: new ImageFolder(imagesOf(place.folder), sql),
      })),
    );
    return this.projects;
  }

  private loadSql(): Promise<SqlJsStatic> {
    this.sql ??= loadSql(this.options.wasm);
    return this.sql;
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
