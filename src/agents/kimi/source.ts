import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { headRecords } from '../fileHead.js';
import { isFields, isString, type Fields } from '../json.js';
import { readJsonl } from '../jsonl.js';
import { withHome } from '../places.js';
import { isSessionId } from '../sessionIds.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, Source, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { agent, kimiParser } from './parse.js';
import { asksForAny, isWanted } from '../wanted.js';

/** Moonshot's Kimi Code. */
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
  (record['type'] === 'turn.prompt' && Array.isArray(record['input']));

/** `KIMI_CODE_HOME` replaces the home, which was `~/.kimi` at first. */
const homesOf = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const own = env['KIMI_CODE_HOME'];
  const usual = own ? [own] : [join('~', '.kimi'), join('~', '.kimi-code')];
  return [...new Set([...usual.map((home) => withHome(home, userHome)), ...homes])];
};

/** Where a session's log may lie within its folder. */
const logs = [['wire.jsonl'], ['agents', 'main', 'wire.jsonl']];

/**
 * Which folder a session belongs to stands nowhere in it: a list beside the sessions says so, and the
 * first versions called their folder by a hash of it.
 */
async function findThreads(query: SourceQuery, files: SmallFiles): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const home of asksForAny(query) ? homesOf(query) : []) {
    const listed = await listedFolders(home, files);
    for (const project of await search.list(join(home, 'sessions'))) {
      const hashed = query.folders.find((folder) => md5(folder) === project.name);
      for (const session of await search.list(join(home, 'sessions', project.name))) {
        const cwd = listed.get(session.name) ?? hashed;
        if (!isWanted(cwd, query)) continue;
        const folder = join(home, 'sessions', project.name, session.name);
        const path = await logIn(search, folder);
        const thread = Promise.resolve({ nativeId: session.name, cwd });
        if (path !== undefined) await search.look(path, () => thread);
      }
    }
  }
  return search.result();
}

async function logIn(search: ThreadSearch, folder: string): Promise<string | undefined> {
  for (const steps of logs) {
    const path = join(folder, ...steps);
    const isThere = (await search.list(join(path, '..'))).some(({ name }) => name === 'wire.jsonl');
    if (isThere) return path;
  }
  return undefined;
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
