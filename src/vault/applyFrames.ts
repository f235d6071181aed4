import { z } from 'zod';
import type { Problem } from '../core/engine.js';
import { batchHeaderSchema, threadEventSchema } from '../core/model/records.js';
import { originSchema } from '../core/model/origin.js';
import { sessionEventSchema, sessionStatusSchema } from '../core/model/session.js';
import { snapshotSchema } from '../core/model/snapshot.js';
import { batchHead } from './batch.js';
import type { SessionState } from './sessionFold.js';
import { addEvent, addMoment } from './sessionFold.js';
import type { Row, Sqlite } from './sqlite.js';
import { stampOf } from './stamp.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

/** What frames changed, and which of them could not be understood. */
export interface Applied {
  readonly sessions: ReadonlySet<string>;
  readonly threads: ReadonlySet<string>;
  readonly problems: readonly Problem[];
}

/**
 * Writes frames into the tables; called inside a transaction. The rows are the same in whatever order
 * the frames come, and a frame that comes again changes nothing.
 */
export function applyFrames(database: Sqlite, frames: readonly Frame[]): Applied {
  const writer = new FrameWriter(database);
  for (const frame of frames) writer.add(frame);
  return writer.finish();
}

/** Where a frame lies; the earlier of two places of one frame stays. */
const isEarlier = (table: string): string =>
  `((SELECT name FROM pack WHERE id = excluded.pack), excluded.offset)
   < ((SELECT name FROM pack WHERE id = ${table}.pack), ${table}.offset)`;

class FrameWriter {
  private readonly sessions = new Set<string>();
  private readonly threads = new Set<string>();
  private readonly problems: Problem[] = [];
  private readonly packs = new Map<string, number>();

  constructor(private readonly database: Sqlite) {}

  add(frame: Frame): void {
    switch (frame.type) {
      case FrameType.session:
        this.addSessionEvent(frame);
        break;
      case FrameType.snapshot:
        this.addSnapshot(frame);
        break;
      case FrameType.records:
        this.addBatch(frame);
        break;
      case FrameType.blob:
        this.addBlob(frame);
        break;
      case FrameType.thread:
        this.addThreadEvent(frame);
        break;
      default:
        this.report(frame, `unknown kind of frame (${frame.type}), perhaps of a newer version`);
    }
  }

  finish(): Applied {
    for (const id of this.threads) {
      this.database.run(
        `UPDATE thread SET (generation, records, bytes) = (
           SELECT generation, max(first + count), sum(bytes) FROM batch
           WHERE thread = thread.id GROUP BY generation ORDER BY generation DESC LIMIT 1)
         WHERE id = ? AND EXISTS (SELECT 1 FROM batch WHERE batch.thread = thread.id)`,
        [id],
      );
    }
    return { sessions: this.sessions, threads: this.threads, problems: this.problems };
  }

  private addSessionEvent(frame: Frame): void {
    const event = this.parse(frame, sessionEventSchema);
    if (event === undefined) return;
    const state = readState(this.database, event.sessionId);
    this.writeState(event.sessionId, addEvent(state, event, stampOf(frame)));
    this.join(event.sessionId, event.joins ?? []);
  }

  private addSnapshot(frame: Frame): void {
    const snapshot = this.parse(frame, snapshotSchema);
    if (snapshot === undefined) return;
    const stamp = stampOf(frame);
    const state = readState(this.database, snapshot.sessionId);
    this.writeState(snapshot.sessionId, addMoment(state, snapshot.at, stamp));
    const { summary, threads } = snapshot;
    this.join(
      snapshot.sessionId,
      threads.map((point) => point.id),
    );
    this.database.run(
      `INSERT INTO snapshot
         (id, session, at, reason, label, tabs, changes, threads, branch, delta, stamp, pack, offset)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET
         session = excluded.session, at = excluded.at, reason = excluded.reason, label = excluded.label,
         tabs = excluded.tabs, changes = excluded.changes, threads = excluded.threads,
         branch = excluded.branch, delta = excluded.delta, stamp = excluded.stamp,
         pack = excluded.pack, offset = excluded.offset
       WHERE excluded.stamp < snapshot.stamp OR (excluded.stamp = snapshot.stamp AND ${isEarlier('snapshot')})`,
      [
        snapshot.id,
        snapshot.sessionId,
        snapshot.at,
        snapshot.reason,
        snapshot.label,
        summary.tabs,
        summary.changes,
        threads.length,
        summary.branch,
        summary.delta && JSON.stringify(summary.delta),
        stamp,
        this.pack(frame.pack),
        frame.offset,
      ],
    );
  }

  private addBatch(frame: Frame): void {
    const head = this.parse(frame, batchSchema, batchHead);
    if (head === undefined) return;
    const stamp = stampOf(frame);
    this.addThread(head.thread);
    this.database.run(
      `INSERT INTO batch (thread, generation, first, count, reused, bytes, stamp, pack, offset)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (thread, generation, first, stamp)
       DO UPDATE SET pack = excluded.pack, offset = excluded.offset WHERE ${isEarlier('batch')}`,
      [
        head.thread,
        head.generation,
        head.first,
        head.count,
        head.reused,
        frame.payload.length,
        stamp,
        this.pack(frame.pack),
        frame.offset,
      ],
    );
    this.database.run(
      `INSERT INTO cursor (thread, generation, records, stamp, value) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (thread) DO UPDATE SET
         generation = excluded.generation, records = excluded.records,
         stamp = excluded.stamp, value = excluded.value
       WHERE (excluded.generation, excluded.records, excluded.stamp)
           > (cursor.generation, cursor.records, cursor.stamp)`,
      [head.thread, head.generation, head.first + head.count, stamp, JSON.stringify(head.cursor)],
    );
    this.addParent(head.thread, head.parent, stamp);
  }

