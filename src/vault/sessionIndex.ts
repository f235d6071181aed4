import type { Problem } from '../core/engine.js';
import type { Origin } from '../core/model/origin.js';
import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { ForgottenThread } from '../core/forgetting.js';
import type { Cursor, Lineage } from '../core/model/records.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { Applied } from './applyFrames.js';
import { applyFrames, hashBytes, readState, stampsSchema } from './applyFrames.js';
import type { OpenState } from './database.js';
import { openDatabase, tableNames } from './database.js';
import type { SearchFacts } from './search/facts.js';
import { readFacts } from './search/facts.js';
import { readSessions } from './sessionRows.js';
import { frameRefOf, type Sqlite } from './sqlite.js';
import { clockOf } from './stamp.js';
import {
  firstSnapshot,
  isLatest,
  latestSnapshot,
  readItems,
  readSnapshots,
  snapshotRef,
  writeItems,
  type SnapshotItems,
} from './snapshotRows.js';
import type { BatchRef, ThreadHead, ThreadPath } from './threadRows.js';
import {
  isForgotten,
  isForgottenKept,
  readBatches,
  readCursor,
  readForgotten,
  readGenerations,
  readHeadsNeedingSummary,
  readJoined,
  readLineage,
  readPaths,
  readSessionsOf,
  readSubagents,
  readThread,
  readThreads,
  writeSummary,
} from './threadRows.js';
import type { Frame, FrameRef } from './types.js';
import { writeAtomic } from './writeAtomic.js';

/** How far a pack is in the tables: all its frames before the offset. */
export interface Covered {
  readonly pack: string;
  readonly offset: number;
}

/**
 * The view of the packs that lists and look-ups are answered from. It lives in memory and is written to
 * `sessions.db` by {@link SessionIndex.save}; it can be lost at any time and is rebuilt from the packs.
 */
export class SessionIndex {
  private changed = false;
  private writes = 0;
  private saving: Promise<void> = Promise.resolve();

  private constructor(
    private database: Sqlite,
    /** Where {@link save} writes to; absent: in memory only. */
    readonly file: string | undefined,
    private readonly wasm: Uint8Array | string,
  ) {}

  /**
   * Opens `sessions.db`, or starts an empty index where there is none to be used.
   *
   * @param request.file absent: kept in memory only
   * @param request.wasm bytes of sql.js's `sql-wasm.wasm`, or its path
   */
  static async open(request: {
    readonly file: string | undefined;
    readonly wasm: Uint8Array | string;
  }): Promise<{
    readonly index: SessionIndex;
    readonly state: OpenState;
    readonly problems: readonly Problem[];
  }> {
    const { database, file, state, problems } = await openDatabase(request);
    return { index: new SessionIndex(database, file, request.wasm), state, problems };
  }

  /** An empty one in memory, to be filled while this one answers. */
  async beside(): Promise<SessionIndex> {
    return (await SessionIndex.open({ file: undefined, wasm: this.wasm })).index;
  }

  /** Answers from now on what the other one does, which is not to be used any more. */
  become(other: SessionIndex): void {
    this.database.close();
    this.database = other.database;
    this.changed = true;
    this.writes += 1;
  }

  /** Whether there is something that the file does not hold. */
  get dirty(): boolean {
    return this.changed;
  }

  /** Another number than before: something in it may be another. */
  get revision(): number {
    return this.writes;
  }

  /** What searching needs to know of all conversations and sessions. */
  searchFacts(): SearchFacts {
    return readFacts(this.database);
  }

  /** For each pack, up to where its frames are in the tables. */
  offsets(): ReadonlyMap<string, number> {
    const packs = this.database.all(
      'SELECT name, covered FROM pack WHERE covered > 0',
      [],
      (row) => [row.text('name'), row.number('covered')] as const,
    );
    return new Map(packs);
  }

