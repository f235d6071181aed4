import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fieldsOf, textOf } from '../json.js';
import type { FindResult, SourceQuery } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { databases } from '../sqlite/reader.js';
import { DatabaseSearch } from '../sqlite/search.js';
import { ThreadSearch } from '../threadSearch.js';
import { pathOfUri } from '../vscode-chat/values.js';
import { asksForAny, isWanted } from '../wanted.js';

/** Folders of the editor and of the command line; the names have changed with the versions. */
export async function homesOf({ userHome, homes }: SourceQuery): Promise<readonly string[]> {
  const root = join(userHome, '.gemini');
  const names = await readdir(root).catch(() => []);
  const own = names.filter((name) => /^antigravity(-\w+)?$/.test(name)).sort();
  return [...new Set([...own.map((name) => join(root, name)), ...homes])];
}

/** Folders that conversations name in a database beside their transcript, as URIs in a blob. */
export const createPlaces = (): DatabaseList<string> =>
  new DatabaseList(async (path) => {
    const { rows, stamp } = await databases.ask({
      path,
      needs: {},
      selects: {
        blobs: { from: 'trajectory_metadata_blob', sql: 'SELECT * FROM trajectory_metadata_blob' },
      },
    });
    const blobs = (rows['blobs'] ?? []).flatMap((row) => Object.values(row));
    const found = blobs.flatMap((value) => (value instanceof Uint8Array ? urisIn(value) : []));
    return { items: found.map(pathOfUri), stamp };
  });

/** Strings of a protobuf message begin with their length: what follows may look like text, too. */
function urisIn(bytes: Uint8Array): readonly string[] {
  const buffer = Buffer.from(bytes);
  const uris: string[] = [];
  for (let at = buffer.indexOf('file://'); at > 0; at = buffer.indexOf('file://', at + 1)) {
    const length = buffer[at - 1] ?? 0;
    uris.push(buffer.toString('utf8', at, at + length));
  }
  return uris;
}

/** Lists transcripts that belong to the folders, and says how many conversations have none. */
export async function findThreads(
  query: SourceQuery,
  places: DatabaseList<string>,
): Promise<FindResult> {
  const search = new ThreadSearch();
  const stores = new DatabaseSearch();
  for (const home of asksForAny(query) ? await homesOf(query) : []) {
    const named = await workspacesIn(home);
    const ids = (await search.list(join(home, 'brain'))).map(({ name }) => name);
    const read = new Set<string>();
    for (const id of ids) {
      const path = await transcriptOf(join(home, 'brain', id));
      if (path === undefined) continue;
      read.add(id);
      const database = join(home, 'conversations', `${id}.db`);
      const workspace = named.get(id);
      const folders = workspace ? [workspace] : await stores.ask(places, database);
      const cwd = folders.find((folder) => isWanted(folder, query));
      await search.look(path, () =>
        Promise.resolve(isWanted(cwd, query) ? { nativeId: id, cwd } : undefined),
      );
    }
    await noteOpaque(home, read, search);
  }
  const { threads, filesLookedAt, problems } = search.result();
  return { threads, filesLookedAt, problems: [...problems, ...stores.problems] };
}

/** The fuller of the two transcripts that there may be. */
async function transcriptOf(folder: string): Promise<string | undefined> {
  const logs = join(folder, '.system_generated', 'logs');
  for (const name of ['transcript_full.jsonl', 'transcript.jsonl']) {
    const path = join(logs, name);
    if (await stat(path).catch(() => undefined)) return path;
  }
  return undefined;
}

/** The command line's list of prompts, each with its conversation and folder. */
async function workspacesIn(home: string): Promise<ReadonlyMap<string, string>> {
  const text = await readFile(join(home, 'history.jsonl'), 'utf8').catch(() => '');
  const found = new Map<string, string>();
  for (const line of text.split('\n')) {
    const { conversationId, conversation_id: older, workspace } = lineOf(line);
    const id = textOf(conversationId) ?? textOf(older);
    const folder = textOf(workspace);
    if (id !== undefined && folder !== undefined) found.set(id, folder);
  }
  return found;
}

function lineOf(line: string) {
  try {
    return fieldsOf(JSON.parse(line)) ?? {};
  } catch {
    return {};
  }
}

async function noteOpaque(home: string, read: ReadonlySet<string>, search: ThreadSearch) {
  const folder = join(home, 'conversations');
  const opaque = (await search.list(folder)).filter(
    ({ name }) => /\.(pb|db)$/.test(name) && !read.has(basename(name).replace(/\.(pb|db)$/, '')),
  );
  if (opaque.length === 0) return;
  const many = opaque.length === 1 ? '1 conversation is' : `${opaque.length} conversations are`;
  search.problem(
    folder,
    `${many} in a form of Antigravity's own and not supported. Transcripts are read`,
  );
}
