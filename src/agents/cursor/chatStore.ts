import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Cursor } from '../../core/model/records.js';
import { fieldsOf, isString, textOf, type Fields } from '../json.js';
import type { ListedThread, ReadResult, SourceQuery } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { justFoundMs, textIn, type Question } from '../sqlite/question.js';
import { databases } from '../sqlite/reader.js';
import { logSince } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';

/*
 * Cursor's command line: chats/<MD5 of the working folder>/<id>/store.db. Messages are JSON in blobs that
 * are named by their SHA-256; a root blob (protobuf, field 1: their names) gives the order.
 */

const needs: Question['needs'] = { meta: ['key', 'value'], blobs: ['id', 'data'] };

/** Stores of the folders' chats, with the folder that the store itself names only by its hash. */
export async function chatStores(
  home: string,
  { folders, everywhere = false }: SourceQuery,
): Promise<readonly { readonly path: string; readonly folder: string | undefined }[]> {
  const chats = join(home, 'chats');
  const known = new Map(folders.map((folder) => [md5(folder), folder]));
  const names = everywhere ? await readdir(chats).catch(() => []) : [...known.keys()];
  const found = await Promise.all(
    names.map(async (name) => {
      const root = join(chats, name);
      const ids = await readdir(root).catch(() => []);
      const folder = known.get(name);
      return ids.sort().map((id) => ({ path: join(root, id, 'store.db'), folder }));
    }),
  );
  return found.flat();
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');

export const createChatList = (): DatabaseList<ListedThread> =>
  new DatabaseList(async (path) => {
    const { rows, tables, stamp } = await databases.ask({
      path,
      needs: {},
      selects: { meta: { from: 'meta', sql: "SELECT value FROM meta WHERE key = '0'" } },
    });
    if (tables['blobs'] === undefined) return { items: undefined, stamp };
    const meta = metaOf(rows['meta']?.[0]?.['value']);
    const { size, mtimeMs } = await stat(path);
    const log = await stat(`${path}-wal`).catch(() => undefined);
    const listed = {
      nativeId: textOf(meta['agentId']) ?? basename(dirname(path)),
      path,
      bytes: size + (log?.size ?? 0),
      modifiedAt: Math.max(mtimeMs, log?.mtimeMs ?? 0),
      title: textOf(meta['name']),
    };
    return { items: [listed], stamp };
  });

export async function readChat(path: string, cursor: Cursor | undefined): Promise<ReadResult> {
  const { rows } = await databases.ask({
    path,
    needs,
    maxAgeMs: justFoundMs,
    selects: {
      meta: { from: 'meta', sql: "SELECT value FROM meta WHERE key = '0'" },
      blobs: { from: 'blobs', sql: 'SELECT id, data FROM blobs' },
    },
  });
  const meta = metaOf(rows['meta']?.[0]?.['value']);
  const blobs = new Map(
    (rows['blobs'] ?? []).map((row) => [textIn(row, 'id') ?? '', bytesOf(row['data'])]),
  );
  const names = namesIn(blobs.get(textOf(meta['latestRootBlobId']) ?? '') ?? Buffer.alloc(0));
  const messages = names.flatMap((name, place) => {
    const data = blobs.get(name);
    // The same words said twice are one blob.
    const id = `${place} ${name}`;
    return data === undefined ? [] : [rowRecord('message', id, { id, place, value: data })];
  });
  const head = rowRecord('chat', 'meta', { id: 'meta', value: JSON.stringify(meta) });
  return logSince(path, { heads: [head], rows: messages }, cursor);
}

const bytesOf = (value: unknown): Buffer =>
  value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(isString(value) ? value : '');

/** JSON, written as hexadecimal digits. */
function metaOf(value: unknown): Fields {
  try {
    return fieldsOf(JSON.parse(Buffer.from(bytesOf(value).toString(), 'hex').toString())) ?? {};
  } catch {
    return {};
  }
}

const nameField = 0x0a;
const nameBytes = 32;

/** The names in a root blob: field 1, 32 bytes each; what else it holds comes behind them. */
function namesIn(root: Buffer): readonly string[] {
  const names: string[] = [];
  let at = 0;
  while (root[at] === nameField && root[at + 1] === nameBytes) {
    names.push(root.toString('hex', at + 2, at + 2 + nameBytes));
    at += 2 + nameBytes;
  }
  return names;
}
