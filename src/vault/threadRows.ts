import { z } from 'zod';
import { splitThreadId } from '../core/model/ids.js';
import type { ForgottenThread } from '../core/forgetting.js';
import { cursorSchema, lineageSchema, type Cursor, type Lineage } from '../core/model/records.js';
import { clockTime } from '../core/clock.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { ChosenRun, Run } from './batchChain.js';
import { chooseRuns } from './batchChain.js';
import { frameRefOf, type Row, type Sqlite } from './sqlite.js';
import { clockOf } from './stamp.js';
import type { FrameRef } from './types.js';

/** How much of a thread there is. */
export interface ThreadHead {
  readonly id: string;
  readonly generation: number;
  readonly records: number;
}

export interface ThreadPath {
  readonly id: string;
  readonly path: string;
  readonly state: ThreadSummary['state'];
}

/** Where a run of a thread's records lies. */
export type BatchRef = ChosenRun<Run & { readonly ref: FrameRef }>;

/** Sessions and their threads as a table `belongs`; a subagent belongs where its parent does. */
export const belongs = `
  WITH RECURSIVE belongs (session, thread) AS (
    SELECT session, thread FROM session_thread
    UNION
    SELECT session, thread.id FROM belongs JOIN thread ON thread.parent = belongs.thread
  )`;

/** Condition for a thread that has records and was not forgotten. */
export const isKept = "thread.generation IS NOT NULL AND thread.state <> 'forgotten'";

export const readThread = (database: Sqlite, id: string): ThreadSummary | undefined =>
  database.first(`SELECT * FROM thread WHERE id = ? AND ${isKept}`, [id], toThread);

/** Where a thread goes on from; undefined for one that begins by itself. */
export const readLineage = (database: Sqlite, id: string): Lineage | undefined =>
  database.first('SELECT lineage FROM thread WHERE id = ?', [id], (row) =>
    row.optionalJson('lineage', lineageSchema),
  );

/** Sessions that a thread was put into. */
export const readSessionsOf = (database: Sqlite, thread: string): readonly string[] =>
  database.all('SELECT session FROM session_thread WHERE thread = ?', [thread], (row) =>
    row.text('session'),
  );

/** Threads that have records and belong to a session, or with `null` to none. */
export function readThreads(database: Sqlite, sessionId: string | null): ThreadSummary[] {
  const members =
    sessionId === null
      ? `NOT IN (SELECT thread FROM belongs JOIN session ON session.id = session WHERE deleted = 0)`
      : `IN (SELECT thread FROM belongs WHERE session = ?)`;
  return database.all(
    `${belongs} SELECT * FROM thread WHERE ${isKept} AND id ${members}
     ORDER BY last_at DESC NULLS LAST, id`,
    sessionId === null ? [] : [sessionId],
    toThread,
  );
}

/** Threads that a thread started, oldest first. */
export const readSubagents = (database: Sqlite, parent: string): ThreadSummary[] =>
  database.all(
    `SELECT * FROM thread WHERE parent = ? AND ${isKept} ORDER BY first_at NULLS LAST, id`,
    [parent],
    toThread,
  );

/** Ids of the threads that were put into a session, also of those whose records are elsewhere. */
export const readJoined = (database: Sqlite, sessionId: string): readonly string[] =>
  database.all('SELECT thread FROM session_thread WHERE session = ?', [sessionId], (row) =>
    row.text('thread'),
  );

/** Threads that a person had forgotten, oldest first. */
export const readForgotten = (database: Sqlite): readonly ForgottenThread[] =>
  database.all(
    "SELECT id, parent, state_stamp FROM thread WHERE state = 'forgotten' ORDER BY state_stamp, id",
    [],
    (row) => ({
      id: row.text('id'),
      parent: row.optionalText('parent'),
      at: clockTime(clockOf(row.text('state_stamp'))),
    }),
  );

export const isForgotten = (database: Sqlite, id: string): boolean =>
  database.first("SELECT 1 FROM thread WHERE id = ? AND state = 'forgotten'", [id], () => true) ===
  true;

/** Whether there are records of a thread that was forgotten: somebody saved them that moment. */
export const isForgottenKept = (database: Sqlite): boolean =>
  database.first(
    "SELECT 1 FROM thread WHERE state = 'forgotten' AND generation IS NOT NULL",
    [],
    () => true,
  ) === true;

