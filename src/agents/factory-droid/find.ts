import { basename, join } from 'node:path';
import { HeadReader, linesHead } from '../heads.js';
import { textOf } from '../json.js';
import { withHome } from '../places.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { asksForAny, isWanted } from '../wanted.js';

/** `FACTORY_HOME_OVERRIDE` replaces the user's home. */
export const sessionFolders = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const own = join(withHome(env['FACTORY_HOME_OVERRIDE'] || '~', userHome), '.factory');
  return [...new Set([own, ...homes])].map((home) => join(home, 'sessions'));
};

export const droidHeads = (): HeadReader =>
  new HeadReader(
    'factory-droid',
    linesHead({
      longest: 1024 * 1024,
      add: (before, { type, cwd }) => (type === 'session_start' ? { cwd: textOf(cwd) } : before),
    }),
  );

/** Lists sessions from files; which folder one belongs to stands in its first record. */
export async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new SessionSearch(query, heads);
  if (asksForAny(query)) {
    for (const folder of sessionFolders(query)) await search.folder(folder, true);
  }
  return search.result();
}

/** Sessions lie in folders that are named after working folders; formerly side by side. */
class SessionSearch extends ThreadSearch {
  constructor(
    private readonly query: SourceQuery,
    private readonly heads: HeadReader,
  ) {
    super();
  }

  async folder(folder: string, goesDown: boolean): Promise<void> {
    for (const entry of await this.list(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && goesDown) await this.folder(path, false);
      else if (entry.name.endsWith('.jsonl')) await this.session(path);
    }
  }

  private async session(path: string): Promise<void> {
    await this.look(path, async (stats) => {
      const { cwd } = await this.heads.read(path, stats);
      return isWanted(cwd, this.query) ? { nativeId: basename(path, '.jsonl'), cwd } : undefined;
    });
  }
}
