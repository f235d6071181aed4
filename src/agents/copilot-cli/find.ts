import { basename, join } from 'node:path';
import { HeadReader, linesHead } from '../heads.js';
import { fieldsOf, textOf } from '../json.js';
import { withHome } from '../places.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { manyAre } from '../unread.js';
import { asksForAny, isWanted } from '../wanted.js';

/** What finding remembers from one time to the next. */
export interface CopilotMemory {
  readonly heads: HeadReader;
  readonly files: SmallFiles;
}

export const copilotMemory = (): CopilotMemory => ({
  heads: new HeadReader(
    'copilot-cli',
    linesHead({
      longest: 1024 * 1024,
      add: (before, { type, data }) => {
        const { context, sessionId } = fieldsOf(data) ?? {};
        const isAbout = type === 'session.start' || type === 'session.resume';
        const cwd = isAbout ? textOf(fieldsOf(context)?.['cwd']) : undefined;
        return { cwd: before.cwd ?? cwd, id: before.id ?? textOf(sessionId) };
      },
    }),
  ),
  files: new SmallFiles(),
});

/** Folders of sessions, of each version: those of before were flat and later moved away. */
const stores = ['session-state', 'history-session-state'];

/** `COPILOT_HOME` replaces `~/.copilot`, which older versions put into `XDG_STATE_HOME`. */
export const sessionFolders = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const state = env['XDG_STATE_HOME'];
  const usual = [join('~', '.copilot'), ...(state ? [join(state, '.copilot')] : [])];
  const own = env['COPILOT_HOME'] ? [env['COPILOT_HOME']] : usual;
  const all = [...new Set([...own.map((home) => withHome(home, userHome)), ...homes])];
  return all.flatMap((home) => stores.map((store) => join(home, store)));
};

/** Lists sessions from files; which folder one belongs to stands in its first event, or else beside it. */
export async function findThreads(query: SourceQuery, memory: CopilotMemory): Promise<FindResult> {
  const search = new SessionSearch(query, memory);
  if (asksForAny(query)) {
    for (const folder of sessionFolders(query)) await search.store(folder);
  }
  return search.result();
}

class SessionSearch extends ThreadSearch {
  constructor(
    private readonly query: SourceQuery,
    private readonly memory: CopilotMemory,
  ) {
    super();
  }

  async store(folder: string): Promise<void> {
    const entries = await this.list(folder);
    const older = entries.filter(({ name }) => name.endsWith('.json'));
    if (older.length > 0) {
      this.problem(
        folder,
        `${manyAre(older.length, 'session')} not read: the form of the first versions is not known`,
      );
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.name.endsWith('.jsonl')) await this.session(path, basename(path, '.jsonl'));
      else if (entry.isDirectory()) {
        const names = (await this.list(path)).map(({ name }) => name);
        // Resuming makes folders that stay empty.
        if (names.includes('events.jsonl')) {
          await this.session(join(path, 'events.jsonl'), entry.name);
        }
      }
    }
  }

  private async session(path: string, nativeId: string): Promise<void> {
    await this.look(path, async (stats) => {
      const head = await this.memory.heads.read(path, stats);
      const cwd = head.cwd ?? (await this.folderBeside(path));
      return isWanted(cwd, this.query) ? { nativeId, cwd } : undefined;
    });
  }

  private async folderBeside(path: string): Promise<string | undefined> {
    const yaml = await this.memory.files.read(join(path, '..', 'workspace.yaml'));
    const [, quoted] = /^cwd:[ \t]*(.+?)[ \t]*$/m.exec(yaml ?? '') ?? [];
    return quoted?.replace(/^(["'])(.*)\1$/, '$2');
  }
}
