import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Io, OpenPack } from '../../src/vault/io.js';
import { diskIo } from '../../src/vault/io.js';

type Step =
  | { readonly kind: 'create'; readonly file: number; readonly name: string }
  | { readonly kind: 'write'; readonly file: number; readonly bytes: Buffer; readonly at: number }
  | { readonly kind: 'sync'; readonly file: number }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'syncFolder' };

/** Content as it would be read, and the part of it that is on the disk. */
interface Content {
  bytes: Buffer;
  synced: Buffer;
}

/**
 * The real disk, with a journal of what was done to one folder, from which can be told what a loss of power at any
 * step would leave: of what was written but not synced, any part or nothing; of names that were made, changed or
 * removed since the folder was synced, each as it was or as it would be.
 */
export class JournalIo implements Io {
  readonly steps: Step[] = [];
  private files = 0;

  constructor(
    /** What is in the folder, and on the disk, at the start. */
    private readonly before: ReadonlyMap<string, Buffer>,
  ) {}

  makeFolder(path: string): Promise<void> {
    return diskIo.makeFolder(path);
  }

  async create(path: string): Promise<OpenPack> {
    const opened = await diskIo.create(path);
    const file = this.files++;
    this.steps.push({ kind: 'create', file, name: basename(path) });
    return {
      write: async (bytes, at) => {
        const written = await opened.write(bytes, at);
        const kept = Buffer.from(bytes.subarray(0, written));
        this.steps.push({ kind: 'write', file, bytes: kept, at });
        return written;
      },
      sync: async () => {
        await opened.sync();
        this.steps.push({ kind: 'sync', file });
      },
      truncate: async (size) => {
        await opened.truncate(size);
        this.steps.push({ kind: 'truncate', file, size });
      },
      isThere: () => opened.isThere(),
      close: () => opened.close(),
    };
  }

  async syncFolder(path: string): Promise<void> {
    await diskIo.syncFolder(path);
    this.steps.push({ kind: 'syncFolder' });
  }

  async rename(from: string, to: string): Promise<void> {
    await diskIo.rename(from, to);
    this.steps.push({ kind: 'rename', from: basename(from), to: basename(to) });
  }

  async remove(path: string): Promise<void> {
    await diskIo.remove(path);
    this.steps.push({ kind: 'remove', name: basename(path) });
  }

  /** Fills a folder with what a loss of power after so many steps may leave. `chance`: from 0 to 1. */
  async lose(folder: string, after: number, chance: () => number): Promise<void> {
    const names = new Map<string, Content>();
    for (const [name, bytes] of this.before) names.set(name, { bytes, synced: bytes });
    const durable = new Map(names);
    const contents: Content[] = [];
    let waiting: Step[] = [];
    for (const step of this.steps.slice(0, after)) {
      switch (step.kind) {
        case 'create':
          contents[step.file] = { bytes: Buffer.alloc(0), synced: Buffer.alloc(0) };
          break;
        case 'write': {
          const content = contents[step.file];
          if (!content) break;
          content.bytes = Buffer.concat([content.bytes.subarray(0, step.at), step.bytes]);
          continue;
        }
        case 'sync': {
          const content = contents[step.file];
          if (content) content.synced = content.bytes;
          continue;
        }
        case 'truncate': {
          const content = contents[step.file];
          if (content) content.bytes = content.bytes.subarray(0, step.size);
          continue;
        }
        case 'syncFolder':
          for (const one of waiting) rename(durable, one, contents);
          waiting = [];
          continue;
      }
      waiting.push(step);
    }
    // File systems keep the order of changes to names, so a first part of them may have reached the disk.
    for (const step of waiting.slice(0, Math.floor(chance() * (waiting.length + 1)))) {
      rename(durable, step, contents);
    }
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    for (const [name, { bytes, synced }] of durable) {
      const rest = bytes.subarray(synced.length);
      const left = Buffer.concat([synced, rest.subarray(0, Math.floor(chance() * rest.length))]);
      await writeFile(join(folder, name), left);
    }
  }
}

function rename(names: Map<string, Content>, step: Step, contents: readonly Content[]): void {
  if (step.kind === 'create') {
    const content = contents[step.file];
    if (content) names.set(step.name, content);
  } else if (step.kind === 'remove') {
    names.delete(step.name);
  } else if (step.kind === 'rename') {
    const content = names.get(step.from);
    names.delete(step.from);
    if (content) names.set(step.to, content);
  }
}
