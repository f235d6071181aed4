import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import type { Problem } from '../../core/engine.js';
import { messageOf } from '../../core/errors.js';
import { isInside } from '../folders.js';
import type { FindResult, FoundThread, SourceQuery } from '../source.js';
import { ownIdOf, sectionsOf, type Section } from './history.js';

const usualName = '.aider.chat.history.md';

/**
 * Histories lie where their sessions worked: in the folder, unless a variable names another file. One outside of all
 * folders may be about any of them, and is there for those who ask for everything.
 */
export const historyFiles = (query: SourceQuery): readonly string[] => {
  const { folders, homes, env, everywhere = false } = query;
  const named = env['AIDER_CHAT_HISTORY_FILE'];
  const files = [...folders, ...homes].flatMap((folder) => [
    join(folder, usualName),
    ...(named === undefined || named === '' ? [] : [resolve(folder, named)]),
  ]);
  if (named !== undefined && isAbsolute(named)) files.push(named);
  return [...new Set(files)].filter((file) => everywhere || isInside(file, folders));
};

interface Known {
  readonly stamp: string;
  readonly sections: readonly Section[];
}

/** What finding remembers from one time to the next, by path. */
export type AiderMemory = Map<string, Known>;

/** Histories of one conversation each, as our own target writes them. */
async function ownFiles({ folders }: SourceQuery): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(folder).catch((): string[] => []);
      return names.filter((name) => ownIdOf(name)).map((name) => join(folder, name));
    }),
  );
  return found.flat();
}

/** Every session of every history is a thread of its own; one that has a file of its own is that file. */
export async function findThreads(query: SourceQuery, memory: AiderMemory): Promise<FindResult> {
  const threads: FoundThread[] = [];
  const problems: Problem[] = [];
  let filesLookedAt = 0;
  for (const path of [...historyFiles(query), ...(await ownFiles(query))]) {
    try {
      const found = await sessionsIn(path, query, memory);
      if (found === undefined) continue;
      filesLookedAt += 1;
      threads.push(...found);
    } catch (error) {
      problems.push({ where: path, message: messageOf(error) });
    }
  }
  return { threads, filesLookedAt, problems };
}

async function sessionsIn(
  path: string,
  { folders }: SourceQuery,
  memory: AiderMemory,
): Promise<readonly FoundThread[] | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const cwd = folders.find((folder) => isAbsolute(folder) && isInside(path, [folder]));
  const ownId = ownIdOf(basename(path));
  if (ownId !== undefined) {
    const { size, mtimeMs } = stats;
    return [{ nativeId: ownId, path, bytes: size, modifiedAt: mtimeMs, cwd }];
  }
  const stamp = [stats.ino, stats.size, stats.mtimeMs].join(' ');
  const before = memory.get(path);
  const known =
    before?.stamp === stamp ? before : { stamp, sections: sectionsOf(await readFile(path)) };
  memory.set(path, known);
  return known.sections.map(({ id, from, to }, at) => ({
    nativeId: id,
    path,
    bytes: to - from,
    // A session is over when the next one begins.
    modifiedAt: known.sections[at + 1]?.startedAt ?? stats.mtimeMs,
    cwd,
  }));
}
