import { open } from 'node:fs/promises';
import type { Cursor } from '../core/model/records.js';
import {
  addMarks,
  advance,
  identity,
  marksOf,
  noMark,
  resync,
  sameBeginning,
} from './beginnings.js';
import type { ByteFile, Mark } from './beginnings.js';
import { cutLines, type Lines } from './lines.js';
import type { ReadResult } from './source.js';

export interface JsonlLimits {
  /** One call reads about so much; a longer line is read whole. */
  readonly chunkBytes: number;
  /** Of a line above this only the head is kept: no agent writes one, and it must not fill the memory. */
  readonly longestLine: number;
}

const usualLimits: JsonlLimits = {
  chunkBytes: 2 * 1024 * 1024,
  longestLine: 64 * 1024 * 1024,
};

/**
 * Reads what an append-only file of JSON lines has gained since the cursor.
 *
 * Only whole lines are taken: an unfinished last line stays for later, unless it already is a whole
 * JSON object. Blank lines are dropped, broken ones are kept as they are, so that nothing is lost and
 * the parser can count them. Whether the file still begins with what was read is decided by device,
 * inode and the bytes before the offset; if it does not, as much as is still the same is reused.
 * Rejects with the error of `node:fs` when the file cannot be read.
 */
export async function readJsonl(
  path: string,
  cursor: Cursor | undefined,
  signal?: AbortSignal,
  limits: JsonlLimits = usualLimits,
): Promise<ReadResult> {
  signal?.throwIfAborted();
  const file = await open(path, 'r');
  try {
    return await readJsonlOf(file, path, cursor, signal, limits);
  } finally {
    await file.close();
  }
}

/** The same for bytes that are no plain file, such as those of a compressed one. */
export async function readJsonlOf(
  file: ByteFile,
  path: string,
  cursor: Cursor | undefined,
  signal?: AbortSignal,
  limits: JsonlLimits = usualLimits,
): Promise<ReadResult> {
  const start = await whereToStart(file, cursor);
  const size = Number((await file.stat({ bigint: true })).size);
  const bytes = await readLines(file, start.at.offset, size, limits, signal);
  const atEnd = start.at.offset + bytes.length >= size;
  const last = atEnd ? 'end' : bytes.length >= limits.longestLine ? 'tooMuch' : 'more';
  const lines = cutLines(
    bytes,
    { line: start.at.lines + 1, offset: start.at.offset, insideLongLine: start.insideLongLine },
    last,
  );
  const marks = addMarks(start.marks, marksAlong(start.at, bytes, lines));
  const at = marks.at(-1) ?? noMark;
  const state = await identity(file, at.offset, marks);
  return {
    records: lines.records,
    places: lines.places,
    restarted: start.restarted,
    unfinished:
      atEnd && lines.used < bytes.length
        ? { line: at.lines + 1, offset: at.offset, cut: true }
        : undefined,
    cursor: {
      path,
      offset: at.offset,
      generation: start.generation,
      records: at.records,
      state: lines.insideLongLine ? { ...state, insideLongLine: 1 } : state,
    },
    bytesRead: start.bytesRead + bytes.length,
    more: !atEnd && lines.used > 0,
  };
}

interface Start {
  readonly at: Mark;
  readonly marks: readonly Mark[];
  readonly generation: number;
  readonly insideLongLine: boolean;
  readonly restarted?: { readonly reused: number } | undefined;
  readonly bytesRead: number;
}

async function whereToStart(file: ByteFile, cursor: Cursor | undefined): Promise<Start> {
  if (cursor === undefined) {
    return { at: noMark, marks: [], generation: 0, insideLongLine: false, bytesRead: 0 };
  }
  const marks = marksOf(cursor);
  const end = marks.at(-1) ?? noMark;
  const insideLongLine = cursor.state['insideLongLine'] === 1;
  const goOn = { at: end, marks, generation: cursor.generation, insideLongLine, bytesRead: 0 };
  if (await sameBeginning(file, cursor)) return goOn;
  const { mark, bytesRead } = await resync(file, marks);
  if (mark === end) return { ...goOn, bytesRead };
  return {
    at: mark,
    marks: marks.slice(0, marks.indexOf(mark) + 1),
    generation: cursor.generation + 1,
    insideLongLine: false,
    restarted: { reused: mark.records },
    bytesRead,
  };
}

/** Reads from the offset on: one chunk, or as much as the first line needs. */
async function readLines(
  file: ByteFile,
  offset: number,
  size: number,
  limits: JsonlLimits,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  const left = Math.max(0, size - offset);
  let wanted = Math.min(limits.chunkBytes, left);
  let bytes: Buffer = Buffer.alloc(0);
  while (bytes.length < wanted) {
    signal?.throwIfAborted();
    const grown = Buffer.allocUnsafe(wanted);
    bytes.copy(grown);
    const got = await fill(file, grown, bytes.length, offset);
    const ended = got < wanted || grown.subarray(bytes.length, got).includes('\n');
    bytes = grown.subarray(0, got);
    if (ended) break;
    wanted = Math.min(wanted * 2, limits.longestLine, left);
  }
  return bytes;
}

/** Fills the buffer from its place `at` on; returns where the bytes end. */
async function fill(file: ByteFile, into: Buffer, at: number, offset: number): Promise<number> {
  let end = at;
  while (end < into.length) {
    const { bytesRead } = await file.read(into, end, into.length - end, offset + end);
    if (bytesRead === 0) break;
    end += bytesRead;
  }
  return end;
}

/** Marks before the last 1,024, 256, ... 4, 1 records, and one at the end. */
function marksAlong(start: Mark, bytes: Buffer, lines: Lines): readonly Mark[] {
  if (lines.used === 0) return [];
  const marks: Mark[] = [];
  let last = start;
  const markAt = (offset: number, records: number, ended: number): void => {
    const between = bytes.subarray(last.offset - start.offset, offset - start.offset);
    last = advance(last, between, start.records + records - last.records, ended - last.lines);
    marks.push(last);
  };
  for (let before = 1024; before >= 1; before /= 4) {
    const index = lines.records.length - before;
    const place = lines.places[index];
    if (place === undefined || place.offset <= last.offset) continue;
    markAt(place.offset, index, place.line - 1);
  }
  markAt(start.offset + lines.used, lines.records.length, start.lines + lines.ends);
  return marks;
}
