import { basename, join } from 'node:path';
import { HeadReader, linesHead } from '../heads.js';
import { textOf } from '../json.js';
import { withHome } from '../places.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { asksForAny, isWanted } from '../wanted.js';

export const piHeads = (): HeadReader =>
  new HeadReader(
    'pi',
    linesHead({
      longest: 1024 * 1024,
      add: (before, { type, id, cwd }) =>
        type === 'session' ? { id: textOf(id), cwd: textOf(cwd) } : before,
    }),
  );

/** Folders of sessions: in the agent's own (`PI_CODING_AGENT_DIR`) and those given, or one apart. */
export const sessionFolders = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const own = env['PI_CODING_AGENT_DIR'] || join('~', '.pi', 'agent');
  const apart = env['PI_CODING_AGENT_SESSION_DIR'];
  const all = [...[own, ...homes].map((home) => join(home, 'sessions')), ...(apart ? [apart] : [])];
  return [...new Set(all.map((folder) => withHome(folder, userHome)))];
};

/** Lists sessions from files; which folder one belongs to stands in its first entry. */
export async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new SessionSearch(query, heads);
  if (asksForAny(query)) {
    for (const folder of sessionFolders(query)) await search.folder(folder, true);
  }
  return search.result();
}

/** Sessions lie in folders that are named after working folders, or, in a folder apart, side by side. */
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
      const { id, cwd } = await this.heads.read(path, stats);
      if (!isWanted(cwd, this.query) && !(cwd === undefined && this.isNamedAfter(path))) {
        return undefined;
      }
      return { nativeId: idInName(path) ?? id ?? basename(path, '.jsonl'), cwd };
    });
  }

  /** What is left to go by when the first entry is broken. */
  private isNamedAfter(path: string): boolean {
    return this.query.folders.some((folder) => path.includes(nameOf(folder)));
  }
}

/** The name of the folder in which Pi keeps the sessions of a working folder (0.73). */
export const nameOf = (folder: string): string =>
  `--${folder.replace(/^[/\\]/, '').replace(/[/\\:]/g, '-')}--`;

/** `<time>_<id>.jsonl` */
const idInName = (path: string): string | undefined => /_([^_]+)\.jsonl$/.exec(path)?.[1];
