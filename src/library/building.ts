import type { BuildProgress } from '../core/engine.js';
import type { SessionSummary } from '../core/model/session.js';

/** Nothing is said of what takes less, and then so often, in milliseconds. */
const SAID_AFTER_MS = 1_000;
const SAID_EVERY_MS = 250;

export interface BuildingOptions {
  /** Brings the index up to the vault; goes on where it was when it is called again after an abort. */
  readonly build: (signal: AbortSignal, onBytes: (bytes: number) => void) => Promise<void>;
  /** Bytes that are to be read. */
  readonly total: () => Promise<number>;
  /** What is listed meanwhile. */
  readonly rows: readonly SessionSummary[];
  readonly onProgress: (progress: BuildProgress | undefined) => void;
}

/** The making of a window's index from the packs, while its list is already shown. It can be stopped and goes on when it is needed. */
export class Building {
  private running: Promise<void> | undefined;
  private stopping = new AbortController();
  private done = false;

  constructor(private readonly options: BuildingOptions) {}

  get isDone(): boolean {
    return this.done;
  }

  /** What is known of the sessions before all of them are read: those of the last list, newer where they are read. */
  rowsWith(read: readonly SessionSummary[]): readonly SessionSummary[] {
    const known = new Set(read.map(({ id }) => id));
    return [...read, ...this.options.rows.filter(({ id }) => !known.has(id))];
  }

  /** Resolves when all is read; goes on if it was stopped. */
  async finish(): Promise<void> {
    while (!this.done) {
      this.running ??= this.run();
      await this.running;
    }
  }

  /** Begins without anybody waiting for it. */
  start(onError: (error: unknown) => void): void {
    this.running ??= this.run();
    this.running.catch(onError);
  }

  /** Stops where it is. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running?.catch(() => undefined);
  }

  private async run(): Promise<void> {
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    const { build, total, onProgress } = this.options;
    let said = performance.now() + SAID_AFTER_MS - SAID_EVERY_MS;
    let times = 0;
    let bytes = 0;
    try {
      const all = await total();
      await build(signal, (more) => {
        bytes += more;
        if (performance.now() - said < SAID_EVERY_MS) return;
        said = performance.now();
        times += 1;
        onProgress({ done: Math.min(bytes, all), total: all });
      });
      this.done = true;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.running = undefined;
      if (times > 0) onProgress(undefined);
    }
  }
}
