import { basename, join } from 'node:path';
import { continueParser } from '../continue/parse.js';
import { beginningOf, isDatabase, isOneValue } from '../fileForm.js';
import { headRecords } from '../fileHead.js';
import { firstIn, memberIn } from '../firstIn.js';
import { HeadReader } from '../heads.js';
import type { Fields } from '../json.js';
import { readJsonl } from '../jsonl.js';
import { LateParser } from '../lateParser.js';
import { folderOfUri } from '../places.js';
import { nothingSaid } from '../sayings.js';
import { sayingsParser } from '../sayingsParser.js';
import { SmallFiles } from '../smallFiles.js';
import type { FindResult, ListedThread, Source, SourceQuery } from '../source.js';
import type { DatabaseList } from '../sqlite/list.js';
import { readRowRecord } from '../sqlite/rowRecord.js';
import { RowThreadParser } from '../sqlite/rowThread.js';
import { DatabaseSearch } from '../sqlite/search.js';
import { readStateFile } from '../stateFile.js';
import { ThreadSearch } from '../threadSearch.js';
import { userFolders } from '../vscode-chat/stores.js';
import { asksForAny, isWanted } from '../wanted.js';
import { createConversationList, databasesOf, readConversation } from './cliDatabase.js';
import { isKindRecord, isPayloadRecord, readKind, readPayload } from './cliEvents.js';
import { cliHomes, searchCli } from './cliStore.js';
import { exchangeDialect } from './exchanges.js';

const agent = 'kiro';

/**
 * Amazon's Kiro: sessions of its first editors, which have Continue's form, from which its agent was made; of its
 * command line, in its database and in lines; and of newer editors, which keep the latter. A file of the first kind
 * alone looks like Continue's and is taken for one. Ids do not tell an editor's session, which no command opens, from
 * one of the command line.
 */
export function createKiro(heads = kiroHeads(), files = new SmallFiles()): Source {
  const conversations = createConversationList();
  const readState: Source['read'] = ({ path }, cursor, signal) =>
    readStateFile('history', path, cursor, signal);
  return {
    agent,
    name: 'Kiro',
    find: (query) => find(query, heads, files, conversations),
    read: async (found, cursor, signal) => {
      const { path, nativeId } = found;
      if (await isDatabase(path)) return readConversation(path, nativeId, cursor);
      return (await isLog(path))
        ? readJsonl(path, cursor, signal)
        : readState(found, cursor, signal);
    },
    parser: (nativeId, options) =>
      new LateParser((first) => parserFor(first ?? {})(nativeId, options)),
    recognises: (head) =>
      headRecords(head).some((record) => isKindRecord(record) || isPayloadRecord(record)),
    threadsIn: async (path) => ((await isDatabase(path)) ? conversations.of(path) : undefined),
    watch: (query) => [
      ...sessionFolders(query),
      ...cliHomes(query),
      ...databasesOf(query).flatMap((path) => [path, `${path}-wal`]),
    ],
  };
}

const isLog = async (path: string): Promise<boolean> =>
  !isOneValue((await beginningOf(path)).toString('utf8'), 'history');

const lines = sayingsParser({
  agent,
  reader: () => (record) =>
    isKindRecord(record)
      ? readKind(record)
      : isPayloadRecord(record)
        ? readPayload(record)
        : nothingSaid,
});

/** Records of either form of lines have their own parser; a broken first one is of no other form. */
function parserFor(first: Fields): Source['parser'] {
  if (readRowRecord(first) !== undefined) {
    return (nativeId, options) => new RowThreadParser(exchangeDialect, nativeId, options);
  }
  const isItem = 'message' in first || 'history' in first || 'workspaceDirectory' in first;
  return isItem ? continueParser(agent) : lines;
}

async function find(
  query: SourceQuery,
  heads: HeadReader,
  files: SmallFiles,
  conversations: DatabaseList<ListedThread>,
): Promise<FindResult> {
  const search = new ThreadSearch();
  if (!asksForAny(query)) return search.result();
  await searchEditor(query, heads, search);
  await searchCli(query, search, files);
  const stores = new DatabaseSearch();
  const rows: ListedThread[] = [];
  for (const path of databasesOf(query)) rows.push(...(await stores.ask(conversations, path)));
  const { threads, filesLookedAt, problems } = search.result();
  return {
    threads: [...threads, ...rows.filter(({ folder }) => isWanted(folder, query))],
    filesLookedAt: filesLookedAt + stores.lookedAt,
    problems: [...problems, ...stores.problems],
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

async function searchEditor(
  query: SourceQuery,
  heads: HeadReader,
  search: ThreadSearch,
): Promise<void> {
  for (const store of sessionFolders(query)) {
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
}

export const kiro = createKiro();
