import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ExpectedError } from '../../core/errors.js';
import type { Cursor } from '../../core/model/records.js';
import { fieldsOf, isFields, objectsOf, textOf, type Fields } from '../json.js';
import type { ListedThread, ReadResult } from '../source.js';
import { splitState } from '../splitState.js';
import { logSince, type LogRow } from '../sqlite/rowLog.js';
import { rowRecord } from '../sqlite/rowRecord.js';
import { todoRecord } from './database.js';
import { namesIn } from './places.js';
import { sessionOf } from './rows.js';

/*
 * Before its database (1.2, February 2026) OpenCode kept a file for everything:
 * storage/session/<project>/<session>.json, storage/message/<session>/<message>.json,
 * storage/part/<message>/<part>.json, storage/todo/<session>.json. What a thing is called is its file's
 * name; an id inside may be stale.
 */

/** Sessions of the JSON files in a data folder, whatever folder they worked in. */
export async function listTree(dataFolder: string): Promise<readonly ListedThread[]> {
  const storage = join(dataFolder, 'storage');
  const root = join(storage, 'session');
  const sessions: ListedThread[] = [];
  for (const project of await namesIn(root)) {
    for (const name of await jsonNames(join(root, project))) {
      const listed = await listSession(storage, join(root, project, name));
      if (listed !== undefined) sessions.push(listed);
    }
  }
  return sessions;
}

async function listSession(storage: string, path: string): Promise<ListedThread | undefined> {
  const nativeId = idOf(path);
  const { size, mtimeMs } = await stat(path);
  const messages = join(storage, 'message', nativeId);
  const names = await jsonNames(messages);
  if (names.length === 0) return undefined;
  const { directory, parent, title } = sessionOf({ data: await readJson(path) });
  const newest = names.slice(-2);
  const times = await Promise.all([
    changedAt(messages),
    ...newest.flatMap((name) => [
      changedAt(join(messages, name)),
      changedWithin(join(storage, 'part', idOf(name))),
    ]),
  ]);
  return {
    nativeId,
    path,
    bytes: size,
    modifiedAt: Math.max(mtimeMs, ...times),
    parent,
    folder: directory,
    title,
  };
}

/** When a folder or a file in it last changed. */
async function changedWithin(folder: string): Promise<number> {
  const names = await namesIn(folder);
  const paths = [folder, ...names.map((name) => join(folder, name))];
  return Math.max(...(await Promise.all(paths.map(changedAt))));
}

const changedAt = async (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );

/**
 * What a session has gained since the cursor: from its files, or from one file that `export` wrote.
 * Rejects with the error of `node:fs` when the session's file cannot be read.
 */
export async function readTree(path: string, cursor: Cursor | undefined): Promise<ReadResult> {
  const bytes = await readFile(path);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  const info = fieldsOf(parsed(text));
  const isTree = info !== undefined && info['messages'] === undefined;
  const found = isTree ? await treeRows(path, text, info) : exportedRows(bytes);
  if (found.rows.length > 0 || cursor !== undefined) return logSince(path, found, cursor);
  throw new ExpectedError('noThread', '{0} says what a session is about, and no more.', [path], {
    next: 'Its messages lie beside it in the folder of OpenCode: name the file there.',
  });
}

/** Of a file that was cut, all messages before; what is broken stays as it is, to be told. */
function exportedRows(bytes: Buffer) {
  let session: Fields = {};
  const rows = splitState(bytes, 'messages').flatMap((record, at): readonly LogRow[] => {
    const text = Buffer.from(record).toString('utf8');
    const item = fieldsOf(parsed(text));
    if (item === undefined) return [{ key: `broken ${at}`, record: text }];
    if (Array.isArray(item['parts'])) return messageRows(item);
    session = fieldsOf(item['info']) ?? session;
    return [];
  });
  const id = textOf(session['id']) ?? '';
  return { heads: [fileRecord('session', { id }, JSON.stringify(session))], rows };
}

function messageRows({ info, parts }: Fields): readonly LogRow[] {
  const id = textOf(fieldsOf(info)?.['id']) ?? '';
  return [
    fileRecord('message', { id }, JSON.stringify(info ?? null)),
    ...objectsOf(parts).map((part) =>
      fileRecord('part', { id: textOf(part['id']) ?? '', message_id: id }, JSON.stringify(part)),
    ),
  ];
}

async function treeRows(path: string, text: string, info: Fields) {
  const named = idOf(path);
  // A copy may be called otherwise.
  const id = named.startsWith('ses_') ? named : (textOf(info['id']) ?? named);
  const storage = dirname(dirname(dirname(path)));
  const rows: LogRow[] = [];
  for (const name of await jsonNames(join(storage, 'message', id))) {
    const message = idOf(name);
    const file = join(storage, 'message', id, name);
    rows.push(fileRecord('message', { id: message }, await readText(file)));
    for (const partName of await jsonNames(join(storage, 'part', message))) {
      const row = { id: idOf(partName), message_id: message };
      rows.push(fileRecord('part', row, await readText(join(storage, 'part', message, partName))));
    }
  }
  const todos = parsed(await readText(join(storage, 'todo', `${id}.json`)));
  const heads = [fileRecord('session', { id }, text), todoRecord(objectsOf(todos))];
  return { heads, rows };
}

type FileRow = { readonly id: string; readonly message_id?: string };

const fileRecord = (table: string, row: FileRow, text: string): LogRow =>
  rowRecord(table, row.id, { ...row, data: text });

/** A file that went away in between says nothing. */
const readText = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '');

async function readJson(path: string): Promise<Fields> {
  const value = parsed(await readText(path));
  return isFields(value) ? value : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const jsonNames = async (folder: string): Promise<readonly string[]> =>
  (await namesIn(folder)).filter((name) => name.endsWith('.json'));

const idOf = (path: string): string => basename(path, '.json');
