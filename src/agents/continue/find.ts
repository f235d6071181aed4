import { basename, join } from 'node:path';
import { firstIn, memberIn } from '../firstIn.js';
import { HeadReader } from '../heads.js';
import { objectsOf } from '../json.js';
import { folderOfUri, withHome } from '../places.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { asksForAny, isWanted } from '../wanted.js';

/** `CONTINUE_GLOBAL_DIR` replaces `~/.continue`; the extension and the command line share it. */
export const sessionFolders = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const own = withHome(env['CONTINUE_GLOBAL_DIR'] || join('~', '.continue'), userHome);
  return [...new Set([own, ...homes])].map((home) => join(home, 'sessions'));
};

/** What finding remembers from one time to the next. */
export interface ContinueMemory {
  readonly heads: HeadReader;
  readonly files: SmallFiles;
}

export const continueMemory = (): ContinueMemory => ({
  heads: new HeadReader('continue', async (path) => {
    const folder = await firstIn(path, (text) => memberIn(text, 'workspaceDirectory'));
    return { cwd: folder && folderOfUri(folder) };
  }),
  files: new SmallFiles(),
});

/** Ids that the program's own list has; undefined when there is no list, or none that can be read. */
function listedIn(text: string | undefined): ReadonlySet<unknown> | undefined {
  try {
    const list: unknown = text === undefined ? undefined : JSON.parse(text);
    return Array.isArray(list)
      ? new Set(objectsOf(list).map(({ sessionId }) => sessionId))
      : undefined;
  } catch {
    return undefined;
  }
}

/** Lists sessions from files; which folder one belongs to stands in it. */
export async function findThreads(query: SourceQuery, memory: ContinueMemory): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const folder of asksForAny(query) ? sessionFolders(query) : []) {
    const listed = listedIn(await memory.files.read(join(folder, 'sessions.json')));
    for (const { name } of await search.list(folder)) {
      if (!name.endsWith('.json') || name === 'sessions.json') continue;
      const path = join(folder, name);
      await search.look(path, async (stats) => {
        const { cwd } = await memory.heads.read(path, stats);
        const nativeId = basename(name, '.json');
        const isUnlisted = (listed !== undefined && !listed.has(nativeId)) || undefined;
        return isWanted(cwd, query) ? { nativeId, cwd, isUnlisted } : undefined;
      });
    }
  }
  return search.result();
}
