import { open } from 'node:fs/promises';
import { headRecords } from './fileHead.js';

/** What tells an agent's file, in nearly every case. */
export const headBytes = 64 * 1024;

/** The beginning of a file, or all of a shorter one. Rejects with the error of `node:fs`. */
export async function beginningOf(path: string, length = headBytes): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const sqliteMagic = Buffer.from('SQLite format 3\0');

export const isSqlite = (head: Uint8Array): boolean =>
  sqliteMagic.equals(head.subarray(0, sqliteMagic.length));

/** Whether a file is a database, by its name where that tells, else by how it begins. */
export async function isDatabase(path: string): Promise<boolean> {
  if (/\.jsonl?$/.test(path)) return false;
  if (/\.(?:db|vscdb|sqlite\d?)$/.test(path)) return true;
  return isSqlite(await beginningOf(path, sqliteMagic.length));
}

/**
 * Whether a text that begins so is one JSON value over many lines, or one object on one line that holds a list of
 * that name; otherwise it is a log of lines. Names say nothing: people rename what they copy.
 */
export function isOneValue(head: string, list: string): boolean {
  const text = head.replace(/^\uFEFF/, '').trimStart();
  const [first = '', ...others] = text.split('\n');
  // Of a log that is just being written the first line may end here, too, but without a line end.
  if (others.length > 0 && /^(?:\{|\[|\[\s*\{)\s*$/.test(first)) return true;
  const isList = text.startsWith('[');
  if (isList && !isJson(first)) return true;
  if (others.some((line) => line.trimStart().startsWith('{'))) return false;
  return isList || headRecords(head).some((record) => Array.isArray(record[list]));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
