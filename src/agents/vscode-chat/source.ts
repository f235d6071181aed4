import { open, readdir, stat } from 'node:fs/promises';
import { join, parse } from 'node:path';
import type { Problem } from '../../core/engine.js';
import { messageOf } from '../../core/errors.js';
import type { Cursor } from '../../core/model/records.js';
import { readLog } from '../eitherForm.js';
import { beginningOf, isOneValue } from '../fileForm.js';
import { asOne } from '../copies.js';
import { decode } from '../decode.js';
import { objectsOf, textOf } from '../json.js';
import type { FindResult, FoundThread, Source, SourceQuery } from '../source.js';
import { readStateFile } from '../stateFile.js';
import { createListing, markUnlisted } from './listing.js';
import { lostChats } from './lostChats.js';
import { agent, ChatParser } from './parser.js';
import { chatStoresFor, everyChatStore, userFolders } from './stores.js';

/** VS Code's own chat, GitHub Copilot's among it. Homes of a query are folders of chat sessions. */
export const vscodeChat: Source = {
  agent,
  name: 'VS Code Chat',
  find: (query) => find(query),
  read: async ({ path }, cursor, signal) =>
    (await isLog(path, cursor))
      ? readLog(path, cursor, signal)
      : readStateFile('requests', path, cursor, signal),
  merging: {
    idOf: ({ requestId, sessionId }) => textOf(requestId) ?? textOf(sessionId),
    plain: plainChat,
  },
  parser: (nativeId, options) => new ChatParser(nativeId, options),
  recognises,
  watch: (query) => query.homes,
  places: (query) => [...query.homes, ...userFolders(query)],
};

const logLine = /^\uFEFF?\s*\{\s*"kind"\s*:\s*[0-3]\s*,\s*"[kv]"\s*:/m;

/** VS Code goes by the name alone; a copy may have been given another. */
async function isLog(path: string, cursor: Cursor | undefined): Promise<boolean> {
  const isNamedSo = path.endsWith('.jsonl');
  const isOfLog = cursor !== undefined && 'marks' in cursor.state && cursor.records > 0;
  if (isNamedSo && isOfLog) return true;
  const head = (await beginningOf(path)).toString('utf8');
  return logLine.test(head) || (isNamedSo && !isOneValue(head, 'requests'));
}

/** A mutation log's lines, or the members that every version of a whole chat has. */
function recognises(head: string): boolean {
  if (logLine.test(head)) return true;
  if (!/^\uFEFF?\s*\{/.test(head)) return false;
  const has = (key: string): boolean => new RegExp(`"${key}"\\s*:`).test(head);
  return (
    has('responderUsername') ||
    (/"requests"\s*:\s*\[/.test(head) && ['initialLocation', 'creationDate', 'requestId'].some(has))
  );
}

async function find(query: SourceQuery): Promise<FindResult> {
  const stores = await storesOf(query);
  const problems: Problem[] = [];
  const byId = new Map<string, FoundThread>();
  const files = new Set<string>();
  let filesLookedAt = 0;
  for (const [store, cwd] of stores) {
    const here: FoundThread[] = [];
    for (const name of await list(store, problems)) {
      const { name: nativeId, ext } = parse(name);
      if (ext !== '.json' && ext !== '.jsonl') continue;
      filesLookedAt++;
      files.add(nativeId);
      const path = join(store, name);
      try {
        const { size, mtimeMs } = await stat(path);
        if (!(await hasRequests(path, size, mtimeMs))) continue;
        const found = { nativeId, path, bytes: size, modifiedAt: mtimeMs, cwd };
        here.push(found);
      } catch (error) {
        problems.push({ where: path, message: messageOf(error) });
      }
    }
    for (const found of await markUnlisted(store, here, listing)) {
      const other = byId.get(found.nativeId);
      byId.set(found.nativeId, other === undefined ? found : asOne(other, found, isLogName));
    }
  }
  for (const store of stores.keys()) problems.push(...(await lostChats(store, files)));
  return { threads: [...byId.values()], filesLookedAt, problems };
}

const listing = createListing();

/** Folders of chat sessions, with the folder that they are about where it is looked up. */
async function storesOf(query: SourceQuery): Promise<ReadonlyMap<string, string | undefined>> {
  const found =
    query.everywhere === true
      ? await everyChatStore(query)
      : (await chatStoresFor(query.folders, query)).map((storage) => ({
          storage,
          folder: undefined,
        }));
  const given = query.homes.map((storage) => ({ storage, folder: undefined }));
  return new Map([...given, ...found].map(({ storage, folder }) => [storage, folder]));
}

/** VS Code reads the log when both forms exist. */
const isLogName = (path: string): boolean => path.endsWith('.jsonl');

/** A log as the state that it leads to: each request, then the rest. */
function plainChat(records: readonly Uint8Array[]): readonly Uint8Array[] {
  const parser = new ChatParser('');
  for (const record of records) parser.push(record);
  const { requests, ...others } = parser.chat ?? {};
  const made = [...objectsOf(requests), others].map((value) => JSON.stringify(value));
  const broken = records.filter((record) => decode(record).fields === undefined);
  return [...made.map((record) => Buffer.from(record)), ...broken];
}

async function list(folder: string, problems: Problem[]): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!missing) problems.push({ where: folder, message: messageOf(error) });
    return [];
  }
}

/** Files that were looked into, by path, and what they were then: a scan must not read them again. */
const lookedInto = new Map<string, { readonly stamp: string; readonly filled: boolean }>();
const lookBytes = 256 * 1024;
/** Either stands near the beginning of every request of every version. */
const requestMarks = ['"requestId"', '"message"'];

/** VS Code keeps a file for every chat that was opened, most of them without a single prompt. */
async function hasRequests(path: string, size: number, modifiedAt: number): Promise<boolean> {
  const stamp = `${size} ${modifiedAt}`;
  const known = lookedInto.get(path);
  if (known?.filled === true || known?.stamp === stamp) return known.filled;
  const filled = await contains(path, size, requestMarks);
  lookedInto.set(path, { stamp, filled });
  return filled;
}

async function contains(path: string, size: number, words: readonly string[]): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const chunk = Buffer.alloc(Math.min(lookBytes, size));
    const overlap = Math.max(...words.map((word) => word.length));
    for (let at = 0; at < size; at += Math.max(1, chunk.length - overlap)) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
      const seen = chunk.subarray(0, bytesRead);
      if (words.some((word) => seen.includes(word))) return true;
      if (at + bytesRead >= size) break;
    }
    return false;
  } finally {
    await file.close();
  }
}
