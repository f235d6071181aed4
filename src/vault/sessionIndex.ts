import type { Problem } from '../core/engine.js';
import type { Origin } from '../core/model/origin.js';
import type { SessionSummary, SnapshotSummary } from '../core/model/session.js';
import type { Cursor, Lineage } from '../core/model/records.js';
import { cursorSchema } from '../core/model/records.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { Applied } from './applyFrames.js';
import { applyFrames, hashBytes, readState, stampsSchema } from './applyFrames.js';
import type { OpenState } from './database.js';
import { openDatabase, tableNames } from './database.js';
import type { SearchFacts } from './search/facts.js';
import { readFacts } from './search/facts.js';
import { readSessions, readSnapshots } from './sessionRows.js';
import type { Row, Sqlite } from './sqlite.js';
import { clockOf } from './stamp.js';
import type { BatchRef, ThreadHead, ThreadPath } from './threadRows.js';
import {
  readBatches,
  readPaths,
  readSubagents,
  readThread,
  readLineage,
  readSessionsOf,
  readThreads,
  isKept,
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
    return this.ref(
      'SELECT pack.name, offset FROM snapshot JOIN pack ON pack.id = pack WHERE snapshot.id = ?',
      id,
    );
  }

  /** Where a session's oldest snapshot lies. */
  firstSnapshot(sessionId: string): FrameRef | undefined {
    return this.ref(
      `SELECT pack.name, offset FROM snapshot JOIN pack ON pack.id = pack
       WHERE session = ? ORDER BY stamp LIMIT 1`,
      sessionId,
    );
  }

  /** A session's newest snapshot. */
  latestSnapshot(sessionId: string): { readonly id: string; readonly ref: FrameRef } | undefined {
    return this.database.first(
      `SELECT snapshot.id, pack.name, offset FROM snapshot JOIN pack ON pack.id = pack
       WHERE session = ? ORDER BY stamp DESC LIMIT 1`,
      [sessionId],
      (row) => ({ id: row.text('id'), ref: toRef(row) }),
    );
  }

  /**
   * Notes the open editors and changed files of a session's newest snapshot, in place of those of older
   * ones; of any other snapshot they are in the vault only.
   */
  describeSnapshot(
    id: string,
    items: { readonly tabs: readonly string[]; readonly changes: readonly string[] },
  ): void {
    const sessionId = this.database.first(
      'SELECT session FROM snapshot WHERE id = ?',
      [id],
      (row) => row.text('session'),
    );
    if (sessionId === undefined || this.latestSnapshot(sessionId)?.id !== id) return;
    this.write(() => {
      for (const table of ['tab', 'change']) {
        this.database.run(
          `DELETE FROM ${table} WHERE snapshot IN (SELECT id FROM snapshot WHERE session = ?)`,
          [sessionId],
        );
      }
      for (const [position, label] of items.tabs.entries()) {
        this.database.run('INSERT INTO tab VALUES (?, ?, ?)', [id, position, label]);
      }
      for (const [position, path] of items.changes.entries()) {
        this.database.run('INSERT INTO change VALUES (?, ?, ?)', [id, position, path]);
      }
    });
  }

  /** What {@link describeSnapshot} noted; empty for a snapshot that is not described. */
  snapshotItems(id: string): {
    readonly tabs: readonly string[];
    readonly changes: readonly string[];
  } {
    return {
      tabs: this.database.all(
        'SELECT label FROM tab WHERE snapshot = ? ORDER BY position',
        [id],
        (row) => row.text('label'),
      ),
      changes: this.database.all(
        'SELECT path FROM change WHERE snapshot = ? ORDER BY position',
        [id],
        (row) => row.text('path'),
      ),
    };
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
    const sql = 'SELECT thread FROM session_thread WHERE session = ?';
    return this.database.all(sql, [sessionId], (row) => row.text('thread'));
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
    return this.database.all(
      `SELECT id, generation, records FROM thread WHERE ${isKept}
       AND (summary_generation IS NOT generation OR summary_records IS NOT records) ORDER BY id`,
      [],
      (row) => ({
        id: row.text('id'),
        generation: row.number('generation'),
        records: row.number('records'),
      }),
    );
  }

  /**
   * Keeps what a parser made of a thread's records. Its `state` and `parent` are not taken: they come
   * from the vault. A thread without records in the vault has no row to keep it in.
   */
  putThreadSummary(summary: ThreadSummary): void {
    this.write(() => writeSummary(this.database, summary));
  }

  /** Ids of threads that a person had forgotten. */
  forgottenThreads(): ReadonlySet<string> {
    const sql = "SELECT id FROM thread WHERE state = 'forgotten'";
    return new Set(this.database.all(sql, [], (row) => row.text('id')));
  }

  /** Generations of a thread's records in the vault, oldest first. */
  generations(threadId: string): number[] {
    return this.database.all(
      'SELECT DISTINCT generation FROM batch WHERE thread = ? ORDER BY generation',
      [threadId],
      (row) => row.number('generation'),
    );
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
    return this.database.first('SELECT value FROM cursor WHERE thread = ?', [threadId], (row) =>
      row.json('value', cursorSchema),
    );
  }

  /** @param hash SHA-256, hex */
  blobRef(hash: string): FrameRef | undefined {
    return this.ref(
      'SELECT pack.name, offset FROM blob JOIN pack ON pack.id = pack WHERE hash = ?',
      hashBytes(hash),
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

  private ref(sql: string, key: string | Uint8Array): FrameRef | undefined {
    return this.database.first(sql, [key], toRef);
  }
}

const toRef = (row: Row): FrameRef => ({ pack: row.text('name'), offset: row.number('offset') });
