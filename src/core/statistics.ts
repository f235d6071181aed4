import type { Metrics } from './metrics.js';
import type { Problem } from './engine.js';

/** How much of one kind there is: frames, and bytes as they were first written. */
export interface Amount {
  readonly count: number;
  readonly bytes: number;
}

export interface ProjectStats {
  readonly key: string;
  /** Files by what they hold; bytes as they lie on the disk. */
  readonly files: Readonly<Record<'open' | 'closed' | 'sealed', Amount>>;
  readonly frames: Readonly<Record<string, Amount>>;
  readonly sessions: number;
  readonly threads: number;
  readonly snapshots: number;
  readonly snapshotsBySession: readonly {
    readonly id: string;
    readonly title: string;
    readonly snapshots: number;
  }[];
  /** Bytes that were added on each day (UTC), as they were first written; oldest first. */
  readonly growth: readonly { readonly day: string; readonly bytes: number }[];
  /** How saves went; percentiles of their durations in milliseconds, rounded up to a class. */
  readonly saves: {
    readonly ok: number;
    readonly failed: number;
    readonly p50?: number | undefined;
    readonly p99?: number | undefined;
  };
  readonly restores: Metrics['restores'];
  readonly problems: readonly Problem[];
}

/** What a store holds, and how it went. */
export interface StoreStats {
  readonly projects: readonly ProjectStats[];
  /** When the newest automatic backup was made, in milliseconds since the epoch. */
  readonly lastBackup?: number | undefined;
}
