import type { OpenRequest, Problem } from '../../core/engine.js';
import { isExpected, messageOf } from '../../core/errors.js';
import type { SearchOptions, SearchResult } from '../../core/search/types.js';
import type { Project } from '../openProject.js';
import { Searcher } from './searcher.js';

/** When images are built. */
export interface BuildRhythm {
  /** After something changed, in milliseconds: agents write in bursts. */
  readonly afterMs: number;
  /** Bytes of records that no image holds, before building is worth the while; so much is looked through quickly. */
  readonly fromBytes: number;
}

export const usualBuilds: BuildRhythm = { afterMs: 20_000, fromBytes: 512 * 1024 };

/** Memory is let go of when nobody has searched for so long, in milliseconds. */
const IDLE_MS = 60_000;

/** A window's search: answers, and keeps images up to date behind everything else. */
export class ProjectSearch {
  private readonly searcher: Searcher;
  private buildTimer: NodeJS.Timeout | undefined;
  private idleTimer: NodeJS.Timeout | undefined;
  private building: Promise<void> = Promise.resolve();
  private readonly stopping = new AbortController();
  private readonly builds: boolean;

  constructor(
    request: OpenRequest,
    { store, folders }: Pick<Project, 'store' | 'folders'>,
    private readonly options: {
      readonly wasm: string;
      readonly rhythm: BuildRhythm;
      readonly onProblem: (problem: Problem) => void;
    },
  ) {
    const mayWrite = request.trusted && !store.readOnly;
    // A command that is gone in a moment leaves it to the windows.
    this.builds = mayWrite && request.settings.pollMs > 0;
    this.searcher = new Searcher({ store, wasm: options.wasm, mayWrite, folders });
  }

  async search(query: string, options?: SearchOptions): Promise<SearchResult> {
    clearTimeout(this.idleTimer);
    this.idleTimer = setTimeout(() => void this.release(), IDLE_MS);
    this.idleTimer.unref();
    const result = await this.searcher.search(query, options);
    if (result.pending.threads > 0) this.changed();
    return result;
  }

  /** There may be something that no image holds. */
  changed(): void {
    if (!this.builds || this.buildTimer !== undefined) return;
    this.buildTimer = setTimeout(() => {
      this.building = this.build();
    }, this.options.rhythm.afterMs);
    this.buildTimer.unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.buildTimer);
    clearTimeout(this.idleTimer);
    this.stopping.abort();
    await this.building;
    await this.searcher.close();
  }

  private async build(): Promise<void> {
    const { signal } = this.stopping;
    try {
      if ((await this.searcher.pendingBytes()) < this.options.rhythm.fromBytes) return;
      for (const problem of await this.searcher.build({ signal })) this.options.onProblem(problem);
    } catch (error) {
      if (signal.aborted || isExpected(error, 'locked')) return;
      this.options.onProblem({ where: 'search', message: messageOf(error) });
    } finally {
      this.buildTimer = undefined;
    }
  }

  private async release(): Promise<void> {
    if (!this.stopping.signal.aborted) await this.searcher.release();
  }
}