/** Threads whose summary is missing or of fewer records than there are. */
export const readHeadsNeedingSummary = (database: Sqlite): ThreadHead[] =>
  database.all(
    `SELECT id, generation, records FROM thread WHERE ${isKept}
     AND (summary_generation IS NOT generation OR summary_records IS NOT records) ORDER BY id`,
    [],
    (row) => ({
      id: row.text('id'),
      generation: row.number('generation'),
      records: row.number('records'),
    }),
  );

export function writeSummary(database: Sqlite, summary: ThreadSummary): void {
  database.run(
    `UPDATE thread SET
       summary_generation = ?, summary_records = ?, summary_bytes = ?, title = ?, cwd = ?, branch = ?,
       version = ?, turns = ?, messages = ?, first_at = ?, last_at = ?, first_prompt = ?, last_prompt = ?,
       open_todos = ?, working = ?, skipped = ?
     WHERE id = ?`,
    [
      summary.generation,
      summary.records,
      summary.bytes,
      summary.title,
      summary.cwd,
      summary.branch,
      summary.version,
      summary.turns,
      summary.messages,
      summary.firstAt,
      summary.lastAt,
      summary.firstPrompt,
      summary.lastPrompt,
      JSON.stringify(summary.openTodos),
      Number(summary.working),
      summary.skipped,
      summary.id,
    ],
  );
}

/** Generations of a thread's records, oldest first. */
export const readGenerations = (database: Sqlite, thread: string): number[] =>
  database.all(
    'SELECT DISTINCT generation FROM batch WHERE thread = ? ORDER BY generation',
    [thread],
    (row) => row.number('generation'),
  );

/** Where the thread's source goes on. */
export const readCursor = (database: Sqlite, thread: string): Cursor | undefined =>
  database.first('SELECT value FROM cursor WHERE thread = ?', [thread], (row) =>
    row.json('value', cursorSchema),
  );

/** Batches that together hold a generation, see {@link chooseRuns}. */
export const readBatches = (
  database: Sqlite,
  thread: string,
  generation: number,
): readonly BatchRef[] =>
  chooseRuns(
    database.all(
      `SELECT first, count, reused, stamp, pack.name, offset FROM batch JOIN pack ON pack.id = pack
       WHERE thread = ? AND generation = ?`,
      [thread, generation],
      (row) => ({
        ref: frameRefOf(row),
        first: row.number('first'),
        count: row.number('count'),
        reused: row.optionalNumber('reused'),
        stamp: row.text('stamp'),
      }),
    ),
  );

export const readPaths = (database: Sqlite, agent: string): ThreadPath[] =>
  database
    .all(
      `SELECT id, state, value FROM cursor JOIN thread ON thread.id = cursor.thread
       WHERE ${isKept} ORDER BY id`,
      [],
      (row) => ({
        id: row.text('id'),
        path: row.json('value', cursorSchema).path,
        state: row.word('state', stateSchema),
      }),
    )
    .filter(({ id }) => splitThreadId(id).agent === agent);

const stateSchema = z.enum(['live', 'gone']);
const continuesSchema = lineageSchema.omit({ report: true });

function continuedBy(row: Row): Pick<ThreadSummary, 'continues'> {
  const continues = row.optionalJson('lineage', continuesSchema);
  return continues === undefined ? {} : { continues };
}

function toThread(row: Row): ThreadSummary {
  const id = row.text('id');
  const { agent, nativeId } = splitThreadId(id);
  return {
    id,
    agent,
    nativeId,
    title: row.optionalText('title') ?? nativeId,
    cwd: row.optionalText('cwd'),
    branch: row.optionalText('branch'),
    parent: row.optionalText('parent'),
    ...continuedBy(row),
    version: row.optionalText('version'),
    turns: row.optionalNumber('turns') ?? 0,
    messages: row.optionalNumber('messages') ?? 0,
    firstAt: row.optionalNumber('first_at'),
    lastAt: row.optionalNumber('last_at'),
    firstPrompt: row.optionalText('first_prompt'),
    lastPrompt: row.optionalText('last_prompt'),
    openTodos: row.optionalJson('open_todos', z.array(z.string())) ?? [],
    working: row.optionalNumber('working') === 1,
    generation: row.optionalNumber('summary_generation') ?? row.number('generation'),
    records: row.optionalNumber('summary_records') ?? row.number('records'),
    bytes: row.optionalNumber('summary_bytes') ?? row.number('bytes'),
    state: row.word('state', stateSchema),
    skipped: row.optionalNumber('skipped') ?? 0,
  };
}
