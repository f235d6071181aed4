import { join } from 'node:path';
import type { Cursor } from '../../core/model/records.js';
import { ExpectedError } from '../../core/errors.js';
import { fieldsOf, isFields, type Fields } from '../json.js';
import type { ListedThread, ReadResult, SourceQuery } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { justFoundMs, numberIn, textIn, type Question, type Row } from '../sqlite/question.js';
import { formatNotKnown } from '../sqlite/answer.js';
import { databases } from '../sqlite/reader.js';
import { logSince, type LogRow } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';

/*
 * The first engine of Kiro's command line, which was Amazon Q's: a table of conversations, each one JSON value under
 * the folder that it is about. Before there were several for a folder, the table was `conversations(key, value)`.
 */

/** One of them is enough. */
const stores = ['conversations_v2', 'conversations'];
const needs: Question['needs'] = {};

/** Databases of the program by either of its names. */
export function databasesOf({ env, userHome }: SourceQuery): readonly string[] {
  const { XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = env;
  const roots = [
    xdg || join(userHome, '.local', 'share'),
    join(userHome, 'Library', 'Application Support'),
    ...(local ? [local] : []),
  ];
  return roots.flatMap((root) =>
    ['kiro-cli', 'amazon-q'].map((name) => join(root, name, 'data.sqlite3')),
  );
}

const selects: Question['selects'] = {
  several: {
    from: 'conversations_v2',
    sql: `SELECT key, conversation_id, created_at, updated_at, octet_length(value) AS bytes
          FROM conversations_v2`,
  },
  single: {
    from: 'conversations',
    sql: 'SELECT key, octet_length(value) AS bytes FROM conversations',
  },
};

export const createConversationList = (): DatabaseList<ListedThread> =>
  new DatabaseList(async (path) => {
    const { rows, tables, stamp } = await databases.ask({ path, needs, selects });
    const isOurs = stores.some((name) => tables[name]?.includes('value') === true);
    if (!isOurs && Object.keys(tables).length > 0) {
      throw formatNotKnown(path, stores.join(', '), tables);
    }
    const several = rows['several'] ?? [];
    const moved = new Set(several.map((row) => textIn(row, 'key')));
    const single = (rows['single'] ?? []).filter((row) => !moved.has(textIn(row, 'key')));
    return { items: [...several, ...single].flatMap((row) => listed(path, row)), stamp };
  });

function listed(path: string, row: Row): readonly ListedThread[] {
  const folder = textIn(row, 'key');
  const nativeId = textIn(row, 'conversation_id') ?? folder;
  if (nativeId === undefined) return [];
  const bytes = numberIn(row, 'bytes') ?? 0;
  const modifiedAt = numberIn(row, 'updated_at') ?? 0;
  return [{ nativeId, path, bytes, modifiedAt, folder, cwd: folder }];
}

/** What a conversation has gained since the cursor: each exchange by itself, and all that is not one. */
export async function readConversation(
  path: string,
  id: string,
  cursor: Cursor | undefined,
): Promise<ReadResult> {
  const { rows } = await databases.ask({
    path,
    needs,
    maxAgeMs: justFoundMs,
    selects: {
      several: {
        from: 'conversations_v2',
        sql: 'SELECT * FROM conversations_v2 WHERE conversation_id = ?',
        parameters: [id],
      },
      single: {
        from: 'conversations',
        sql: 'SELECT * FROM conversations WHERE key = ?',
        parameters: [id],
      },
    },
  });
  const row = rows['several']?.[0] ?? rows['single']?.[0];
  if (row === undefined) {
    throw new ExpectedError('noThread', '{0} holds no conversation {1}.', [path, id]);
  }
  return logSince(path, rowsOf(id, row), cursor);
}

function rowsOf(id: string, row: Row) {
  const value = parsed(row['value']);
  if (value === undefined) {
    return { heads: [], rows: [{ key: 'broken', record: String(row['value']).slice(0, 4096) }] };
  }
  const { history, ...about } = value;
  // The same again, as it stood on the screen.
  const head = rowRecord('conversation', id, {
    ...row,
    value: null,
    about: { ...about, transcript: undefined },
  });
  const exchanges: readonly unknown[] = Array.isArray(history) ? history : [];
  const made = exchanges.flatMap((exchange, at): readonly LogRow[] => {
    const { user, assistant, ...around } = exchangeOf(exchange);
    return [
      rowRecord('said', `${at}u`, { id: `${at}u`, place: 2 * at, user, ...around }),
      rowRecord('said', `${at}a`, { id: `${at}a`, place: 2 * at + 1, assistant, ...around }),
    ];
  });
  return { heads: [head], rows: made };
}

/** Older versions kept a pair. */
function exchangeOf(exchange: unknown): Fields {
  if (Array.isArray(exchange)) {
    return { user: exchange[0] as unknown, assistant: exchange[1] as unknown };
  }
  return fieldsOf(exchange) ?? {};
}

function parsed(value: unknown): Fields | undefined {
  try {
    const found: unknown = JSON.parse(typeof value === 'string' ? value : '');
    return isFields(found) ? found : undefined;
  } catch {
    return undefined;
  }
}
