import { createHash } from 'node:crypto';
import { crc32 } from './crc32.js';
import type { Cursor } from '../core/model/records.js';

/**
 * A place between two records that was read past, with the CRC-32 of every byte before it. When a file
 * was rewritten, the last mark that still fits tells how much of the earlier copy it shares.
 */
export interface Mark {
  readonly offset: number;
  readonly records: number;
  readonly lines: number;
  readonly crc: number;
}

export const noMark: Mark = { offset: 0, records: 0, lines: 0, crc: 0 };

/** What is asked of a file that is read from an offset; a `FileHandle` of Node.js is one. */
export interface ByteFile {
  stat(options: { readonly bigint: true }): Promise<FileFacts>;
  read(
    into: Buffer,
    offset: number,
    length: number,
    position: number,
  ): Promise<{ readonly bytesRead: number; readonly buffer: Buffer }>;
}

export interface FileFacts {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
}

const tailBytes = 4096;
const scanBytes = 1024 * 1024;
/** Marks are dense at the end, where agents take lines back, and sparse before. */
const denseMarks = 6;
const mostMarks = 12;
/** Hex digits of the hash before the cursor: 64 bits tell one file's bytes from another's. */
const tailDigits = 16;

/** The marks of a cursor, oldest first. */
export function marksOf(cursor: Cursor): readonly Mark[] {
  const packed = cursor.state['marks'];
  if (typeof packed !== 'string' || packed === '') return [];
  let last = noMark;
  return packed.split(' ').map((mark) => {
    const [offset = 0, records = 0, lines = 0, crc = 0] = mark
      .split(':')
      .map((digits) => Number.parseInt(digits, 36));
    last = {
      offset: last.offset + offset,
      records: last.records + records,
      lines: last.lines + lines,
      crc: crc | 0,
    };
    return last;
  });
}

/** Each mark by what it adds to the one before, in base 36: a cursor is kept with every run of records. */
const packMarks = (marks: readonly Mark[]): string =>
  marks
    .map((mark, at) => {
      const before = marks[at - 1] ?? noMark;
      return [
        mark.offset - before.offset,
        mark.records - before.records,
        mark.lines - before.lines,
        mark.crc >>> 0,
      ]
        .map((number) => number.toString(36))
        .join(':');
    })
    .join(' ');

export function addMarks(before: readonly Mark[], added: readonly Mark[]): readonly Mark[] {
  const all = [...before, ...added];
  const sparse = all.length - denseMarks;
  return all.length > mostMarks ? all.filter((_, at) => at >= sparse || at % 2 === 0) : all;
}

/** The mark after some more bytes of whole records. */
export const advance = (from: Mark, bytes: Uint8Array, records: number, lines: number): Mark => ({
  offset: from.offset + bytes.length,
  records: from.records + records,
  lines: from.lines + lines,
  crc: crc32(bytes, from.crc),
});

/** What a cursor must know to find out later whether the file still begins the same way. */
export async function identity(
  file: ByteFile,
  offset: number,
  marks: readonly Mark[],
): Promise<Cursor['state']> {
  const { dev, ino } = await file.stat({ bigint: true });
  return {
    device: dev.toString(),
    inode: ino.toString(),
    tail: await hashBefore(file, offset),
    marks: packMarks(marks),
  };
}

/** Whether this is the same file, not shorter, with the same last bytes before the cursor. */
export async function sameBeginning(file: ByteFile, cursor: Cursor): Promise<boolean> {
  const { dev, ino, size } = await file.stat({ bigint: true });
  return (
    cursor.state['device'] === dev.toString() &&
    cursor.state['inode'] === ino.toString() &&
    size >= BigInt(cursor.offset) &&
    cursor.state['tail'] === (await hashBefore(file, cursor.offset))
  );
}

async function hashBefore(file: ByteFile, offset: number): Promise<string> {
  const length = Math.min(tailBytes, offset);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, offset - length);
  return createHash('sha256')
    .update(buffer.subarray(0, bytesRead))
    .digest('hex')
    .slice(0, tailDigits);
}

/** Reads the file's beginning and returns the last mark that it still agrees with. */
export async function resync(
  file: ByteFile,
  marks: readonly Mark[],
): Promise<{ readonly mark: Mark; readonly bytesRead: number }> {
  const chunk = Buffer.alloc(scanBytes);
  let agreed = noMark;
  let at = 0;
  let crc = 0;
  for (const mark of marks) {
    while (at < mark.offset) {
      const wanted = Math.min(chunk.length, mark.offset - at);
      const { bytesRead } = await file.read(chunk, 0, wanted, at);
      if (bytesRead === 0) return { mark: agreed, bytesRead: at };
      crc = crc32(chunk.subarray(0, bytesRead), crc);
      at += bytesRead;
    }
    if (crc !== mark.crc) break;
    agreed = mark;
  }
  return { mark: agreed, bytesRead: at };
}