  /** The latest clock among the frames that are in the tables, blobs aside. */
  newestClock(): bigint | undefined {
    const stamp = this.database.first(
      `SELECT max(stamp) AS stamp FROM (
         SELECT newest AS stamp FROM session UNION ALL SELECT stamp FROM batch
         UNION ALL SELECT state_stamp FROM thread)`,
      [],
      (row) => row.optionalText('stamp'),
    );
    return stamp === undefined ? undefined : clockOf(stamp);
  }

  /**
   * Takes in frames and notes how far their packs are covered, in one transaction. Frames may come in
   * any order and any number of times.
   */
  apply(frames: readonly Frame[], covered: readonly Covered[]): Applied {
    return this.write(() => {
      const applied = applyFrames(this.database, frames);
      for (const { pack, offset } of covered) {
        this.database.run(
          `INSERT INTO pack (name, covered) VALUES (?, ?) ON CONFLICT (name)
           DO UPDATE SET covered = excluded.covered WHERE excluded.covered > covered`,
          [pack, offset],
        );
      }
      return applied;
    });
  }

  /** Empties every table, for what is in the packs to be taken in anew. */
  clear(): void {
    this.write(() => {
      for (const table of tableNames(this.database)) this.database.run(`DELETE FROM ${table}`);
    });
  }

  /** All sessions that are not deleted, newest activity first. */
  sessions(): SessionSummary[] {
    return readSessions(this.database, 'deleted = 0', []);
  }

  /** Of all sessions, deleted ones too. */
  sessionIds(): readonly string[] {
    return this.database.all('SELECT id FROM session', [], (row) => row.text('id'));
  }

  /** One session, even a deleted one. */
  session(id: string): SessionSummary | undefined {
    return readSessions(this.database, 'id = ?', [id])[0];
  }

  /** What is known of where an imported session came from; undefined for one's own. */
  origin(id: string): Origin | undefined {
    return readState(this.database, id)?.origin;
  }

  /** Deleted sessions, each with the clock of the event that deleted it. */
  deletedSessions(): ReadonlyMap<string, bigint> {
    const found = this.database.all(
      'SELECT id, stamps FROM session WHERE deleted = 1',
      [],
      (row) => [row.text('id'), row.json('stamps', stampsSchema)['deleted']] as const,
    );
    return new Map(found.map(([id, stamp]) => [id, clockOf(stamp ?? '0')]));
  }

  /**
   * The session to go on with in a window: the newest active one that was made in the first of the places that
   * has one. If there is none, one that was made in a workspace that `exists` denies: it was moved or renamed.
   *
   * @param places URIs as in sessions' first events; undefined: a window without a folder
   */
  activeSession(
    places: readonly (string | undefined)[],
    exists: (workspace: string) => boolean = () => true,
  ): SessionSummary | undefined {
    const active = readSessions(this.database, "deleted = 0 AND status = 'active'", []);
    for (const place of places) {
      const found = active.find(({ workspace }) => workspace === place);
      if (found) return found;
    }
    return active.find(({ workspace }) => workspace !== undefined && !exists(workspace));
  }

  /** Snapshots of a session, newest first, at most `limit`. */
  snapshots(sessionId: string, limit?: number): SnapshotSummary[] {
    return readSnapshots(this.database, sessionId, limit);
  }

  snapshotRef(id: string): FrameRef | undefined {
    return snapshotRef(this.database, id);
  }

  /** Where a session's oldest snapshot lies. */
  firstSnapshot(sessionId: string): FrameRef | undefined {
    return firstSnapshot(this.database, sessionId);
  }

  /** A session's newest snapshot. */
  latestSnapshot(sessionId: string): { readonly id: string; readonly ref: FrameRef } | undefined {
    return latestSnapshot(this.database, sessionId);
  }

  /**
   * Notes the open editors and changed files of a session's newest snapshot, in place of those of older
   * ones; of any other snapshot they are in the vault only.
   */
  describeSnapshot(id: string, items: SnapshotItems): void {
    if (!isLatest(this.database, id)) return;
    this.write(() => writeItems(this.database, id, items));
  }

