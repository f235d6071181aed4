import type { Origin } from '../core/model/origin.js';
import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { ThreadSummary } from '../core/model/thread.js';

/** Where a session is read from; the library's store is one. */
export interface SessionSource {
  session(id: string): SessionSummary | undefined;
  /** Of an imported session: where it came from. */
  origin(id: string): Origin | undefined;
  /** Newest first. */
  snapshots(sessionId: string): readonly SnapshotSummary[];
  /** Subagents' threads too. */
  threads(sessionId: string): Promise<readonly ThreadSummary[]>;
  /** A snapshot as it lies in the vault, fields of newer versions included. */
  snapshotJson(id: string): Promise<unknown>;
  /** @throws ExpectedError `contentMissing` */
  blob(hash: string): Promise<Uint8Array>;
  /** The first `count` records of one generation. */
  records(threadId: string, generation: number, count: number): AsyncIterable<Uint8Array>;
}
