import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Cursor } from '../../core/model/records.js';
import { fieldsOf, type Fields } from '../json.js';
import type { ListedThread, ReadResult } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { justFoundMs, numberIn, textIn, type Question, type Row } from '../sqlite/question.js';
import { databases } from '../sqlite/reader.js';
import { logSince } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';
import { gooseTime } from './messages.js';

const needs: Question['needs'] = {
  sessions: ['id', 'working_dir', 'updated_at'],
  messages: ['id', 'session_id', 'role', 'content_json', 'created_timestamp'],
};

export const createGooseList = (): DatabaseList<ListedThread> =>
  new DatabaseList(async (path) => {
    const { rows, stamp } = await databases.ask({
      path,
      needs,
      selects: {
        sessions: { from: 'sessions', sql: 'SELECT * FROM sessions' },
        messages: {
          from: 'messages',
          sql: `SELECT session_id AS id, sum(octet_length(content_json)) AS bytes,
                  max(created_timestamp) AS at FROM messages GROUP BY session_id`,
        },
      },
    });
    const sizes = new Map((rows['messages'] ?? []).map((row) => [textIn(row, 'id'), row]));
    return { items: (rows['sessions'] ?? []).flatMap((row) => listed(path, row, sizes)), stamp };
  });

function listed(path: string, row: Row, sizes: ReadonlyMap<string | undefined, Row>) {
  const nativeId = textIn(row, 'id');
  const own = sizes.get(nativeId);
  if (nativeId === undefined || own === undefined) return [];
  const times = [gooseTime(row['updated_at']), gooseTime(own['at'])];
  const folder = textIn(row, 'working_dir');
  return [
    {
      nativeId,
      path,
      bytes: numberIn(own, 'bytes') ?? 0,
      modifiedAt: Math.max(...times.map((at) => at ?? 0)),
      folder,
      title: textIn(row, 'name') ?? textIn(row, 'description'),
    },
  ];
}

/** What a session has gained since the cursor; a compaction writes its rows anew. */
export async function readGoose(
  path: string,
  id: string,
  cursor: Cursor | undefined,
): Promise<ReadResult> {
  const { rows } = await databases.ask({
    path,
    needs,
    maxAgeMs: justFoundMs,
    selects: {
      session: { from: 'sessions', sql: 'SELECT * FROM sessions WHERE id = ?', parameters: [id] },
      messages: {
        from: 'messages',
        sql: 'SELECT * FROM messages WHERE session_id = ? ORDER BY id',
        parameters: [id],
      },
    },
  });
  return logSince(
    path,
    {
      heads: (rows['session'] ?? []).map((row) => rowRecord('sessions', id, row)),
      rows: (rows['messages'] ?? []).map((row) => {
        const message = String(row['id']);
        return rowRecord('messages', message, {
          ...row,
          id: message,
          place: numberIn(row, 'id') ?? 0,
        });
      }),
    },
    cursor,
  );
}

/** A session from before the database: its facts, then a message a line. */
export async function readGooseFile(path: string, cursor: Cursor | undefined): Promise<ReadResult> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter((line) => line.trim() !== '');
  const [first = ''] = lines;
  const facts = objectIn(first);
  const hasFacts = facts !== undefined && !('role' in facts);
  const id = basename(path, '.jsonl');
  const messages = hasFacts ? lines.slice(1) : lines;
  return logSince(
    path,
    {
      heads: [rowRecord('sessions', id, { ...(hasFacts ? facts : {}), id })],
      rows: messages.map((line, place) => {
        const message = objectIn(line) ?? { content: line };
        return rowRecord('messages', String(place), { ...message, id: String(place), place });
      }),
    },
    cursor,
  );
}

function objectIn(line: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return undefined;
  }
}
