import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { ExpectedError } from '../core/errors.js';
import type { Cursor } from '../core/model/records.js';
import type { ReadResult } from './source.js';
import { splitState } from './splitState.js';

/** Larger files are not read into memory; Node.js itself fails on texts above 512 MB. */
const largestFile = 512 * 1024 * 1024;
const attempts = 5;
const pauseMs = 40;

/**
 * Reads a conversation that is kept as one JSON object: VS Code's chats before 1.109 and exported ones,
 * old sessions of Gemini CLI and others. Agents rewrite such a file whole, so the items of its
 * member `list` become one record each, and those before the first changed one are reused. The rest of
 * the object follows them as the last record. With `mayBeList` the file may also be the list itself.
 *
 * @throws ExpectedError when the file is too large. Rejects with the error of `node:fs` when it
 * cannot be read.
 */
export async function readStateFile(
  list: string,
  path: string,
  cursor: Cursor | undefined,
  signal?: AbortSignal,
  mayBeList = false,
): Promise<ReadResult> {
  const split = (bytes: Buffer): readonly Uint8Array[] => splitState(bytes, list, mayBeList);
  return readWholeFile(split, path, cursor, signal);
}

/** The same for a file of any form that is rewritten whole, or too entangled to be read in pieces. */
export async function readWholeFile(
  split: (bytes: Buffer) => readonly Uint8Array[],
  path: string,
  cursor: Cursor | undefined,
  signal?: AbortSignal,
): Promise<ReadResult> {
  const before = cursor?.path === path ? cursor : undefined;
  const file = await open(path, 'r');
  try {
    const read = await readStable(file, path, before, signal);
    if (read === undefined) return nothingNew(path, cursor);
    const { bytes, stamp } = read;
    return changesOf(path, cursor, split(bytes), { stamp, bytes: bytes.length });
  } finally {
    await file.close();
  }
}

interface StableRead {
  readonly bytes: Buffer;
  readonly stamp: string;
}

/** The file as it was at one moment; undefined when it is as the cursor knows it, or never at rest. */
async function readStable(
  file: FileHandle,
  path: string,
  cursor: Cursor | undefined,
  signal: AbortSignal | undefined,
): Promise<StableRead | undefined> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    signal?.throwIfAborted();
    const before = await file.stat({ bigint: true });
    if (cursor?.state['stamp'] === stampOf(before)) return undefined;
    if (before.size > largestFile) {
      throw new ExpectedError(
        'chatTooLarge',
        'The conversation {0} is too large to be read ({1} MB).',
        [path, Math.round(Number(before.size) / 1024 / 1024)],
        { next: 'Delete old turns of it in the agent to have it kept.' },
      );
    }
    const bytes = await readBytes(file, Number(before.size));
    const after = await file.stat({ bigint: true });
    if (stampOf(before) === stampOf(after) && bytes.length === Number(after.size)) {
      return { bytes, stamp: stampOf(after) };
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (attempt + 1)));
  }
  return undefined;
}

const stampOf = ({ dev, ino, size, mtimeNs }: BigIntStats): string =>
  [dev, ino, size, mtimeNs].join(':');

async function readBytes(file: FileHandle, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  while (at < size) {
    const { bytesRead } = await file.read(bytes, at, size - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return bytes.subarray(0, at);
}

const nothingNew = (path: string, cursor: Cursor | undefined): ReadResult => ({
  records: [],
  cursor: cursor ?? { path, offset: 0, generation: 0, records: 0, state: {} },
  bytesRead: 0,
  more: false,
});

/**
 * What all the records of a conversation say that is new since the cursor.
 *
 * @param stamp tells the state that was read from any other
 */
export function changesOf(
  path: string,
  cursor: Cursor | undefined,
  all: readonly Uint8Array[],
  { stamp, bytes }: { readonly stamp: string; readonly bytes: number },
): ReadResult {
  const marks = marksOf(all);
  const reused = cursor ? sharedRecords(cursor, marks) : 0;
  const first = cursor === undefined || cursor.records === 0;
  const changed = reused !== all.length || reused !== cursor?.records;
  return {
    records: changed ? all.slice(first ? 0 : reused) : [],
    restarted: changed && !first ? { reused } : undefined,
    cursor: {
      path,
      offset: bytes,
      generation: (cursor?.generation ?? 0) + (changed && !first ? 1 : 0),
      records: all.length,
      state: { stamp, ...keptMarks(marks) },
    },
    bytesRead: bytes,
    more: false,
  };
}

/** For each n, a hash of the first n records. */
function marksOf(records: readonly Uint8Array[]): readonly string[] {
  const marks = [''];
  for (const record of records) {
    const hash = createHash('sha256')
      .update(marks.at(-1) ?? '')
      .update(record);
    marks.push(hash.digest('base64').slice(0, 16));
  }
  return marks;
}

/** Marks at the end, where chats change, and at growing distances before it, to keep the cursor small. */
function keptMarks(marks: readonly string[]): Record<string, string> {
  const last = marks.length - 1;
  const kept: Record<string, string> = {};
  for (let back = 0; last - back > 0; back = back < 4 ? back + 1 : back * 2) {
    kept[`first${last - back}`] = marks[last - back] ?? '';
  }
  return kept;
}

function sharedRecords(cursor: Cursor, marks: readonly string[]): number {
  const shared = Object.entries(cursor.state)
    .map(([key, mark]) => ({ count: Number(/^first(\d+)$/.exec(key)?.[1] ?? 0), mark }))
    .filter(({ count, mark }) => count > 0 && marks[count] === mark);
  return Math.max(0, ...shared.map(({ count }) => count));
}
