import type { Dirent, Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { asOne } from './copies.js';
import type { FindResult, FoundThread } from './source.js';

/** One search of an agent's store: what it found, how many files it looked at and what it could not read. */
export class ThreadSearch {
  private readonly found = new Map<string, FoundThread>();
  private readonly problems: Problem[] = [];
  private filesLookedAt = 0;

  result(): FindResult {
    const threads = [...this.found.values()];
    return { threads, filesLookedAt: this.filesLookedAt, problems: this.problems };
  }

  /** What is in a folder, by name; nothing when it is not there. */
  async list(folder: string): Promise<readonly Dirent[]> {
    try {
      const entries = await readdir(folder, { withFileTypes: true });
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
    } catch (error) {
      if (!isMissing(error)) this.problem(folder, messageOf(error));
      return [];
    }
  }

  /** Looks at one file and takes the thread that it is, if it belongs here; tells whether it does. */
  async look(
    path: string,
    threadOf: (
      stats: Stats,
    ) => Promise<Omit<FoundThread, 'path' | 'bytes' | 'modifiedAt'> | undefined>,
  ): Promise<boolean> {
    this.filesLookedAt += 1;
    try {
      const stats = await stat(path);
      const thread = await threadOf(stats);
      if (thread === undefined) return false;
      const { copies = [] } = thread;
      this.take({
        ...thread,
        path,
        bytes: copies.reduce((sum, { bytes }) => sum + bytes, stats.size),
        modifiedAt: Math.max(stats.mtimeMs, ...copies.map(({ modifiedAt }) => modifiedAt)),
      });
      return true;
    } catch (error) {
      this.problem(path, messageOf(error));
      return false;
    }
  }

  problem(where: string, message: string): void {
    this.problems.push({ where, message });
  }

  private take(thread: FoundThread): void {
    const other = this.found.get(thread.nativeId);
    this.found.set(thread.nativeId, other === undefined ? thread : asOne(other, thread));
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');
