import type { SqlJsStatic } from 'sql.js';
import { sourceOf } from '../../agents/registry.js';
import type { Problem } from '../../core/engine.js';
import { splitThreadId } from '../../core/model/ids.js';
import type { Covered } from '../../vault/search/coverage.js';
import { coverageOf } from '../../vault/search/coverage.js';
import type { SearchFacts, ThreadFacts } from '../../vault/search/facts.js';
import { ImageFolder, imagesOf } from '../../vault/search/imageFolder.js';
import { loadSql } from '../../vault/sqlite.js';
import type { Store, VaultPlace } from '../store.js';
import { Blocks } from './blocks.js';
import { describeSessions } from './describe.js';
import { packsOf } from './readRows.js';
import type { LoadedImage } from './rowSearch.js';
import type { Pending } from './tail.js';
import { Tail } from './tail.js';

/** Snapshots that are read for one search because their files are not known. */
const DESCRIBED = 50;

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
export interface State {
  readonly revision: number;
  readonly at: number;
  readonly facts: SearchFacts;
  readonly covered: ReadonlyMap<string, Covered>;
  readonly pending: readonly Pending[];
  readonly problems: readonly Problem[];
}

/** What a window's projects hold to be searched: images of their packs, and what none holds yet. For one at a time. */
export class Searchable {
  /** What was read of records that no image holds. */
  readonly tail = new Tail();
  readonly blocks = new Blocks();
  private projects: Promise<readonly Project[]> | undefined;
  private sql: Promise<SqlJsStatic> | undefined;
  private state: State | undefined;
  private readonly described = new Set<string>();
  private epoch: number;

  constructor(private readonly options: SearcherOptions) {
    this.epoch = options.store.epoch;
  }

  /** What there was so long ago at the most, in milliseconds. */
  async recent(ageMs: number): Promise<State> {
    const isFresh = performance.now() - (this.state?.at ?? -Infinity) < ageMs;
    const isCurrent = isFresh && this.epoch === this.options.store.epoch;
    return this.state && isCurrent ? this.state : this.look();
  }

  /** Finds out what there is. */
  async look(): Promise<State> {
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

  /** Images that hold something which is to be searched there. */
  async loadImages({ covered }: State): Promise<readonly LoadedImage[]> {
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

  /** Removes images that are damaged, to be made again; false when there was nothing to remove. */
  async drop(names: ReadonlySet<string>): Promise<boolean> {
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

  /** Lets images go until the rest takes so many bytes; with 0 all that is in memory. */
  async release(bytes = 0): Promise<void> {
    if (bytes === 0) this.blocks.clear();
    for (const { images } of (await this.projects) ?? []) await images.release(bytes);
  }

  hasPack(pack: string): boolean {
    return this.options.store.places.some((place) => place.has(pack));
  }

  /** Whether a conversation's image belongs with this project's packs. */
  isIn(thread: ThreadFacts, place: VaultPlace): boolean {
    const [first] = packsOf(this.options.store, thread);
    return first !== undefined && place.has(first);
  }

  open(): Promise<readonly Project[]> {
    this.projects ??= this.loadSql().then((sql) =>
      this.options.store.places.map((place) => ({
        place,
        images: new ImageFolder(imagesOf(place.folder), sql),
      })),
    );
    return this.projects;
  }

  loadSql(): Promise<SqlJsStatic> {
    this.sql ??= loadSql(this.options.wasm);
    return this.sql;
  }

  private async readFacts(): Promise<SearchFacts> {
    const { store, thorough } = this.options;
    if (this.state?.revision === store.index.revision) return this.state.facts;
    const facts = store.index.searchFacts();
    const most = thorough ? Infinity : DESCRIBED;
    const isChanged = await describeSessions(store, facts, this.described, most);
    return isChanged ? store.index.searchFacts() : facts;
  }
}
