import { open } from 'node:fs/promises';
import type { Cursor } from '../core/model/records.js';
import { readThread } from './copies.js';
import type { FoundThread, ParserOptions, ReadResult, Source, ThreadParser } from './source.js';

/**
 * A thread's parser after everything that its file holds, an unfinished last line included. Reads in
 * chunks; without turns the memory stays flat. Rejects as `Source.read` does.
 */
export async function foldFile(
  source: Source,
  found: FoundThread,
  options: ParserOptions = {},
  signal?: AbortSignal,
): Promise<ThreadParser> {
  const parser = source.parser(found.nativeId, options);
  let cursor: Cursor | undefined;
  let read: ReadResult;
  do {
    read = await readThread(source, found, cursor, signal);
    for (const [at, record] of read.records.entries()) parser.push(record, read.places?.[at]);
    cursor = read.cursor;
  } while (read.more);
  if (read.unfinished === undefined) return parser;
  const rest = await bytesOf(found.path, read.unfinished.offset, found.bytes);
  if (rest.toString('utf8').trim() !== '') parser.push(rest, read.unfinished);
  return parser;
}

export async function bytesOf(path: string, from: number, to: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const length = Math.max(0, to - from);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
