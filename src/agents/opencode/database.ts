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
import { databases } from '../sqlite/reader.js';
import { logSince, type LogRow } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';
import type { Family } from './family.js';

const needs: Question['needs'] = {
  session: ['id', 'directory', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_created', 'time_updated', 'data'],
};

const sizesOf = (table: string): Select => ({
  from: table,
  sql: `SELECT session_id AS id, sum(octet_length(data)) AS bytes, max(time_updated) AS at
        FROM ${table} GROUP BY session_id`,
});

/** Sessions of databases, each database asked again only once it has changed. */
export const createList = (family: Family): DatabaseList<ListedThread> =>
  new DatabaseList(async (path) => {
    const { rows, tables, stamp } = await databases.ask({
      path,
      needs,
      selects: {
        sessions: { from: 'session', sql: 'SELECT * FROM session' },
        messages: sizesOf('message'),
        parts: sizesOf('part'),
        next: sizesOf('session_message'),
      },
    });
    const isOurs = family.owns(Object.keys(tables)) || basename(path).startsWith(family.word);
    return { items: isOurs ? listed(path, rows) : undefined, stamp };
  });

function listed(path: string, rows: Readonly<Record<string, readonly Row[]>>) {
  const held = [...(rows['messages'] ?? []), ...(rows['parts'] ?? []), ...(rows['next'] ?? [])];
  const bytes = new Map<string, number>();
  const latest = new Map<string, number>();
  for (const row of held) {
    const id = textIn(row, 'id') ?? '';
    bytes.set(id, (bytes.get(id) ?? 0) + (numberIn(row, 'bytes') ?? 0));
    latest.set(id, Math.max(latest.get(id) ?? 0, numberIn(row, 'at') ?? 0));
  }
  return (rows['sessions'] ?? []).flatMap((row): readonly ListedThread[] => {
    const nativeId = textIn(row, 'id');
    // A window that was opened and never used leaves a session without a message.
    if (nativeId === undefined || !bytes.has(nativeId)) return [];
    return [
      {
        nativeId,
        path,
        bytes: bytes.get(nativeId) ?? 0,
        modifiedAt: Math.max(latest.get(nativeId) ?? 0, numberIn(row, 'time_updated') ?? 0),
        parent: textIn(row, 'parent_id'),
        folder: textIn(row, 'directory'),
        title: textIn(row, 'title'),
        isUnlisted: numberIn(row, 'time_archived') !== undefined || undefined,
      },
    ];
  });
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
