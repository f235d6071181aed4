import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Problem } from '../../core/engine.js';
import { messageOf } from '../../core/errors.js';
import type { FindResult, FoundThread, SourceQuery } from '../source.js';
import { encodeFolder, isInside, mayHold } from './folders.js';
import type { HeadReader } from './head.js';

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

/**
 * Lists sessions and subagents from files. A folder's name only narrows the search: whether a session
 * belongs to the query is decided by the working folder in its records, or by the name if it has none.
 */
export async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new Search(query, heads);
  if (query.folders.length > 0) {
    for (const home of homesOf(query)) await search.home(join(home, 'projects'));
  }
  return search.result();
}

class Search {
  private readonly found = new Map<string, FoundThread>();
  private readonly problems: Problem[] = [];
  private filesLookedAt = 0;

  constructor(
    private readonly query: SourceQuery,
    private readonly heads: HeadReader,
  ) {}

  result(): FindResult {
    const threads = [...this.found.values()];
    return { threads, filesLookedAt: this.filesLookedAt, problems: this.problems };
  }

  async home(projects: string): Promise<void> {
    for (const entry of await this.list(projects)) {
      const mayMatter = this.query.folders.some((folder) => mayHold(entry.name, folder));
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
  private async transcript(
    path: string,
    parent: { readonly id: string; readonly belongs: boolean } | undefined,
  ): Promise<boolean> {
    this.filesLookedAt += 1;
    try {
      const { ino, size, mtimeMs } = await stat(path);
      const head = await this.heads.read(path, { ino, size, mtimeMs });
      if (!parent?.belongs && !this.belongs(path, head.cwd)) return false;
      const nativeId = idOf(path);
      const owner = parent?.id ?? (nativeId.startsWith('agent-') ? head.sessionId : undefined);
      this.take({ nativeId, path, bytes: size, modifiedAt: mtimeMs, parent: owner });
      return true;
    } catch (error) {
      this.problems.push({ where: path, message: messageOf(error) });
      return false;
    }
  }

  private belongs(path: string, cwd: string | undefined): boolean {
    if (cwd !== undefined) return isInside(cwd, this.query.folders);
    return this.query.folders.some((folder) => basename(dirname(path)) === encodeFolder(folder));
  }

  /** Two files with one id (two homes, a copied folder): the fuller one is shown, the other named. */
  private take(thread: FoundThread): void {
    const other = this.found.get(thread.nativeId);
    const [fuller, lesser] =
      other !== undefined && other.bytes > thread.bytes ? [other, thread] : [thread, other];
    this.found.set(thread.nativeId, fuller);
    if (lesser !== undefined) {
      const message = `holds the same conversation as ${fuller.path}, which is longer`;
      this.problems.push({ where: lesser.path, message });
    }
  }

  private async list(folder: string) {
    try {
      return await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (!isMissing(error)) this.problems.push({ where: folder, message: messageOf(error) });
      return [];
    }
  }
}

const isTranscript = (name: string): boolean => name.endsWith('.jsonl');

const idOf = (path: string): string => basename(path, '.jsonl');

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');
