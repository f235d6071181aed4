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
import { chatReader, isChatRecord, messageKey } from './chatFile.js';
import { chatHeads, searchChats, workspaceName } from './chatStore.js';
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
  return {
    agent,
    name: 'Kiro',
    needsFolders: true,
    find: (query) => find(query, heads, files, conversations),
    read: async (found, cursor, signal) => {
      const { path, nativeId } = found;
      if (await isDatabase(path)) return readConversation(path, nativeId, cursor);
      const form = await formOf(path);
      if (form === 'lines') return readJsonl(path, cursor, signal);
      return readStateFile(form, path, cursor, signal);
    },
    parser: (nativeId, options) =>
      new LateParser((first) => parserFor(first ?? {})(nativeId, options)),
    recognises: (head) =>
      isChatFile(head.replace(/^\uFEFF/, '')) ||
      headRecords(head).some((record) => isKindRecord(record) || isPayloadRecord(record)),
    merging: { idOf: messageKey },
    threadsIn: async (path) => ((await isDatabase(path)) ? conversations.of(path) : undefined),
    places: (query) => [...editorHomes(query), ...cliHomes(query), ...databasesOf(query)],
    watch: (query) => [
      ...sessionFolders(query),
      ...chatFolders(query),
      ...cliHomes(query),
      ...databasesOf(query).flatMap((path) => [path, `${path}-wal`]),
    ],
  };
}

/** The list of a file that is one value, by its name, or `lines`. */
async function formOf(path: string): Promise<'lines' | 'history' | 'chat'> {
  const head = (await beginningOf(path)).toString('utf8');
  if (isChatFile(head)) return 'chat';
  return isOneValue(head, 'history') ? 'history' : 'lines';
}

/** Of a file that was cut, or whose members are in another order, messages may be all that tells it. */
const isChatFile = (head: string): boolean =>
  headRecords(head).some(
    (record) => 'executionId' in record && ('chat' in record || 'metadata' in record),
  ) || /^\s*\{\s*"(?:chat|executionId|actionId)"\s*:[^]*"role"\s*:\s*"(?:human|bot)"/.test(head);

const lines = sayingsParser({
  agent,
  reader: () => (record) =>
    isKindRecord(record)
      ? readKind(record)
      : isPayloadRecord(record)
        ? readPayload(record)
        : nothingSaid,
});

const chats = sayingsParser({ agent, reader: chatReader });

/** Records of either form of lines have their own parser; a broken first one is of no other form. */
function parserFor(first: Fields): Source['parser'] {
  if (isChatRecord(first)) return chats;
  if (readRowRecord(first) !== undefined) {
    return (nativeId, options) => new RowThreadParser(exchangeDialect, nativeId, options);
  }
  const isItem = 'message' in first || 'history' in first || 'workspaceDirectory' in first;
  return isItem ? continueParser(agent) : lines;
}

async function find(
  query: SourceQuery,
  heads: KiroHeads,
  files: SmallFiles,
  conversations: DatabaseList<ListedThread>,
): Promise<FindResult> {
  const search = new ThreadSearch();
  if (!asksForAny(query)) return search.result();
  const named = await searchEditor(query, heads, search);
  for (const home of editorHomes(query)) {
    await searchChats(query, home, named, search, heads.chats);
  }
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

const editorHomes = (query: SourceQuery): readonly string[] => {
  const inEditor = userFolders(query, ['Kiro'])
    .filter((user) => basename(join(user, '..')) === 'Kiro')
    .map((user) => join(user, 'globalStorage', 'kiro.kiroagent'));
  return [...new Set([...inEditor, ...query.homes])];
};

const sessionFolders = (query: SourceQuery): readonly string[] =>
  editorHomes(query).map((home) => join(home, 'workspace-sessions'));

const chatFolders = (query: SourceQuery): readonly string[] =>
  editorHomes(query).flatMap((home) =>
    query.folders.map((folder) => join(home, workspaceName(folder))),
  );

interface KiroHeads {
  readonly sessions: HeadReader;
  readonly chats: HeadReader;
}

function kiroHeads(): KiroHeads {
  const sessions = new HeadReader('kiro', async (path) => {
    const named = await firstIn(path, (text) => memberIn(text, 'workspaceDirectory'));
    return {
      cwd: named === undefined ? folderInName(basename(join(path, '..'))) : folderOfUri(named),
    };
  });
  return { sessions, chats: chatHeads() };
}

/** Folders of sessions are called by the working folder in Base64. */
function folderInName(name: string): string | undefined {
  const folder = Buffer.from(name.replace(/[_=]+$/, ''), 'base64').toString('utf8');
  return /^(?:\/|[A-Za-z]:)/.test(folder) ? folder : undefined;
}

/** Answers with the working folders that it has met. */
async function searchEditor(
  query: SourceQuery,
  heads: KiroHeads,
  search: ThreadSearch,
): Promise<readonly string[]> {
  const named: string[] = [];
  for (const store of sessionFolders(query)) {
    for (const workspace of await search.list(store)) {
      const folder = join(store, workspace.name);
      const called = folderInName(workspace.name);
      if (called !== undefined) named.push(called);
      for (const { name } of await search.list(folder)) {
        if (!name.endsWith('.json') || name === 'sessions.json') continue;
        const path = join(folder, name);
        await search.look(path, async (stats) => {
          const { cwd } = await heads.sessions.read(path, stats);
          return isWanted(cwd, query) ? { nativeId: basename(name, '.json'), cwd } : undefined;
        });
      }
    }
  }
  return named;
}

export const kiro = createKiro();
