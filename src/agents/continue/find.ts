import { basename, join } from 'node:path';
import { firstIn, memberIn } from '../firstIn.js';
import { HeadReader } from '../heads.js';
import { folderOfUri, withHome } from '../places.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { asksForAny, isWanted } from '../wanted.js';

/** `CONTINUE_GLOBAL_DIR` replaces `~/.continue`; the extension and the command line share it. */
export const sessionFolders = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const own = withHome(env['CONTINUE_GLOBAL_DIR'] || join('~', '.continue'), userHome);
  return [...new Set([own, ...homes])].map((home) => join(home, 'sessions'));
};

export const continueHeads = (): HeadReader =>
  new HeadReader(async (path) => {
    const folder = await firstIn(path, (text) => memberIn(text, 'workspaceDirectory'));
    return { cwd: folder && folderOfUri(folder) };
  });

/** Lists sessions from files; which folder one belongs to stands in it. */
export async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const folder of asksForAny(query) ? sessionFolders(query) : []) {
    for (const { name } of await search.list(folder)) {
      if (!name.endsWith('.json') || name === 'sessions.json') continue;
      const path = join(folder, name);
      await search.look(path, async (stats) => {
        const { cwd } = await heads.read(path, stats);
        return isWanted(cwd, query) ? { nativeId: basename(name, '.json'), cwd } : undefined;
      });
    }
  }
  return search.result();
}
