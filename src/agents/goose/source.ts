import { basename, join } from 'node:path';
import { headRecords } from '../fileHead.js';
import { isDatabase } from '../fileForm.js';
import { HeadReader, linesHead } from '../heads.js';
import { textOf, type Fields } from '../json.js';
import type { FindResult, ListedThread, Source, SourceQuery } from '../source.js';
import type { DatabaseList } from '../sqlite/list.js';
import { RowThreadParser } from '../sqlite/rowThread.js';
import { DatabaseSearch } from '../sqlite/search.js';
import { ThreadSearch } from '../threadSearch.js';
import { gooseDialect } from './messages.js';
import { createGooseList, readGoose, readGooseFile } from './store.js';
import { asksForAny, isWanted } from '../wanted.js';

/** Goose: sessions of its database, and of the files before it. */
export function createGoose(): Source {
  const list = createGooseList();
  const heads = new HeadReader(
    'goose',
    linesHead({ add: ({ cwd }, record) => ({ cwd: cwd ?? textOf(record['working_dir']) }) }),
  );
  return {
    agent: 'goose',
    name: 'Goose',
    find: (query) => find(query, list, heads),
    read: async ({ path, nativeId }, cursor) =>
      (await isDatabase(path)) ? readGoose(path, nativeId, cursor) : readGooseFile(path, cursor),
    parser: (nativeId, options) => new RowThreadParser(gooseDialect, nativeId, options),
    recognises: (head) => headRecords(head).some(isOwn),
    threadsIn: async (path) => ((await isDatabase(path)) ? list.of(path) : undefined),
    watch: (query) =>
      sessionFolders(query).flatMap((folder) => {
        const database = join(folder, 'sessions.db');
        return [database, `${database}-wal`];
      }),
    resume: ({ nativeId }) =>
      /^\d{8}_\d+$/.test(nativeId)
        ? ['goose', 'session', '--resume', '--session-id', nativeId]
        : undefined,
  };
}

export const goose = createGoose();

/** The facts that a session's file begins with. */
const isOwn = (record: Fields): boolean =>
  'working_dir' in record && ('description' in record || 'message_count' in record);

/** Sources disagree on macOS, so both places are looked at. */
export function sessionFolders({ env, userHome, homes }: SourceQuery): readonly string[] {
  const { XDG_DATA_HOME: xdg, GOOSE_PATH_ROOT: root, APPDATA: roaming } = env;
  const data = [
    ...(root ? [join(root, 'data')] : []),
    ...(xdg ? [join(xdg, 'goose')] : []),
    join(userHome, '.local', 'share', 'goose'),
    join(userHome, 'Library', 'Application Support', 'Block', 'goose'),
    ...(roaming ? [join(roaming, 'Block', 'goose', 'data')] : []),
    ...homes,
  ];
  return [...new Set(data)].map((folder) => join(folder, 'sessions'));
}

async function find(
  query: SourceQuery,
  list: DatabaseList<ListedThread>,
  heads: HeadReader,
): Promise<FindResult> {
  if (!asksForAny(query)) return { threads: [], filesLookedAt: 0, problems: [] };
  const stores = new DatabaseSearch();
  const files = new ThreadSearch();
  const found: ListedThread[] = [];
  const ids = new Set<string>();
  for (const folder of sessionFolders(query)) {
    const listed = await stores.ask(list, join(folder, 'sessions.db'));
    for (const { nativeId } of listed) ids.add(nativeId);
    found.push(...listed.filter((one) => isWanted(one.folder, query)));
    await searchFiles(folder, query, files, heads);
  }
  const old = files.result();
  // What was moved into the database stays behind as files.
  const others = old.threads.filter(({ nativeId }) => !ids.has(nativeId));
  return {
    threads: [...found, ...others],
    filesLookedAt: stores.lookedAt + old.filesLookedAt,
    problems: [...stores.problems, ...old.problems],
  };
}

async function searchFiles(
  folder: string,
  query: SourceQuery,
  files: ThreadSearch,
  heads: HeadReader,
): Promise<void> {
  for (const { name } of await files.list(folder)) {
    if (!name.endsWith('.jsonl')) continue;
    const path = join(folder, name);
    await files.look(path, async (stats) => {
      const { cwd } = await heads.read(path, stats);
      return isWanted(cwd, query) ? { nativeId: basename(name, '.jsonl'), cwd } : undefined;
    });
  }
}
