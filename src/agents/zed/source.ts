import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Cursor } from '../../core/model/records.js';
import { ExpectedError } from '../../core/errors.js';
import { isInside } from '../folders.js';
import { timeOf } from '../json.js';
import type { FindResult, ListedThread, ReadResult, Source, SourceQuery } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { justFoundMs, numberIn, textIn, type Question, type Row } from '../sqlite/question.js';
import { databases } from '../sqlite/reader.js';
import { logSince } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';
import { RowThreadParser } from '../sqlite/rowThread.js';
import { DatabaseSearch } from '../sqlite/search.js';
import { unpackThread } from './blob.js';
import { foldersOf, zedDialect } from './messages.js';
import { asksForAny } from '../wanted.js';

const needs: Question['needs'] = { threads: ['id', 'updated_at', 'data_type', 'data'] };

/** Threads of Zed's own agent; agents that it runs from elsewhere keep their own. */
export function createZed(): Source {
  const list = new DatabaseList(listThreads);
  return {
    agent: 'zed',
    name: 'Zed',
    find: (query) => find(query, list),
    read: ({ path, nativeId }, cursor) => readThread(path, nativeId, cursor),
    parser: (nativeId, options) => new RowThreadParser(zedDialect, nativeId, options),
    threadsIn: (path) => list.of(path),
    watch: (query) => databasesOf(query).flatMap((path) => [path, `${path}-wal`]),
  };
}

export const zed = createZed();

interface ZedThread extends ListedThread {
  readonly folders: readonly string[];
}

/** Zed's data folder on each platform. */
function databasesOf({ env, userHome, homes }: SourceQuery): readonly string[] {
  const { XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = env;
  const data = [
    join(xdg ? xdg : join(userHome, '.local', 'share'), 'zed'),
    join(userHome, 'Library', 'Application Support', 'Zed'),
    join(userHome, '.var', 'app', 'dev.zed.Zed', 'data', 'zed'),
    ...(local ? [join(local, 'Zed')] : []),
    ...homes,
  ];
  return [...new Set(data)].map((folder) => join(folder, 'threads', 'threads.db'));
}

async function find(query: SourceQuery, list: DatabaseList<ZedThread>): Promise<FindResult> {
  const stores = new DatabaseSearch();
  const threads: ZedThread[] = [];
  for (const path of asksForAny(query) ? databasesOf(query) : []) {
    const listed = await stores.ask(list, path);
    const belongs = ({ folders }: ZedThread): boolean =>
      query.everywhere === true || folders.some((folder) => isInside(folder, query.folders));
    const ids = new Set(listed.filter(belongs).map(({ nativeId }) => nativeId));
    threads.push(...listed.filter((one) => ids.has(one.nativeId) || ids.has(one.parent ?? '')));
    const older = await olderIn(dirname(path));
    if (older.length > 0) {
      stores.problem(dirname(path), 'Threads of versions before SQLite (LMDB) are not read');
    }
  }
  return { threads, filesLookedAt: stores.lookedAt, problems: stores.problems };
}

/** Before the database, Zed kept threads in one of another kind; it copies them when it is first started. */
const olderIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder).catch(() => [])).filter((name) => /^threads-db\.\d+\.mdb$/.test(name));

const listedColumns = ['id', 'parent_id', 'summary', 'folder_paths', 'updated_at', 'data_type'];

/** Versions before the folders had a column name them in the thread, which must be unpacked for it. */
async function listThreads(path: string) {
  const ask = (columns: string) =>
    databases.ask({
      path,
      needs,
      selects: {
        threads: {
          from: 'threads',
          sql: `SELECT ${columns}, octet_length(data) AS bytes FROM threads`,
        },
      },
    });
  const { tables } = await databases.ask({ path, needs, selects: {} });
  const columns = tables['threads'] ?? [];
  const hasFolders = columns.includes('folder_paths');
  const wanted = listedColumns.filter((column) => columns.includes(column)).join(', ');
  const data = hasFolders ? "iif(coalesce(folder_paths, '') = '', data, NULL) AS data" : 'data';
  const { rows, stamp } = await ask(`${wanted}, ${data}`);
  return { items: (rows['threads'] ?? []).map((row) => listed(path, row)), stamp };
}

function listed(path: string, row: Row): ZedThread {
  const folders = foldersIn(path, row);
  return {
    nativeId: textIn(row, 'id') ?? '',
    path,
    bytes: numberIn(row, 'bytes') ?? 0,
    modifiedAt: timeOf(row['updated_at']) ?? 0,
    parent: textIn(row, 'parent_id'),
    folder: folders[0],
    folders,
    title: textIn(row, 'summary'),
  };
}

function foldersIn(path: string, row: Row): readonly string[] {
  const data = row['data'];
  if (data === null || data === undefined || typeof data === 'number') return foldersOf(row);
  try {
    const thread = unpackThread(path, row['data_type'], data);
    const { cwd } = zedDialect.about({}, 'thread', { thread });
    return cwd === undefined ? [] : [cwd];
  } catch {
    // Reading it says what is wrong with it; here it only has no folder.
    return [];
  }
}

/** What a thread has gained since the cursor: its messages, each by itself, and all that is not one. */
async function readThread(
  path: string,
  id: string,
  cursor: Cursor | undefined,
): Promise<ReadResult> {
  const { rows } = await databases.ask({
    path,
    needs,
    maxAgeMs: justFoundMs,
    selects: {
      thread: { from: 'threads', sql: 'SELECT * FROM threads WHERE id = ?', parameters: [id] },
    },
  });
  const [row] = rows['thread'] ?? [];
  const data = row?.['data'];
  if (row === undefined || data === null || data === undefined || typeof data === 'number') {
    throw new ExpectedError('noThread', '{0} holds no conversation {1}.', [path, id]);
  }
  const { messages, ...thread } = unpackThread(path, row['data_type'], data);
  const head = { ...row, data: null, thread };
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  return logSince(
    path,
    {
      heads: [rowRecord('thread', id, head)],
      rows: list.map((value, place) =>
        rowRecord('message', String(place), { id: String(place), place, value }),
      ),
    },
    cursor,
  );
}
