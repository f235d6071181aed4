import { basename, dirname, join } from 'node:path';
import { mayHold } from '../folders.js';
import { HeadReader, linesHead } from '../heads.js';
import { textOf } from '../json.js';
import type { FindResult, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { encodeFolder, longestName } from './folders.js';
import { asksForAny, isWanted } from '../wanted.js';

/** The folders that may be Claude Code's own (`CLAUDE_CONFIG_DIR` replaces `~/.claude`) and those given. */
export const homesOf = (query: SourceQuery): readonly string[] => {
  const own = query.env['CLAUDE_CONFIG_DIR'];
  const usual = own === undefined || own === '' ? join(query.userHome, '.claude') : own;
  return [...new Set([usual, ...query.homes])];
};

/** The project folders of the query, whether they exist or not. */
export const projectFolders = (query: SourceQuery): readonly string[] =>
  homesOf(query).flatMap((home) =>
    [...new Set(query.folders.map(encodeFolder))].map((name) => join(home, 'projects', name)),
  );

export const claudeHeads = (): HeadReader =>
  new HeadReader(
    'claude-code',
    linesHead({
      add: (before, record) => ({
        cwd: textOf(record['cwd']),
        id: before.id ?? textOf(record['sessionId']),
      }),
    }),
  );

/**
 * Lists sessions and subagents from files. A folder's name only narrows the search: whether a session
 * belongs to the query is decided by the working folder in its records, or by the name if it has none.
 */
export async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new ProjectSearch(query, heads);
  if (asksForAny(query)) {
    for (const home of homesOf(query)) await search.home(join(home, 'projects'));
  }
  return search.result();
}

class ProjectSearch extends ThreadSearch {
  constructor(
    private readonly query: SourceQuery,
    private readonly heads: HeadReader,
  ) {
    super();
  }

  async home(projects: string): Promise<void> {
    for (const entry of await this.list(projects)) {
      const mayMatter =
        this.query.everywhere === true ||
        this.query.folders.some((folder) => mayHold(entry.name, folder, longestName));
      if (entry.isDirectory() && mayMatter) await this.project(join(projects, entry.name));
    }
  }

  private async project(folder: string): Promise<void> {
    const entries = await this.list(folder);
    const sessions = new Map<string, boolean>();
    for (const entry of entries.filter((file) => isTranscript(file.name))) {
      const taken = await this.transcript(join(folder, entry.name), undefined);
      sessions.set(idOf(entry.name), taken);
    }
    for (const entry of entries.filter((file) => file.isDirectory())) {
      // A subagent belongs where its session does; once that was swept away, where it worked itself.
      const belongs = sessions.get(entry.name);
      if (belongs !== false) {
        await this.subagents(join(folder, entry.name, 'subagents'), entry.name, belongs ?? false);
      }
    }
  }

  private async subagents(folder: string, parent: string, belongs: boolean): Promise<void> {
    for (const entry of await this.list(folder)) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await this.subagents(path, parent, belongs);
      else if (isTranscript(entry.name)) await this.transcript(path, { id: parent, belongs });
    }
  }

  /** Looks at one file; returns whether it belongs to the query. */
  private transcript(
    path: string,
    parent: { readonly id: string; readonly belongs: boolean } | undefined,
  ): Promise<boolean> {
    return this.look(path, async (stats) => {
      const head = await this.heads.read(path, stats);
      if (!parent?.belongs && !this.belongs(path, head.cwd)) return undefined;
      const nativeId = idOf(path);
      const owner = parent?.id ?? (nativeId.startsWith('agent-') ? head.id : undefined);
      return { nativeId, parent: owner, cwd: head.cwd };
    });
  }

  private belongs(path: string, cwd: string | undefined): boolean {
    if (cwd !== undefined || this.query.everywhere === true) return isWanted(cwd, this.query);
    return this.query.folders.some((folder) => basename(dirname(path)) === encodeFolder(folder));
  }
}

const isTranscript = (name: string): boolean => name.endsWith('.jsonl');

const idOf = (path: string): string => basename(path, '.jsonl');
