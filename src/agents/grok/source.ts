import { join } from 'node:path';
import { headRecords } from '../fileHead.js';
import { isString, type Fields } from '../json.js';
import { readJsonl } from '../jsonl.js';
import { withHome } from '../places.js';
import type { FindResult, Source, SourceQuery } from '../source.js';
import { ThreadSearch } from '../threadSearch.js';
import { agent, grokParser } from './parse.js';
import { asksForAny, isWanted } from '../wanted.js';

/** xAI's Grok CLI. Another program of that name keeps its sessions otherwise. */
export function createGrok(): Source {
  return {
    agent,
    name: 'Grok',
    find: findThreads,
    read: (found, cursor, signal) => readJsonl(found.path, cursor, signal),
    parser: grokParser,
    recognises: (head) => headRecords(head).some(isOwn),
    watch: sessionFolders,
  };
}

const isOwn = ({ type, ...record }: Fields): boolean =>
  record['method'] === 'session/update' ||
  (type === 'user' && isString(record['synthetic_reason'])) ||
  (type === 'assistant' && isString(record['model_id']) && 'content' in record) ||
  (type === 'tool_result' && isString(record['tool_call_id'])) ||
  type === 'backend_tool_call';

/** `GROK_HOME` replaces `~/.grok`. */
const sessionFolders = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const own = withHome(env['GROK_HOME'] || join('~', '.grok'), userHome);
  return [...new Set([own, ...homes])].map((home) => join(home, 'sessions'));
};

/** A folder of sessions is called by its working folder, encoded without loss; the records name none. */
async function findThreads(query: SourceQuery): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const store of asksForAny(query) ? sessionFolders(query) : []) {
    for (const project of await search.list(store)) {
      const cwd = decoded(project.name);
      if (cwd === undefined || !isWanted(cwd, query)) continue;
      for (const session of await search.list(join(store, project.name))) {
        const folder = join(store, project.name, session.name);
        const names = (await search.list(folder)).map(({ name }) => name);
        const log = logs.find((name) => names.includes(name));
        if (log === undefined) continue;
        const thread = Promise.resolve({ nativeId: session.name, cwd });
        await search.look(join(folder, log), () => thread);
      }
    }
  }
  return search.result();
}

/** What was said, or, where there is no such log, what was shown while it was said. */
const logs = ['chat_history.jsonl', 'updates.jsonl'];

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

export const grok = createGrok();
