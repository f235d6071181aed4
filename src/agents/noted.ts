import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { AgentId } from '../core/model/thread.js';
import { homesOf } from './claude-code/find.js';
import { sessionFolder } from './cline/source.js';
import { sessionFolders } from './copilot-cli/find.js';
import { homesOf as codexHomes } from './codex/find.js';
import { fieldsOf, type Fields } from './json.js';
import type { SourceQuery } from './source.js';

export type NotedIn = Pick<SourceQuery, 'env' | 'userHome'>;

/**
 * Processes that an agent itself has written down as working on a session; some of them may be over. Undefined for agents
 * that write none down. Seen with Claude Code 2.1.332, Copilot CLI 1.0.102 and Cline 3.0.65.
 */
export const notedProcesses = (
  agent: AgentId,
  nativeId: string,
  { env, userHome }: NotedIn,
): Promise<readonly number[]> | undefined =>
  Object.hasOwn(notes, agent)
    ? notes[agent]?.(nativeId, { env, userHome, folders: [], homes: [] })
    : undefined;

type Notes = (nativeId: string, query: SourceQuery) => Promise<readonly number[]>;

const notes: Readonly<Record<AgentId, Notes>> = {
  // `sessions/<pid>.json`, `{pid, sessionId, …}`.
  'claude-code': async (nativeId, query) => {
    const found = homesOf(query).map(async (home) => {
      const folder = join(home, 'sessions');
      const files = (await namesIn(folder)).filter((name) => /^\d+\.json$/.test(name));
      const all = await Promise.all(files.map((name) => fieldsIn(join(folder, name))));
      return all.filter((one) => one['sessionId'] === nativeId).flatMap(({ pid }) => numberIn(pid));
    });
    return (await Promise.all(found)).flat();
  },
  // `<session>/inuse.<pid>.lock`
  'copilot-cli': async (nativeId, query) => {
    const names = await Promise.all(
      sessionFolders(query).map((folder) => namesIn(join(folder, basename(nativeId)))),
    );
    return names.flat().flatMap((name) => numberIn(Number(/^inuse\.(\d+)\.lock$/.exec(name)?.[1])));
  },
  // `<session>/<session>.json`, `{pid, status, …}`
  cline: async (nativeId, query) => {
    const id = basename(nativeId);
    const { pid, status } = await fieldsIn(join(sessionFolder(query), id, `${id}.json`));
    return status === 'completed' ? [] : numberIn(pid);
  },
};

/** Files that a process has open while it works on a session, beside the session's own: Codex 0.171 locks one. */
export const lockFiles = (
  agent: AgentId,
  nativeId: string,
  { env, userHome }: NotedIn,
): readonly string[] =>
  agent === 'codex'
    ? codexHomes({ env, userHome, folders: [], homes: [] }).map((home) =>
        join(home, 'thread-writer-locks', `${basename(nativeId)}.lock`),
      )
    : [];

const numberIn = (value: unknown): readonly number[] =>
  typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? [value] : [];

const namesIn = (folder: string): Promise<readonly string[]> =>
  readdir(folder).catch((): string[] => []);

async function fieldsIn(file: string): Promise<Fields> {
  try {
    return fieldsOf(JSON.parse(await readFile(file, 'utf8'))) ?? {};
  } catch {
    return {};
  }
}
