import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { ThreadSummary } from '../core/model/thread.js';

/** Where a session is read from; the library's store is one. */
export interface SessionSource {
  session(id: string): SessionSummary | undefined;
  /** Newest first. */
  snapshots(sessionId: string): readonly SnapshotSummary[];
  /** Subagents' threads too. */
  threads(sessionId: string): readonly ThreadSummary[];
  /** A snapshot as it lies in the vault, fields of newer versions included. */
  snapshotJson(id: string): Promise<unknown>;
  /** @throws ExpectedError `contentMissing` */
  blob(hash: string): Promise<Uint8Array>;
  /** The first `count` records of one generation. */
  records(threadId: string, generation: number, count: number): AsyncIterable<Uint8Array>;
}

/** What of a session goes into a file. */
export interface ExportChoice {
  /** Snapshots from this one and up to that one, by id, both included; absent: from the first, up to now. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Ids of threads; their subagents come with them. Absent: all. */
  readonly threads?: readonly string[] | undefined;
  /** Contents of files: drafts, patches, untracked files. */
  readonly files: boolean;
  /** Images and other binary data, which cannot be looked through for secrets. */
  readonly images: boolean;
  /** Characters of one tool output; absent: whole. */
  readonly toolOutput?: number | undefined;
  /** Let files travel in which secrets were found. */
  readonly filesWithSecrets: boolean;
}
