import { basename, join } from 'node:path';
import { continueParser } from '../continue/parse.js';
import { firstIn, memberIn } from '../firstIn.js';
import { HeadReader } from '../heads.js';
import { folderOfUri } from '../places.js';
import type { FindResult, Source, SourceQuery } from '../source.js';
import { readStateFile } from '../stateFile.js';
import { ThreadSearch } from '../threadSearch.js';
import { userFolders } from '../vscode-chat/stores.js';
import { asksForAny, isWanted } from '../wanted.js';

const agent = 'kiro';

/**
 * Amazon's Kiro, the editor: sessions in Continue's form, from which its agent was made. They look like
 * Continue's, so a file alone is not known as Kiro's. No command opens one.
 */
export function createKiro(heads = kiroHeads()): Source {
  return {
    agent,
    name: 'Kiro',
    find: (query) => findThreads(query, heads),
    read: ({ path }, cursor, signal) => readStateFile('history', path, cursor, signal),
    parser: continueParser(agent),
    watch: sessionFolders,
  };
}

const sessionFolders = (query: SourceQuery): readonly string[] => {
  const inEditor = userFolders(query, ['Kiro'])
    .filter((user) => basename(join(user, '..')) === 'Kiro')
    .map((user) => join(user, 'globalStorage', 'kiro.kiroagent'));
  return [...new Set([...inEditor, ...query.homes])].map((home) =>
    join(home, 'workspace-sessions'),
  );
};

function kiroHeads(): HeadReader {
  return new HeadReader('kiro', async (path) => {
    const named = await firstIn(path, (text) => memberIn(text, 'workspaceDirectory'));
    return {
      cwd: named === undefined ? folderInName(basename(join(path, '..'))) : folderOfUri(named),
    };
  });
}

/** Folders of sessions are called by the working folder in Base64. */
function folderInName(name: string): string | undefined {
  const folder = Buffer.from(name.replace(/[_=]+$/, ''), 'base64').toString('utf8');
  return /^(?:\/|[A-Za-z]:)/.test(folder) ? folder : undefined;
}

async function findThreads(query: SourceQuery, heads: HeadReader): Promise<FindResult> {
  const search = new ThreadSearch();
  for (const store of asksForAny(query) ? sessionFolders(query) : []) {
    for (const workspace of await search.list(store)) {
      const folder = join(store, workspace.name);
      for (const { name } of await search.list(folder)) {
        if (!name.endsWith('.json') || name === 'sessions.json') continue;
        const path = join(folder, name);
        await search.look(path, async (stats) => {
          const { cwd } = await heads.read(path, stats);
          return isWanted(cwd, query) ? { nativeId: basename(name, '.json'), cwd } : undefined;
        });
      }
    }
  }
  return search.result();
}

export const kiro = createKiro();
