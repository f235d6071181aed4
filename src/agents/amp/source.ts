import { join } from 'node:path';
import { headRecords } from '../fileHead.js';
import { firstIn, memberIn } from '../firstIn.js';
import { HeadReader } from '../heads.js';
import { isString } from '../json.js';
import { folderOfUri } from '../places.js';
import type { FindResult, Source, SourceQuery } from '../source.js';
import { readStateFile } from '../stateFile.js';
import { ThreadSearch } from '../threadSearch.js';
import { agent, ampParser } from './parse.js';
import { asksForAny, isWanted } from '../wanted.js';

/** Sourcegraph's Amp, as far as it keeps threads on this machine. */
export function createAmp(heads = ampHeads()): Source {
  return {
    agent,
    name: 'Amp',
    find: (query) => findThreads(query, heads),
    read: ({ path }, cursor, signal) => readStateFile('messages', path, cursor, signal),
    parser: ampParser,
    recognises: (head) =>
      headRecords(head).some(({ id, messages, v }) => {
        return isThreadId(id) && (Array.isArray(messages) || typeof v === 'number');
      }),
    watch: threadFolders,
    resume: ({ nativeId }) =>
      isThreadId(nativeId) ? ['amp', 'threads', 'continue', nativeId] : undefined,
  };
}

const isThreadId = (id: unknown): boolean =>
  isString(id) && /^T-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);

const threadFolders = ({ env, userHome, homes }: SourceQuery): readonly string[] => {
  const data = env['XDG_DATA_HOME'] || join(userHome, '.local', 'share');
  return [...new Set([join(data, 'amp'), ...homes])].map((home) => join(home, 'threads'));
};

/** The folders that were open stand behind the messages. */
function ampHeads(): HeadReader {
  return new HeadReader('amp', async (path) => {
    const folder = await firstIn(path, (text) => {
      const trees = text.search(/(?<!\\)"trees"\s*:\s*\[/);
      return trees < 0 ? undefined : memberIn(text.slice(trees), 'uri');
    });
    return { cwd: folder && folderOfUri(folder) };
  });
}

async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const folder of asksForAny(query) ? threadFolders(query) : []) {
    for (const { name } of await search.list(folder)) {
      if (!/^T-.*\.json$/.test(name)) continue;
      const path = join(folder, name);
      await search.look(path, async (stats) => {
        const { cwd } = await heads.read(path, stats);
        return isWanted(cwd, query) ? { nativeId: name.slice(0, -'.json'.length), cwd } : undefined;
      });
    }
  }
  return search.result();
}

export const amp = createAmp();
