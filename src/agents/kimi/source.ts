import { createHash } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { headRecords } from '../fileHead.js';
import { isFields, isString, objectsOf, textOf, type Fields } from '../json.js';
import { readJsonl } from '../jsonl.js';
import { withHome } from '../places.js';
import { isSessionId } from '../sessionIds.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, Source, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { isContextMark } from './context.js';
import { agent, kimiParser } from './parse.js';
import { asksForAny, isWanted } from '../wanted.js';
import { wireMessage } from './wire.js';

/** Moonshot's Kimi CLI, and Kimi Code after it. */
export function createKimi(files = new SmallFiles()): Source {
  return {
    agent,
    name: 'Kimi',
    needsFolders: true,
    find: (query) => findThreads(query, files),
    read: (found, cursor, signal) => readJsonl(found.path, cursor, signal),
    parser: kimiParser,
    recognises: (head) => headRecords(head).some(isOwn),
    watch: (query) => homesOf(query).map((home) => join(home, 'sessions')),
    resume: ({ nativeId }) => (isSessionId(nativeId) ? ['kimi', '--session', nativeId] : undefined),
  };
}

const isOwn = (record: Fields): boolean =>
  (record['type'] === 'metadata' && isString(record['protocol_version'])) ||
  (record['type'] === 'context.append_loop_event' && isFields(record['event'])) ||
  (record['type'] === 'turn.prompt' && Array.isArray(record['input'])) ||
  (typeof record['timestamp'] === 'number' && wireMessage(record) !== undefined) ||
  isContextMark(record);

/** The program of before, in Python, and the one of now each have a home, and a variable that moves it. */
const homesOf = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const own = [
    env['KIMI_SHARE_DIR'] || join('~', '.kimi'),
    env['KIMI_CODE_HOME'] || join('~', '.kimi-code'),
  ];
  return [...new Set([...own.map((home) => withHome(home, userHome)), ...homes])];
};

/** Where a session's log may lie within its folder; where there is no log of events, what the model saw. */
const logs = [['wire.jsonl'], ['agents', 'main', 'wire.jsonl'], ['context.jsonl']];
/** Folders of subagents within a session's. */
const subagentFolders = ['subagents', 'agents'];

/**
 * Which folder a session belongs to stands nowhere in it: a list beside the sessions says so, or their
 * folder is called by a hash of it.
 */
async function findThreads(query: SourceQuery, files: SmallFiles): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const home of asksForAny(query) ? homesOf(query) : []) {
    const listed = await listedFolders(home, files);
    const hashed = new Map(
      [...query.folders, ...(await hashedFolders(home, files))].map((path) => [md5(path), path]),
    );
    for (const project of await search.list(join(home, 'sessions'))) {
      for (const session of await search.list(join(home, 'sessions', project.name))) {
        const cwd = listed.get(session.name) ?? hashed.get(project.name);
        if (!isWanted(cwd, query)) continue;
        await sessionIn(search, join(home, 'sessions', project.name, session.name), cwd);
      }
    }
  }
  return search.result();
}

/** A session: its folder, or, of the first versions, a file alone. */
async function sessionIn(search: ThreadSearch, path: string, cwd: string | undefined) {
  const nativeId = basename(path, '.jsonl');
  const look = (file: string, id: string, parent?: string): Promise<boolean> =>
    search.look(file, () => Promise.resolve({ nativeId: id, cwd, parent }));
  if (path.endsWith('.jsonl')) {
    await look(path, nativeId);
    return;
  }
  const own = await logIn(search, path);
  if (own === undefined) return;
  await look(own, nativeId);
  for (const folder of subagentFolders) {
    for (const agentFolder of await search.list(join(path, folder))) {
      if (!agentFolder.isDirectory() || agentFolder.name === 'main') continue;
      const log = await logIn(search, join(path, folder, agentFolder.name));
      if (log !== undefined) await look(log, `${nativeId}/${agentFolder.name}`, nativeId);
    }
  }
}

async function logIn(search: ThreadSearch, folder: string): Promise<string | undefined> {
  for (const steps of logs) {
    const path = join(folder, ...steps);
    const isThere = (await search.list(dirname(path))).some(({ name }) => name === basename(path));
    if (isThere) return path;
  }
  return undefined;
}

/** Folders that the Python program has worked in. */
async function hashedFolders(home: string, files: SmallFiles): Promise<readonly string[]> {
  const about = fieldsIn((await files.read(join(home, 'kimi.json'))) ?? '');
  return objectsOf(about['work_dirs']).flatMap(({ path }) => textOf(path) ?? []);
}

async function listedFolders(
  home: string,
  files: SmallFiles,
): Promise<ReadonlyMap<string, string>> {
  const text = (await files.read(join(home, 'session_index.jsonl'))) ?? '';
  return new Map(
    text.split('\n').flatMap((line) => {
      const { sessionId, workDir } = fieldsIn(line);
      return isString(sessionId) && isString(workDir) ? [[sessionId, workDir] as const] : [];
    }),
  );
}

function fieldsIn(line: string): Fields {
  try {
    const value: unknown = JSON.parse(line);
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

export const kimi = createKimi();
