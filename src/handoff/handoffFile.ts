import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, ExpectedError } from '../core/errors.js';
import { writeError } from '../vault/writeError.js';
import type { Unlock } from '../core/handoff.js';
import { ageMark, decrypted } from './age.js';
import { limits } from './limits.js';
import { locked, refused } from './refusal.js';

/** What a file is from outside. */
export interface FileLook {
  readonly bytes: number;
  readonly encryption: 'none' | 'passphrase' | 'recipients';
}

/** @throws ExpectedError `fileUnreadable`, `handoffRefused` */
export async function lookAt(file: string): Promise<FileLook> {
  try {
    const found = await lstat(file);
    if (!found.isFile()) throw refused('It is no file.');
    if (found.size > limits.file) throw refused('It is larger than 512 MB.');
    const handle = await open(file, 'r');
    try {
      const head = Buffer.alloc(4096);
      const { bytesRead } = await handle.read(head, 0, head.length, 0);
      return { bytes: found.size, encryption: encryptionOf(head.subarray(0, bytesRead)) };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof ExpectedError) throw error;
    throw new ExpectedError('fileUnreadable', 'Cannot read {0}: {1}', [file, messageOf(error)], {
      cause: error,
      next: 'Name a file that can be read.',
    });
  }
}

function encryptionOf(head: Buffer): FileLook['encryption'] {
  if (!head.subarray(0, ageMark.length).equals(ageMark)) return 'none';
  return head.toString('latin1').includes('\n-> scrypt ') ? 'passphrase' : 'recipients';
}

/**
 * The plain bytes of a session file.
 *
 * @throws ExpectedError `handoffLocked` when it is encrypted and nothing to open it was given
 */
export async function* plainOf(
  file: string,
  unlock: Unlock = {},
  onRead: (bytes: number) => void = () => undefined,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { encryption } = await lookAt(file);
  const bytes = bounded(createReadStream(file, { highWaterMark: 256 * 1024 }), onRead);
  if (encryption === 'none') {
    yield* bytes;
    return;
  }
  if (encryption === 'passphrase' && unlock.passphrase === undefined) {
    throw locked('passphrase');
  }
  if (encryption === 'recipients' && (unlock.identities ?? []).length === 0) {
    throw locked('identity');
  }
  yield* decrypted(bytes, unlock);
}

/** A file may grow while it is read. */
async function* bounded(
  file: AsyncIterable<Uint8Array>,
  onRead: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0;
  for await (const chunk of file) {
    size += chunk.length;
    if (size > limits.file) throw refused('It is larger than 512 MB.');
    onRead(chunk.length);
    yield chunk;
  }
}

/**
 * Writes a stream to a new file beside, then puts it in place: whole or not at all, for its owner only.
 *
 * @returns bytes written
 * @throws ExpectedError `diskFull`, `notWritable`, `writeFailed`; what the stream throws
 */
export async function writeStream(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<number> {
  const temporary = join(dirname(file), `.${basename(file)}.${randomUUID()}.tmp`);
  let size = 0;
  try {
    const handle = await disk(file, async () => {
      await mkdir(dirname(file), { recursive: true });
      return open(temporary, 'wx', 0o600);
    });
    try {
      for await (const chunk of bytes) {
        signal?.throwIfAborted();
        await disk(file, () => handle.writeFile(chunk));
        size += chunk.length;
      }
      await disk(file, () => handle.sync());
    } finally {
      await handle.close();
    }
    await disk(file, () => rename(temporary, file));
    return size;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Only what the disk refuses is told as such; the stream has errors of its own. */
async function disk<T>(file: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw writeError(file, error);
  }
}
