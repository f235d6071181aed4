import type { FileHandle } from 'node:fs/promises';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { codeOf } from './writeError.js';

/** The calls through which packs reach the disk and leave it, so that tests can let each of them fail. */
export interface Io {
  /** Makes a folder, and those above it, for its owner only. */
  makeFolder(path: string): Promise<void>;
  /** Makes an empty file for its owner only; fails when there is something of that name. */
  create(path: string): Promise<OpenPack>;
  /** Makes a new name in the folder survive a loss of power. */
  syncFolder(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
}

export interface OpenPack {
  /** Writes at a position; answers with the bytes written, which may be fewer. */
  write(bytes: Uint8Array, position: number): Promise<number>;
  /** Returns when the bytes are on the disk. */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  /** Whether the file still has the name that it was made with. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

export const diskIo: Io = {
  async makeFolder(path) {
    await mkdir(path, { recursive: true, mode: 0o700 });
    // An odd umask takes bits away, and an older folder may be open to others.
    if (process.platform !== 'win32') await chmod(path, 0o700);
  },
  async create(path) {
    const handle = await open(path, 'wx', 0o600);
    try {
      if (process.platform !== 'win32') await handle.chmod(0o600);
      return openPack(handle, path, (await handle.stat({ bigint: true })).ino);
    } catch (error) {
      await handle.close();
      throw error;
    }
  },
  async syncFolder(path) {
    // Windows opens no folders.
    if (process.platform === 'win32') return;
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  rename,
  remove: (path) => rm(path),
};

/** @throws Error when the disk takes no more */
export async function writeAll(file: OpenPack, bytes: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const written = await file.write(bytes.subarray(done), position + done);
    if (written === 0) throw new Error('the disk took no more bytes');
    done += written;
  }
}

const openPack = (handle: FileHandle, path: string, inode: bigint): OpenPack => ({
  write: async (bytes, position) =>
    (await handle.write(bytes, 0, bytes.length, position)).bytesWritten,
  sync: () => handle.datasync(),
  truncate: (size) => handle.truncate(size),
  isThere: () =>
    stat(path, { bigint: true }).then(
      (found) => found.ino === inode,
      (error: unknown) => {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      },
    ),
  close: () => handle.close(),
});
