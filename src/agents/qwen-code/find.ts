import { basename, join } from 'node:path';
import { dashed, mayHold } from '../folders.js';
import {
  findThreads as findOldThreads,
  geminiMemory,
  type GeminiMemory,
} from '../gemini-cli/find.js';
import { HeadReader, linesHead } from '../heads.js';
import { textOf } from '../json.js';
import { withHome } from '../places.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { asksForAny, isWanted } from '../wanted.js';

/** What finding remembers from one time to the next. */
export interface QwenMemory {
  readonly heads: HeadReader;
  readonly old: GeminiMemory;
}

export const qwenMemory = (): QwenMemory => ({
  heads: new HeadReader(
    'qwen-code',
    linesHead({
      add: (before, record) => ({
        cwd: textOf(record['cwd']),
        id: before.id ?? textOf(record['sessionId']),
      }),
    }),
  ),
  old: geminiMemory(),
});

/** `QWEN_RUNTIME_DIR`, else `QWEN_HOME`, replaces `~/.qwen`; then those given. */
export const homesOf = (query: SourceQuery): readonly string[] => {
  const { env, userHome } = query;
  const own = [env['QWEN_RUNTIME_DIR'], env['QWEN_HOME']].find(Boolean) ?? join('~', '.qwen');
  return [...new Set([withHome(own, userHome), ...query.homes])];
};

export const watchedFolders = (query: SourceQuery): readonly string[] =>
  homesOf(query).flatMap((home) =>
    [...new Set(query.folders.map(dashed))].map((name) => join(home, 'projects', name)),
  );

/**
 * Lists sessions and subagents from files, and those of the first versions, which kept Gemini CLI's
 * form. A folder's name only narrows the search: whether a session belongs to the query is decided by
 * the working folder in its records, or by the name if it has none.
 */
export async function findThreads(query: SourceQuery, memory: QwenMemory): Promise<FindResult> {
  const search = new ProjectSearch(query, memory.heads);
  const homes = homesOf(query);
  if (asksForAny(query)) for (const home of homes) await search.home(home);
  const found = search.result();
  const old = await findOldThreads(query, memory.old, homes);
  return {
    threads: [...found.threads, ...old.threads],
    filesLookedAt: found.filesLookedAt + old.filesLookedAt,
    problems: [...found.problems, ...old.problems],
  };
}

class ProjectSearch extends ThreadSearch {
  constructor(
    private readonly query: SourceQuery,
    private readonly heads: HeadReader,
  ) {
    super();
  }

  async home(home: string): Promise<void> {
    for (const entry of await this.list(join(home, 'projects'))) {
      const mayMatter =
        this.query.everywhere === true ||
        this.query.folders.some((folder) => mayHold(entry.name, folder));
      if (!entry.isDirectory() || !mayMatter) continue;
      const project = join(home, 'projects', entry.name);
      await this.sessions(join(project, 'chats'), project);
      for (const session of await this.list(join(project, 'subagents'))) {
        const folder = join(project, 'subagents', session.name);
        if (session.isDirectory()) await this.subagents(folder, project, session.name);
      }
    }
  }

  private async sessions(folder: string, project: string): Promise<void> {
    for (const entry of await this.list(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await this.sessions(path, project);
      else if (isTranscript(entry.name)) await this.transcript(path, project, undefined);
    }
  }

  private async subagents(folder: string, project: string, parent: string): Promise<void> {
    for (const entry of await this.list(folder)) {
      if (isTranscript(entry.name)) {
        await this.transcript(join(folder, entry.name), project, parent);
      }
    }
  }

  private async transcript(
    path: string,
    project: string,
    parent: string | undefined,
  ): Promise<void> {
    await this.look(path, async (stats) => {
      const { cwd } = await this.heads.read(path, stats);
      const isNamed = this.query.folders.some((folder) => basename(project) === dashed(folder));
      if (!isWanted(cwd, this.query) && !(cwd === undefined && isNamed)) return undefined;
      return { nativeId: basename(path, '.jsonl'), parent, cwd };
    });
  }
}

const isTranscript = (name: string): boolean => name.endsWith('.jsonl');