  /** What {@link describeSnapshot} noted; empty for a snapshot that is not described. */
  snapshotItems(id: string): SnapshotItems {
    return readItems(this.database, id);
  }

  /**
   * Threads of a session, subagents with their parents; with `null` those that belong to no session, or
   * to deleted ones only. Newest activity first. One without a summary yet has its native id for a title.
   */
  threads(sessionId: string | null): ThreadSummary[] {
    return readThreads(this.database, sessionId);
  }

  /** Ids of the threads that were put into a session, also of those whose records are elsewhere. */
  joined(sessionId: string): readonly string[] {
    return readJoined(this.database, sessionId);
  }

  /** Ids of the sessions that a thread was put into, deleted ones too. */
  sessionsOf(threadId: string): readonly string[] {
    return readSessionsOf(this.database, threadId);
  }

  lineage(id: string): Lineage | undefined {
    return readLineage(this.database, id);
  }

  thread(id: string): ThreadSummary | undefined {
    return readThread(this.database, id);
  }

  /** Threads that this one started. */
  subagents(id: string): ThreadSummary[] {
    return readSubagents(this.database, id);
  }

  /** Threads whose summary is missing or of fewer records than there are. */
  threadsNeedingSummary(): ThreadHead[] {
    return readHeadsNeedingSummary(this.database);
  }

  /**
   * Keeps what a parser made of a thread's records. Its `state` and `parent` are not taken: they come
   * from the vault. A thread without records in the vault has no row to keep it in.
   */
  putThreadSummary(summary: ThreadSummary): void {
    this.write(() => writeSummary(this.database, summary));
  }

  /** Threads that a person had forgotten; their ids stay, so that they are not taken in again. */
  forgotten(): readonly ForgottenThread[] {
    return readForgotten(this.database);
  }

  /** Their ids. */
  forgottenThreads(): ReadonlySet<string> {
    return new Set(this.forgotten().map(({ id }) => id));
  }

  isForgotten(threadId: string): boolean {
    return isForgotten(this.database, threadId);
  }

  /** Whether the vault has records of a thread that was forgotten: they were saved that moment. */
  isForgottenKept(): boolean {
    return isForgottenKept(this.database);
  }

  /** Generations of a thread's records in the vault, oldest first. */
  generations(threadId: string): number[] {
    return readGenerations(this.database, threadId);
  }

  /** The batches that together hold a generation's records, in order, none twice. */
  batches(threadId: string, generation: number): readonly BatchRef[] {
    return readBatches(this.database, threadId, generation);
  }

  /** The agent's threads with the file that each was last read from. */
  threadPaths(agent: string): ThreadPath[] {
    return readPaths(this.database, agent);
  }

  /** Where the thread's source goes on. */
  cursor(threadId: string): Cursor | undefined {
    return readCursor(this.database, threadId);
  }

  /** @param hash SHA-256, hex */
  blobRef(hash: string): FrameRef | undefined {
    return this.database.first(
      'SELECT pack.name, offset FROM blob JOIN pack ON pack.id = pack WHERE hash = ?',
      [hashBytes(hash)],
      frameRefOf,
    );
  }

  /**
   * Writes `sessions.db`, if something changed and there is a place for it. Calls queue up.
   *
   * @throws ExpectedError `diskFull`, `notWritable` or `writeFailed`; the old file stays
   */
  save(): Promise<void> {
    const next = this.saving.then(() => this.saveNow());
    this.saving = next.catch(() => undefined);
    return next;
  }

  /** Frees the memory; what was not saved is lost here, not in the vault. */
  close(): void {
    this.changed = false;
    this.database.close();
  }

  private async saveNow(): Promise<void> {
    if (this.file === undefined || !this.changed) return;
    const bytes = this.database.export();
    this.changed = false;
    try {
      await writeAtomic(this.file, bytes);
    } catch (error) {
      this.changed = true;
      throw error;
    }
  }

  private write<T>(body: () => T): T {
    const result = this.database.transaction(body);
    this.changed = true;
    this.writes += 1;
    return result;
  }
}
