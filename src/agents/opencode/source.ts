import { join } from 'node:path';
import { isDatabase } from '../fileForm.js';
import type { FindResult, ListedThread, Source, SourceQuery } from '../source.js';
import type { DatabaseList } from '../sqlite/list.js';
import { DatabaseSearch } from '../sqlite/search.js';
import { createList, readSession } from './database.js';
import type { Family } from './family.js';
import { openCodeParser } from './parse.js';
import { databasesIn, dataFolders, namesIn } from './places.js';
import { listTree, readTree } from './tree.js';
import { asksForAny, isWanted } from '../wanted.js';

/** OpenCode, or a program made from it: sessions of its databases, and of the JSON files before them. */
export function createOpenCode(family: Family): Source {
  const list = createList(family);
  return {
    agent: family.agent,
    name: family.name,
    find: (query) => find(family, list, query),
    read: async ({ path, nativeId }, cursor) =>
      (await isDatabase(path)) ? readSession(path, nativeId, cursor) : readTree(path, cursor),
    parser: (nativeId, options) => openCodeParser(family.agent, nativeId, options),
    recognises: (head) => family.file?.test(head) ?? false,
    threadsIn: async (path) => ((await isDatabase(path)) ? list.of(path) : undefined),
    watch: (query) =>
      dataFolders(family, query).flatMap((folder) => {
        const database = join(folder, `${family.word}.db`);
        // The folder itself holds logs and snapshots, which change all the time.
        return [database, `${database}-wal`, join(folder, 'storage', 'session')];
      }),
    resume: ({ nativeId }) =>
      /^ses_\w+$/.test(nativeId) ? [family.word, '--session', nativeId] : undefined,
  };
}

export const openCode = createOpenCode({
  agent: 'opencode',
  name: 'OpenCode',
  word: 'opencode',
  databaseVariable: 'OPENCODE_DB',
  // What `export` writes, or a session's own file from before the database.
  file: /^\s*\{\s*"(?:info"\s*:\s*\{\s*"id|id)"\s*:\s*"ses_/,
  owns: (tables) => !tables.some((table) => table.startsWith('kilo')),
});

async function find(
  family: Family,
  list: DatabaseList<ListedThread>,
  query: SourceQuery,
): Promise<FindResult> {
  const stores = new DatabaseSearch();
  const byId = new Map<string, ListedThread>();
  const take = (threads: readonly ListedThread[]): void => {
    for (const thread of threads) {
      const other = byId.get(thread.nativeId);
      if (other === undefined || other.modifiedAt < thread.modifiedAt) {
        byId.set(thread.nativeId, thread);
      }
    }
  };
  const folders = asksForAny(query) ? dataFolders(family, query) : [];
  const files = new Set<string>();
  for (const folder of folders) {
    for (const file of await databasesIn(family, folder, query.env)) files.add(file);
  }
  for (const file of files) take(await stores.ask(list, file));
  // What was moved into a database stays behind as files, and is not followed there any more.
  const moved = new Set(byId.keys());
  for (const folder of folders) {
    const tree = await listTree(folder);
    stores.lookedAt += tree.length;
    take(tree.filter(({ nativeId }) => !moved.has(nativeId)));
    await noteOldest(folder, stores);
  }
  const belongs = ({ folder, parent }: ListedThread): boolean => {
    if (isWanted(folder, query)) return true;
    const starter = byId.get(parent ?? '');
    return starter !== undefined && starter.parent === undefined && belongs(starter);
  };
  const { lookedAt: filesLookedAt, problems } = stores;
  return { threads: [...byId.values()].filter(belongs), filesLookedAt, problems };
}

/** Before 0.6 there was a folder for each project, and messages of another shape. */
async function noteOldest(folder: string, stores: DatabaseSearch): Promise<void> {
  const projects = join(folder, 'project');
  for (const name of await namesIn(projects)) {
    const where = join(projects, name, 'storage', 'session', 'info');
    if ((await namesIn(where)).length === 0) continue;
    stores.problem(projects, 'Conversations of OpenCode before 0.6 are not read.');
    return;
  }
}
