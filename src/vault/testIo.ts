import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Io, OpenPack } from './io.js';
import { diskIo } from './io.js';

/** Disks for tests: one whose calls fail, one whose power goes out. */

/** What happens at one call; a number is how many bytes a write takes before it fails. */
export type Fault = { readonly code: string; readonly taken?: number };

export const systemError = (code: string): Error =>
  Object.assign(new Error(`${code}: made by a test`), { code });

/** The real disk, where `faultAt` says for each call, counted from 0, whether it fails. */
export class FaultyIo implements Io {
  calls = 0;
  syncs = 0;
  faultAt: (call: number) => Fault | undefined = () => undefined;

  makeFolder(path: string): Promise<void> {
    return this.call(() => diskIo.makeFolder(path));
  }

  async create(path: string): Promise<OpenPack> {
    return this.wrap(await this.call(() => diskIo.create(path)));
  }

  syncFolder(path: string): Promise<void> {
    return this.call(() => diskIo.syncFolder(path));
  }

  rename(from: string, to: string): Promise<void> {
    return this.call(() => diskIo.rename(from, to));
  }

  remove(path: string): Promise<void> {
    return this.call(() => diskIo.remove(path));
  }

  private wrap(file: OpenPack): OpenPack {
    return {
      write: (bytes, position) =>
        this.call(
          () => file.write(bytes, position),
          (taken) => file.write(bytes.subarray(0, taken), position),
        ),
      sync: () => {
        this.syncs += 1;
        return this.call(() => file.sync());
      },
      truncate: (size) => this.call(() => file.truncate(size)),
      isThere: () => this.call(() => file.isThere()),
      close: async () => {
        await file.close();
        await this.call(() => Promise.resolve());
      },
    };
  }

  private async call<T>(work: () => Promise<T>, part?: (taken: number) => Promise<T>): Promise<T> {
    const fault = this.faultAt(this.calls++);
    if (!fault) return work();
    if (part && fault.taken !== undefined) {
      await part(fault.taken);
    }
    throw systemError(fault.code);
  }
}

interface MemoryFile {
  bytes: Buffer;
  /** What would be left of the bytes. */
  synced: Buffer;
  /** Whether the file's name would be left. */
  named: boolean;
}

/** A disk that keeps, when the power goes out, nothing but what was synced. */
export class PowerIo implements Io {
  private readonly files = new Map<string, MemoryFile>();

  makeFolder(): Promise<void> {
    return Promise.resolve();
  }

  create(path: string): Promise<OpenPack> {
    const file: MemoryFile = { bytes: Buffer.alloc(0), synced: Buffer.alloc(0), named: false };
    this.files.set(path, file);
    return Promise.resolve({
      write: (bytes, position) => {
        file.bytes = Buffer.concat([file.bytes.subarray(0, position), bytes]);
        return Promise.resolve(bytes.length);
      },
      sync: () => {
        file.synced = file.bytes;
        return Promise.resolve();
      },
      truncate: (size) => {
        file.bytes = file.bytes.subarray(0, size);
        return Promise.resolve();
      },
      isThere: () => Promise.resolve(true),
      close: () => Promise.resolve(),
    });
  }

  syncFolder(): Promise<void> {
    for (const file of this.files.values()) file.named = true;
    return Promise.resolve();
  }

  rename(from: string, to: string): Promise<void> {
    const file = this.files.get(from);
    if (!file) return Promise.reject(systemError('ENOENT'));
    this.files.delete(from);
    this.files.set(to, { ...file, named: false });
    return Promise.resolve();
  }

  remove(path: string): Promise<void> {
    this.files.delete(path);
    return Promise.resolve();
  }

  /** Writes what a loss of power would leave; of what was not synced, a share from 0 to 1. */
  async lose(folder: string, share: number): Promise<void> {
    await mkdir(join(folder, 'packs'), { recursive: true });
    for (const [path, { bytes, synced, named }] of this.files) {
      const rest = bytes.subarray(synced.length);
      const left = Buffer.concat([synced, rest.subarray(0, Math.floor(rest.length * share))]);
      if (named) await writeFile(join(folder, 'packs', basename(path)), left);
    }
  }
}
