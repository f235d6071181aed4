import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './writeError.js';

const CHUNK = 2 ** 20;

/** SHA-256 (hex) of a file's first bytes. @throws Error when it has fewer. */
export async function hashOfStart(path: string, bytes: number): Promise<string> {
  const handle = await open(path, 'r');
  try {
    const digest = createHash('sha256');
    await eachChunk(handle, 0, bytes, (chunk) => void digest.update(chunk));
    return digest.digest('hex');
  } finally {
    await handle.close();
  }
}

/**
 * A second name for a file that nobody changes any more, or a copy where the file system has no second names.
 *
 * @returns bytes that were copied
 */
export async function linkOrCopy(from: string, to: string): Promise<number> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await link(from, to);
    return 0;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') throw error;
  }
  const { size } = await stat(from);
  await copyStart(from, to, size);
  return size;
}

/** Copies a file's first bytes into a new one, which has its name only once they are on the disk. */
export async function copyStart(from: string, to: string, bytes: number): Promise<string> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const temporary = `${to}.tmp`;
  await rm(temporary, { force: true });
  try {
    const hash = await appendTo(temporary, from, 0, bytes);
    await rename(temporary, to);
    return hash;
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * Brings a copy of a file that only grows up to so many bytes; what it has already is not copied again.
 *
 * @returns bytes that were copied
 */
export async function growTo(from: string, to: string, bytes: number): Promise<number> {
  const there = await stat(to).then(
    ({ size }) => size,
    () => 0,
  );
  const isSame =
    there > 0 &&
    there <= bytes &&
    (await hashOfStart(from, there)) === (await hashOfStart(to, there));
  if (isSame) {
    await appendTo(to, from, there, bytes);
    return bytes - there;
  }
  await copyStart(from, to, bytes);
  return bytes;
}

/** Appends a range of one file to another, onto the disk; answers with the SHA-256 of the range. */
async function appendTo(to: string, from: string, begin: number, end: number): Promise<string> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'a', 0o600);
    try {
      if (process.platform !== 'win32') await target.chmod(0o600);
      const digest = createHash('sha256');
      await eachChunk(source, begin, end, async (chunk) => {
        digest.update(chunk);
        await target.writeFile(chunk);
      });
      await target.sync();
      return digest.digest('hex');
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function eachChunk(
  handle: FileHandle,
  begin: number,
  end: number,
  use: (chunk: Uint8Array) => void | Promise<void>,
): Promise<void> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  for (let at = begin; at < end;) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(CHUNK, end - at), at);
    if (bytesRead === 0) throw new Error(`The file ends at ${at}, before ${end}.`);
    await use(buffer.subarray(0, bytesRead));
    at += bytesRead;
  }
}
