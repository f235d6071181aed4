import type { Cursor } from '../../core/model/records.js';
import { basename } from 'node:path';
import type { ListedThread, ReadResult } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import {
  justFoundMs,
  numberIn,
  textIn,
  type Question,
  type Row,
  type Select,
} from '../sqlite/question.js';
import { KnownRows } from '../sqlite/knownRows.js';
import { databases } from '../sqlite/reader.js';
import { logSince, type LogRow } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';
import type { Family } from './family.js';

const needs: Question['needs'] = {
  session: ['id', 'directory', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_created', 'time_updated', 'data'],
};

const held = ['message', 'part', 'session_message'] as const;

/** From an index alone, where the sizes need every row. */
const countsOf = (from: string): Select => ({
  from,
  sql: `SELECT session_id AS id, count(*) AS count FROM ${from} GROUP BY session_id`,
});

const sizesOf = (from: string, ids: readonly string[]): Select => ({
  from,
  sql: `SELECT session_id AS id, sum(octet_length(data)) AS bytes, max(time_updated) AS at FROM ${from}
        WHERE session_id IN (SELECT wanted.value FROM json_each(?) AS wanted) GROUP BY session_id`,
  parameters: [JSON.stringify(ids)],
});

const ofEach = (select: (table: string) => Select): Question['selects'] =>
  Object.fromEntries(held.map((table) => [table, select(table)]));

/** What a session's rows come to. */
interface Held {
  readonly id: string;
  readonly bytes: number;
  /** When the last of them was written. */
  readonly at: number;
}

/** Sessions of databases, each database asked again only once it has changed, and then about what changed. */
export function createList(family: Family): DatabaseList<ListedThread> {
  const known = new KnownRows<Held>(({ at }) => at);
  return new DatabaseList(async (path) => {
    const sessions = { from: 'session', sql: 'SELECT * FROM session' };
    const selects = { sessions, ...ofEach(countsOf) };
    const { rows, tables, stamp } = await databases.ask({ path, needs, selects });
    const isOurs = family.owns(Object.keys(tables)) || basename(path).startsWith(family.word);
    if (!isOurs) return { items: undefined, stamp };
    const sizes = await known.update(path, marksOf(rows), async (ids) => {
      const asked = ofEach((table) => sizesOf(table, ids));
      return heldIn(
        (await databases.ask({ path, needs, maxAgeMs: justFoundMs, selects: asked })).rows,
      );
    });
    const byId = new Map(sizes.map((one) => [one.id, one]));
    const items = (rows['sessions'] ?? []).flatMap((row) => listed(path, row, byId));
    return { items, stamp };
  });
}

type Rows = Readonly<Record<string, readonly Row[]>>;

/** A window that was opened and never used leaves a session without a message, which has no mark. */
function marksOf(rows: Rows): ReadonlyMap<string, string> {
  const marks = new Map<string, string>();
  for (const table of held) {
    for (const row of rows[table] ?? []) {
      const id = textIn(row, 'id') ?? '';
      marks.set(id, `${marks.get(id) ?? ''}${table} ${numberIn(row, 'count') ?? 0} `);
    }
  }
  for (const row of rows['sessions'] ?? []) {
    const id = textIn(row, 'id') ?? '';
    const mark = marks.get(id);
    if (mark !== undefined) marks.set(id, `${mark}${numberIn(row, 'time_updated') ?? 0}`);
  }
  return marks;
}

function heldIn(rows: Rows): readonly Held[] {
  const sums = new Map<string, Held>();
  for (const row of held.flatMap((table) => rows[table] ?? [])) {
    const id = textIn(row, 'id') ?? '';
    const { bytes = 0, at = 0 } = sums.get(id) ?? {};
    sums.set(id, {
      id,
      bytes: bytes + (numberIn(row, 'bytes') ?? 0),
      at: Math.max(at, numberIn(row, 'at') ?? 0),
    });
  }
  return [...sums.values()];
}

function listed(path: string, row: Row, sizes: ReadonlyMap<string, Held>): readonly ListedThread[] {
  const nativeId = textIn(row, 'id');
  const own = sizes.get(nativeId ?? '');
  if (nativeId === undefined || own === undefined) return [];
  return [
    {
      nativeId,
      path,
      bytes: own.bytes,
      modifiedAt: Math.max(own.at, numberIn(row, 'time_updated') ?? 0),
      parent: textIn(row, 'parent_id'),
      folder: textIn(row, 'directory'),
      title: textIn(row, 'title'),
      isUnlisted: numberIn(row, 'time_archived') !== undefined || undefined,
    },
  ];
}

/** What one session has gained since the cursor, row by row. */
export async function readSession(
  path: string,
  id: string,
  cursor: Cursor | undefined,
): Promise<ReadResult> {
  const ofSession = (from: string, more = ''): Select => ({
    from,
    sql: `SELECT * FROM ${from} WHERE session_id = ? ${more}`,
    parameters: [id],
  });
  const { rows } = await databases.ask({
    path,
    needs,
    maxAgeMs: justFoundMs,
    selects: {
      session: { from: 'session', sql: 'SELECT * FROM session WHERE id = ?', parameters: [id] },
      todos: ofSession('todo', 'ORDER BY position'),
      messages: ofSession('message'),
      parts: ofSession('part'),
      next: ofSession('session_message'),
    },
  });
  const records = (table: string, found: readonly Row[] = []): readonly Made[] =>
    found.map((row) => {
      const rowId = textIn(row, 'id') ?? '';
      return { at: numberIn(row, 'time_created') ?? 0, ...rowRecord(table, rowId, row) };
    });
  const made = [
    ...records('message', rows['messages']),
    ...records('part', rows['parts']),
    ...records('session_message', rows['next']),
  ];
  const heads = [...records('session', rows['session']), todoRecord(rows['todos'] ?? [])];
  return logSince(path, { heads, rows: made.toSorted(asMade) }, cursor);
}

type Made = LogRow & { readonly at: number };

/** Times are the same when a row is written again, so rows keep their places. */
const asMade = (one: Made, other: Made): number =>
  one.at - other.at || (one.key < other.key ? -1 : 1);

export const todoRecord = (todos: readonly Readonly<Record<string, unknown>>[]): LogRow => ({
  key: 'todo',
  record: JSON.stringify({ table: 'todo', row: { todos } }),
});