  private addThreadEvent(frame: Frame): void {
    const event = this.parse(frame, threadEventSchema);
    if (event === undefined) return;
    this.addThread(event.thread);
    this.database.run(
      `UPDATE thread SET state = ?2, state_stamp = ?3
       WHERE id = ?1 AND (state_stamp IS NULL OR state_stamp < ?3)`,
      [event.thread, event.state, stampOf(frame)],
    );
    this.addParent(event.thread, event.parent, stampOf(frame));
    if (event.continues !== undefined) {
      this.database.run('UPDATE thread SET lineage = ?2 WHERE id = ?1', [
        event.thread,
        JSON.stringify(event.continues),
      ]);
    }
  }

  private addBlob(frame: Frame): void {
    this.database.run(
      `INSERT INTO blob (hash, pack, offset) VALUES (?, ?, ?)
       ON CONFLICT (hash) DO UPDATE SET pack = excluded.pack, offset = excluded.offset
       WHERE ${isEarlier('blob')}`,
      [hashBytes(frame.hash), this.pack(frame.pack), frame.offset],
    );
  }

  private addThread(id: string): void {
    this.database.run(
      `INSERT INTO thread (id, state, records, bytes) VALUES (?, 'live', 0, 0) ON CONFLICT DO NOTHING`,
      [id],
    );
    this.threads.add(id);
  }

  /** What was said first stays. */
  private addParent(id: string, parent: string | undefined, stamp: string): void {
    if (parent === undefined) return;
    this.database.run(
      `UPDATE thread SET parent = ?2, parent_stamp = ?3
       WHERE id = ?1 AND (parent_stamp IS NULL OR parent_stamp > ?3)`,
      [id, parent, stamp],
    );
  }

  private join(session: string, threads: readonly string[]): void {
    for (const thread of threads) {
      this.database.run(
        'INSERT INTO session_thread (session, thread) VALUES (?, ?) ON CONFLICT DO NOTHING',
        [session, thread],
      );
    }
  }

  private writeState(id: string, state: SessionState): void {
    const stamps = Object.fromEntries(Object.entries(state.stamps).sort());
    this.database.run(
      `INSERT OR REPLACE INTO session
         (id, title, goal, status, tags, deleted, archived, workspace, created_at, updated_at, oldest, newest,
          stamps, origin)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        id,
        state.title,
        state.goal,
        state.status,
        JSON.stringify(state.tags),
        Number(state.deleted),
        Number(state.archived),
        state.workspace,
        state.createdAt,
        state.updatedAt,
        state.oldest,
        state.newest,
        JSON.stringify(stamps),
        state.origin && JSON.stringify(state.origin),
      ],
    );
    this.sessions.add(id);
  }

  private pack(name: string): number {
    let id = this.packs.get(name);
    if (id === undefined) {
      id = packId(this.database, name);
      this.packs.set(name, id);
    }
    return id;
  }

  private parse<T>(
    frame: Frame,
    schema: z.ZodType<T>,
    json: (payload: Uint8Array) => Uint8Array = (payload) => payload,
  ): T | undefined {
    let parsed: z.ZodSafeParseResult<T>;
    try {
      parsed = schema.safeParse(JSON.parse(utf8.decode(json(frame.payload))));
    } catch {
      this.report(frame, 'its content is not readable');
      return undefined;
    }
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    this.report(frame, `unexpected content at "${issue?.path.join('.') ?? ''}"`);
    return undefined;
  }

  private report(frame: Frame, message: string): void {
    this.problems.push({ where: `${frame.pack}@${frame.offset}`, message });
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

const index = z.int().nonnegative();
/** As the model has it, with numbers that can be counted with. */
const batchSchema = batchHeaderSchema.extend({
  generation: index,
  first: index,
  count: index,
  reused: index.optional(),
});

/** The number of a pack in the tables. */
function packId(database: Sqlite, name: string): number {
  database.run('INSERT INTO pack (name, covered) VALUES (?, 0) ON CONFLICT DO NOTHING', [name]);
  const id = database.first('SELECT id FROM pack WHERE name = ?', [name], (row) =>
    row.number('id'),
  );
  if (id === undefined) throw new Error(`Pack ${name} was not noted.`);
  return id;
}

export const hashBytes = (hash: string): Uint8Array => Uint8Array.from(Buffer.from(hash, 'hex'));

export const readState = (database: Sqlite, sessionId: string): SessionState | undefined =>
  database.first('SELECT * FROM session WHERE id = ?', [sessionId], toState);

export const stampsSchema = z.record(z.string(), z.string());

export const toState = (row: Row): SessionState => ({
  title: row.text('title'),
  goal: row.text('goal'),
  status: row.optionalWord('status', sessionStatusSchema),
  tags: row.json('tags', z.array(z.string())),
  deleted: row.number('deleted') === 1,
  archived: row.number('archived') === 1,
  workspace: row.optionalText('workspace'),
  createdAt: row.number('created_at'),
  updatedAt: row.number('updated_at'),
  oldest: row.text('oldest'),
  newest: row.text('newest'),
  stamps: row.json('stamps', stampsSchema),
  origin: row.optionalJson('origin', originSchema),
});
