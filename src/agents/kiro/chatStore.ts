import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { firstIn, memberIn } from '../firstIn.js';
import { HeadReader } from '../heads.js';
import type { SourceQuery } from '../source.js';
import type { ThreadSearch } from '../threadSearch.js';
import { manyAre } from '../unread.js';
import { isWanted } from '../wanted.js';

/** Which conversation an execution belongs to stands behind all that was said. */
export const chatHeads = (): HeadReader =>
  new HeadReader('kiro-chat', async (path) => ({
    id: await firstIn(path, (text) => memberIn(text, 'workflowId')),
  }));

/** A workspace's folder is called by the beginning of the SHA-256 of its path. */
export const workspaceName = (folder: string): string =>
  createHash('sha256').update(folder).digest('hex').slice(0, nameLength);

const nameLength = 32;
const isWorkspace = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

/**
 * Takes executions (`<workspace>/<hash>.chat`), those of a conversation as files of one thread, and tells how many logs
 * of newer editors there are, whose form nobody has told.
 *
 * @param named working folders that other parts of the store name
 */
export async function searchChats(
  query: SourceQuery,
  home: string,
  named: readonly string[],
  search: ThreadSearch,
  heads: HeadReader,
): Promise<void> {
  const folders = new Map([...named, ...query.folders].map((one) => [workspaceName(one), one]));
  for (const { name } of (await search.list(home)).filter((entry) => isWorkspace(entry.name))) {
    const cwd = folders.get(name);
    if (!isWanted(cwd, query)) continue;
    const workspace = join(home, name);
    let unread = 0;
    for (const entry of await search.list(workspace)) {
      const path = join(workspace, entry.name);
      if (entry.name.endsWith('.chat')) {
        await search.look(path, async (stats) => {
          const { id } = await heads.read(path, stats);
          return { nativeId: id ?? entry.name.slice(0, -'.chat'.length), cwd };
        });
      } else if (entry.isDirectory() && isWorkspace(entry.name)) {
        unread += (await search.list(path)).filter((log) => log.isFile()).length;
      }
    }
    if (unread > 0) search.problem(workspace, unreadLogs(unread));
  }
}

const unreadLogs = (many: number): string =>
  `${manyAre(many, 'log of an execution', 'logs of executions')} not read: newer versions of Kiro keep answers there, in a form that is not known`;
