import { basename, join } from 'node:path';
import { fieldsOf } from '../json.js';
import { headRecords } from '../fileHead.js';
import { beginningOf, isDatabase } from '../fileForm.js';
import { readJsonl } from '../jsonl.js';
import type { ParserOptions, RecordPlace, Source, SourceQuery, ThreadParser } from '../source.js';
import { databases } from '../sqlite/reader.js';
import { readRowRecord } from '../sqlite/rowRecord.js';
import { RowThreadParser } from '../sqlite/rowThread.js';
import { readWholeFile } from '../stateFile.js';
import { userFoldersOf } from '../vscode-chat/stores.js';
import { chatDialect } from './chatMessages.js';
import { createChatList, readChat } from './chatStore.js';
import { composerDialect } from './composer.js';
import { createList, createWorkspaceList, readComposer } from './database.js';
import { databaseIn, findThreads } from './find.js';
import { PromptCounts, transcriptFolders } from './findTranscripts.js';
import { homesOf } from './homes.js';
import { isPlainRecord, plainForm } from './plainParse.js';
import { isPlainTranscript, messagesIn } from './plainText.js';
import { isTranscriptRecord, TranscriptParser } from './transcript.js';

const agent = 'cursor';

/** Cursor: the editor's conversations, those of its command line, and the transcripts of both. */
export function createCursor(): Source {
  const lists = {
    composers: createList(),
    workspaces: createWorkspaceList(),
    chats: createChatList(),
    prompts: new PromptCounts(),
  };
  return {
    agent,
    name: 'Cursor',
    needsFolders: true,
    find: (query) => findThreads(query, lists),
    read: async ({ path, nativeId }, cursor, signal) => {
      if (await isPlain(path)) return readWholeFile(messagesIn, path, cursor, signal);
      if (!(await isDatabase(path))) return readJsonl(path, cursor, signal);
      return (await isChatStore(path))
        ? readChat(path, cursor)
        : readComposer(path, nativeId, cursor);
    },
    parser: (nativeId, options) => new CursorParser(nativeId, options),
    recognises: (head) => isPlainTranscript(head) || headRecords(head).some(isTranscriptRecord),
    threadsIn: async (path) => {
      if (!(await isDatabase(path))) return undefined;
      return (await isChatStore(path)) ? lists.chats.of(path) : lists.composers.of(path);
    },
    attachments: (query) => [
      ...userFoldersOf('Cursor', query).flatMap((user) =>
        ['workspaceStorage', 'globalStorage'].map((name) => join(user, name)),
      ),
      ...homesOf(query),
    ],
    // Nothing opens one of the editor's conversations, and their ids look like the command line's.
    watch: watched,
    places: (query) => [...watched(query), ...homesOf(query).map((home) => join(home, 'projects'))],
  };
}

export const cursor = createCursor();

/** Whether a file is a transcript of plain text; names say nothing, people rename what they copy. */
const isPlain = async (path: string): Promise<boolean> =>
  !/\.(?:db|vscdb)$/.test(path) && isPlainTranscript((await beginningOf(path)).toString('utf8'));

/** By its name, or, of a copy, by its tables. */
async function isChatStore(path: string): Promise<boolean> {
  const name = basename(path);
  if (name === 'store.db' || name === 'state.vscdb') return name === 'store.db';
  const { tables } = await databases.ask({ path, needs: {}, selects: {} });
  return 'blobs' in tables && 'meta' in tables;
}

function watched(query: SourceQuery): readonly string[] {
  const databases = userFoldersOf('Cursor', query).map(databaseIn);
  return [
    ...databases.flatMap((path) => [path, `${path}-wal`]),
    ...homesOf(query).map((home) => join(home, 'chats')),
    ...transcriptFolders(query),
  ];
}

/** The stores have records of their own forms; the first one tells which it is. */
class CursorParser implements ThreadParser {
  private inner: ThreadParser | undefined;

  constructor(
    private readonly nativeId: string,
    private readonly options: ParserOptions | undefined,
  ) {}

  push(record: Uint8Array, place?: RecordPlace): void {
    this.inner ??= this.parserFor(record);
    this.inner.push(record, place);
  }

  get working(): boolean {
    return this.inner?.working ?? false;
  }

  thread(options?: { readonly turns?: boolean }) {
    return (this.inner ?? new TranscriptParser(agent, this.nativeId)).thread(options);
  }

  private parserFor(record: Uint8Array): ThreadParser {
    if (isPlainRecord(record)) {
      return new TranscriptParser(agent, this.nativeId, this.options, plainForm);
    }
    const said = readRowRecord(fieldsOf(parsed(record)) ?? {});
    const table = said !== undefined && 'table' in said ? said.table : undefined;
    const dialect = table === 'composer' ? composerDialect : chatDialect;
    if (table !== undefined) return new RowThreadParser(dialect, this.nativeId, this.options);
    return new TranscriptParser(agent, this.nativeId, this.options);
  }
}

function parsed(record: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(record));
  } catch {
    return undefined;
  }
}
