import { join } from 'node:path';
import type { FindResult, FoundThread, ListedThread, SourceQuery } from '../source.js';
import type { DatabaseList } from '../sqlite/list.js';
import { DatabaseSearch } from '../sqlite/search.js';
import { everyWorkspaceStorage, userFoldersOf, workspaceStorages } from '../vscode-chat/stores.js';
import { asksForAny, isWanted } from '../wanted.js';
import { manyAre } from '../unread.js';
import { chatStores } from './chatStore.js';
import type { WorkspaceChats } from './database.js';
import { findTranscripts, type PromptCounts } from './findTranscripts.js';
import { homesOf } from './homes.js';

export interface Lists {
  readonly composers: DatabaseList<ListedThread>;
  readonly workspaces: DatabaseList<WorkspaceChats>;
  readonly chats: DatabaseList<ListedThread>;
  readonly prompts: PromptCounts;
}

export const databaseIn = (userFolder: string): string =>
  join(userFolder, 'globalStorage', 'state.vscdb');

/** Conversations of the editor, of the command line, and transcripts of either that nothing else has. */
export async function findThreads(query: SourceQuery, lists: Lists): Promise<FindResult> {
  if (!asksForAny(query)) return { threads: [], filesLookedAt: 0, problems: [] };
  const stores = new DatabaseSearch();
  const found = [
    ...(await composers(query, lists, stores)),
    ...(await chats(query, lists, stores)),
  ];
  const transcripts = await findTranscripts(query, lists.prompts);
  // What the editor keeps itself has results, times and ids.
  const ids = new Set(found.map(({ nativeId }) => nativeId));
  const others = transcripts.threads.filter(({ nativeId }) => !ids.has(nativeId));
  return {
    threads: [...found, ...others],
    filesLookedAt: stores.lookedAt + transcripts.filesLookedAt,
    problems: [...stores.problems, ...transcripts.problems],
  };
}

async function composers(
  query: SourceQuery,
  lists: Lists,
  stores: DatabaseSearch,
): Promise<readonly FoundThread[]> {
  const users = userFoldersOf('Cursor', query);
  // Before 3.12 only a workspace's own database tells which conversations are its.
  const owners = new Map<string, string>();
  for (const { storage, folder } of await storagesOf(query, users)) {
    const path = join(storage, 'state.vscdb');
    const [chats] = await stores.ask(lists.workspaces, path);
    for (const id of chats?.composers ?? []) owners.set(id, folder);
    const ofPanel = chats?.ofPanel ?? 0;
    if (ofPanel > 0) {
      stores.problem(
        path,
        `${manyAre(ofPanel, 'chat')} of the chat panel of old versions and not read`,
      );
    }
  }
  const found: ListedThread[] = [];
  for (const user of users) found.push(...(await stores.ask(lists.composers, databaseIn(user))));
  const byId = new Map(found.map((thread) => [thread.nativeId, thread]));
  return found.flatMap((thread) => {
    const owner = thread.folder ?? ownerOf(thread, byId, owners);
    return isWanted(owner, query) ? [{ ...thread, folder: owner, cwd: owner }] : [];
  });
}

/** Where windows of the folders keep what is theirs, each with the folder that it belongs to. */
async function storagesOf(query: SourceQuery, users: readonly string[]) {
  if (query.everywhere === true) {
    const all = await everyWorkspaceStorage(users);
    return all.flatMap(({ storage, folder }) =>
      folder === undefined ? [] : [{ storage, folder }],
    );
  }
  const found = await Promise.all(
    query.folders.map(async (folder) => {
      const storages = await workspaceStorages([folder], users);
      return storages.map((storage) => ({ storage, folder }));
    }),
  );
  return found.flat();
}

/** A subagent belongs where the conversation does that started it. */
function ownerOf(
  { nativeId, parent }: ListedThread,
  byId: ReadonlyMap<string, ListedThread>,
  owners: ReadonlyMap<string, string>,
): string | undefined {
  const starter = parent ?? '';
  return owners.get(nativeId) ?? owners.get(starter) ?? byId.get(starter)?.folder;
}

async function chats(
  query: SourceQuery,
  lists: Lists,
  stores: DatabaseSearch,
): Promise<readonly FoundThread[]> {
  const found: FoundThread[] = [];
  for (const home of homesOf(query)) {
    for (const { path, folder } of await chatStores(home, query)) {
      const listed = await stores.ask(lists.chats, path);
      found.push(...listed.map((thread) => ({ ...thread, cwd: folder })));
    }
  }
  return found;
}
