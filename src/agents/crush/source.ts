import { join, resolve } from 'node:path';
import type { Cursor } from '../../core/model/records.js';
import { fieldsOf, isString, objectsOf, type Fields } from '../json.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, ListedThread, ReadResult, Source, SourceQuery } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import {
  justFoundMs,
  numberIn,
  textIn,
  type Question,
  type Row,
  type Value,
} from '../sqlite/question.js';
import { databases } from '../sqlite/reader.js';
import { logSince } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';
import { RowThreadParser } from '../sqlite/rowThread.js';
import { DatabaseSearch } from '../sqlite/search.js';
import { isZstd, unpackZstd } from '../sqlite/unpack.js';
import { isWanted } from '../wanted.js';
import { crushDialect, crushTime } from './messages.js';

const needs: Question['needs'] = {
  sessions: ['id', 'parent_session_id', 'title', 'updated_at'],
  messages: ['id', 'session_id', 'role', 'parts', 'created_at', 'updated_at'],
};

/** Crush, which keeps its sessions in the folder that they are about, unless it was told another. */
export function createCrush(files = new SmallFiles()): Source {
  const list = new DatabaseList(listSessions);
  return {
    agent: 'crush',
    name: 'Crush',
    needsFolders: true,
    find: (query) => find(query, list, files),
    read: ({ path, nativeId, cwd }, cursor) => readSession(path, nativeId, cwd, cursor),
    parser: (nativeId, options) => new RowThreadParser(crushDialect, nativeId, options),
    threadsIn: (path) => list.of(path),
    watch: (query) => databasesOf(query).flatMap(({ path }) => [path, `${path}-wal`]),
  };
}

export const crush = createCrush();

interface Place {
  readonly folder: string;
  readonly path: string;
}

/** Where it lies unless `options.data_directory` names another folder. */
const databasesOf = ({ folders }: SourceQuery): readonly Place[] =>
  folders.map((folder) => ({ folder, path: join(folder, '.crush', 'crush.db') }));

/** The program's list of folders that it has worked in, each with the folder of its database. */
async function listedPlaces(query: SourceQuery, files: SmallFiles): Promise<readonly Place[]> {
  const { env, userHome } = query;
  const { CRUSH_GLOBAL_DATA: own, XDG_DATA_HOME: xdg, LOCALAPPDATA: local } = env;
  const usual = [xdg || join(userHome, '.local', 'share'), ...(local ? [local] : [])];
  const homes = own ? [own] : usual.map((root) => join(root, 'crush'));
  const lists = await Promise.all(homes.map((home) => files.read(join(home, 'projects.json'))));
  return lists.flatMap((text) =>
    objectsOf(parsed(text)?.['projects']).flatMap(({ path: folder, data_dir: data }) => {
      if (!isString(folder) || !isString(data) || !isWanted(folder, query)) return [];
      return [{ folder, path: join(resolve(folder, data), 'crush.db') }];
    }),
  );
}

function parsed(text: string | undefined): Fields | undefined {
  try {
    return text === undefined ? undefined : fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

async function find(
  query: SourceQuery,
  list: DatabaseList<ListedThread>,
  files: SmallFiles,
): Promise<FindResult> {
  const stores = new DatabaseSearch();
  const threads: ListedThread[] = [];
  const places = [...databasesOf(query), ...(await listedPlaces(query, files))];
  for (const { folder, path } of new Map(places.map((place) => [place.path, place])).values()) {
    const listed = await stores.ask(list, path);
    threads.push(...listed.map((thread) => ({ ...thread, folder, cwd: folder })));
  }
  return { threads, filesLookedAt: stores.lookedAt, problems: stores.problems };
}

async function listSessions(path: string) {
  const { rows, stamp } = await databases.ask({
    path,
    needs,
    selects: {
      sessions: { from: 'sessions', sql: 'SELECT * FROM sessions' },
      messages: {
        from: 'messages',
        sql: `SELECT session_id AS id, sum(octet_length(parts)) AS bytes, max(updated_at) AS at
              FROM messages GROUP BY session_id`,
      },
    },
  });
  const sizes = new Map((rows['messages'] ?? []).map((row) => [textIn(row, 'id'), row]));
  return { items: (rows['sessions'] ?? []).flatMap((row) => listed(path, row, sizes)), stamp };
}

function listed(path: string, row: Row, sizes: ReadonlyMap<string | undefined, Row>) {
  const nativeId = textIn(row, 'id');
  const own = sizes.get(nativeId);
  if (nativeId === undefined || own === undefined) return [];
  const times = [crushTime(row['updated_at']), crushTime(own['at'])];
  return [
    {
      nativeId,
      path,
      bytes: numberIn(own, 'bytes') ?? 0,
      modifiedAt: Math.max(...times.map((at) => at ?? 0)),
      parent: textIn(row, 'parent_session_id'),
      title: textIn(row, 'title'),
    },
  ];
}

/** What a session has gained since the cursor, message by message. */
async function readSession(
  path: string,
  id: string,
  folder: string | undefined,
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
        sql: `SELECT *, rowid AS place FROM messages WHERE session_id = ?
              ORDER BY created_at, rowid`,
        parameters: [id],
      },
    },
  });
  const place = folder === undefined ? [] : [rowRecord('place', 'folder', { folder })];
  return logSince(
    path,
    {
      heads: [...(rows['session'] ?? []).map((row) => rowRecord('sessions', id, row)), ...place],
      rows: (rows['messages'] ?? []).map((row) =>
        rowRecord('messages', textIn(row, 'id') ?? '', { ...row, parts: unpacked(row['parts']) }),
      ),
    },
    cursor,
  );
}

/** Newer versions compress parts; what cannot be unpacked stays as it is, and is counted as damaged. */
function unpacked(parts: Value | undefined): Value | undefined {
  if (!(parts instanceof Uint8Array) || !isZstd(parts)) return parts;
  try {
    return unpackZstd(parts);
  } catch {
    return parts;
  }
}
