import type { ReadingProgress } from '../core/engine.js';

/** Nothing is said of what takes less, and then so often, in milliseconds. */
const SAID_AFTER_MS = 1_000;
const SAID_EVERY_MS = 250;

/**
 * The first look at the agents' stores, which takes everything that is there: how far it is, and a way
 * to stop it where it is and to go on later.
 */
export class FirstReading {
  private stopping = new AbortController();
  private begun: number | undefined;
  private said: number | undefined;
  private last: Omit<ReadingProgress, 'paused'> = { done: 0, total: 0 };
  private isOver = false;

  constructor(
    private readonly say: (progress: ReadingProgress | undefined) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether a person has stopped it. */
  get isPaused(): boolean {
    return this.stopping.signal.aborted;
  }

  /** Aborted while it is paused; undefined once it is over, and nothing stops reading any more. */
  get signal(): AbortSignal | undefined {
    return this.isOver ? undefined : this.stopping.signal;
  }

  /** So many conversations of so many have been read. */
  note(done: number, total: number): void {
    if (this.isOver) return;
    const now = this.now();
    this.last = { done, total };
    this.begun ??= now;
    if (now - (this.said ?? this.begun + SAID_AFTER_MS - SAID_EVERY_MS) < SAID_EVERY_MS) return;
    this.said = now;
    this.say({ ...this.last, paused: false });
  }

  pause(): void {
    if (this.isOver || this.isPaused) return;
    this.stopping.abort();
    this.said = this.now();
    this.say({ ...this.last, paused: true });
  }

  /** True when it was paused. */
  resume(): boolean {
    if (!this.isPaused) return false;
    this.stopping = new AbortController();
    this.say({ ...this.last, paused: false });
    return true;
  }

  finish(): void {
    if (this.isOver) return;
    this.isOver = true;
    if (this.said !== undefined) this.say(undefined);
  }
}
