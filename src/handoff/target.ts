import type { Origin } from '../core/model/origin.js';
import type { SessionSummary } from '../core/model/session.js';
import type { StagedPacks } from '../vault/stagedPack.js';

/** Where a session comes in; the library's store is one. */
export interface ImportTarget {
  /** Even a deleted one. */
  session(id: string): SessionSummary | undefined;
  isDeleted(sessionId: string): boolean;
  origin(sessionId: string): Origin | undefined;
  hasSnapshot(id: string): boolean;
  /** How many contents the parts of a snapshot name, as `hashesIn` counts them. */
  contents(snapshotId: string): Promise<number>;
  /** The thread's generations and how many records each has. */
  generations(threadId: string): ReadonlyMap<number, number>;
  records(threadId: string, generation: number, count: number): AsyncIterable<Uint8Array>;
  /** Whether a content is kept, by SHA-256 (hex), where the session is. */
  keeps(hash: string, sessionId: string): Promise<boolean>;
  /** Packs to be taken in where the session is, or where a new one comes in. */
  stage(folder: string, sessionId: string): StagedPacks;
}
