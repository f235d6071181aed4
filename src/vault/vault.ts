import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Clock } from '../core/clock.js';
import type { Problem } from '../core/engine.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { NewFrame } from './frame.js';
import { encodeFrame } from './frame.js';
import type { Io } from './io.js';
import { diskIo } from './io.js';
import { PackWriter } from './pack.js';
import { packExtension } from './packFile.js';
import { readFrameAt, readFrames, readPackHead } from './reader.js';
import type { Frame, FrameRef } from './types.js';
import { FrameType } from './types.js';
import { codeOf } from './writeError.js';

export interface VaultOptions {
  /** The project's folder, `<store>/projects/<project key>`; made at the first append. */
  readonly folder: string;
  /** How far packs were read before, by name; {@link Vault.poll} gives the rest. */
  readonly covered?: ReadonlyMap<string, number>;
  /** Where bytes lie that were put into this vault or another one before, by SHA-256 (hex). */
  readonly blobRef?: (hash: string) => FrameRef | undefined;
  /** To be shared by the vaults of one window, and to have observed the newest frame known. */
  readonly clock?: Clock;
  readonly io?: Io;
}

/** One step of {@link Vault.poll}. */
export type VaultNews = { readonly frame: Frame } | { readonly problem: Problem };

/** What is known of one pack of another process, or of this one's earlier runs. */
interface Tail {
  /** Reading goes on here. */
  offset: number;
  /** Size at the last look: nothing is read again while it stays. */
  size: number | undefined;
}

/** Opens a project's vault. Nothing is written before the first append; a missing folder is an empty vault. */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const vault = new Vault(options);
  await vault.look();
  return vault;
}

/**
 * The packs of one project: this process's own one, which it appends to, and all others, which it reads
 * as they grow.
 */
export class Vault {
  /** The folder of the packs. */
  private readonly packs: string;
  private readonly clock: Clock;
  private readonly writer: PackWriter;
  private readonly tails = new Map<string, Tail>();
  /** Own blobs, also those that are on their way. */
  private readonly blobs = new Map<string, Promise<void>>();
  /** Places of problems that were told already. */
  private readonly told = new Set<string>();
  private newer = false;

  constructor(private readonly options: VaultOptions) {
    this.packs = join(options.folder, 'packs');
    this.clock = options.clock ?? new Clock();
    this.writer = new PackWriter(this.packs, options.io ?? diskIo);
  }

  /** True once a pack of a newer version was seen: what this version knows is read, nothing written. */
  get readOnly(): boolean {
    return this.newer;
  }

  /** Whether the pack belongs to this vault. */
  has(pack: string): boolean {
    return this.writer.owns(pack) || this.tails.has(pack);
  }

  /**
   * Appends frames in one write and answers with them and their places once they are on the disk. When it
   * rejects, none counts; a crash on the way may leave the first ones.
   *
   * @throws ExpectedError `vaultTooNew`, `diskFull`, `notWritable`, `writeFailed` or `vaultClosed`
   */
  async append(frames: readonly NewFrame[]): Promise<readonly Frame[]> {
    if (this.newer) throw tooNew();
    const encoded = frames.map((frame) => {
      const clock = this.clock.tick(Date.now());
      return { ...frame, clock, ...encodeFrame(frame, clock) };
    });
    const refs = await this.writer.append(encoded.map(({ bytes }) => bytes));
    return refs.flatMap((ref, at) => {
      const frame = encoded[at];
      if (!frame) return [];
      const end = ref.offset + frame.bytes.length;
      const { type, clock, sessionId, hash, payload } = frame;
      return [{ ...ref, end, type, clock, sessionId, hash, payload }];
    });
  }

  /**
   * Keeps bytes under their SHA-256 (hex), once. `frame` is there when they were not kept before.
   *
   * @throws ExpectedError as {@link append}
   */
  async putBlob(bytes: Uint8Array): Promise<{ readonly hash: string; readonly frame?: Frame }> {
    const hash = createHash('sha256').update(bytes).digest('hex');
    const before = this.blobs.get(hash);
    if (before) {
      await before;
      return { hash };
    }
    const kept = this.options.blobRef?.(hash);
    if (kept && this.has(kept.pack)) return { hash };
    const appended = this.append([{ type: FrameType.blob, payload: bytes }]);
    // Not the frame itself: it holds the bytes.
    const done = appended.then(() => undefined);
    done.catch(() => this.blobs.delete(hash));
    this.blobs.set(hash, done);
    const [frame] = await appended;
    return frame ? { hash, frame } : { hash };
  }

  /** @throws ExpectedError `unreadable` */
  readFrame(ref: FrameRef): Promise<Frame> {
    return readFrameAt(join(this.packs, ref.pack), ref.offset);
  }

  /**
   * What other processes have written since the last call, and on the first call what was there before.
   * Own frames are not among it. A problem is told once.
   */
  async *poll(): AsyncGenerator<VaultNews, void, undefined> {
    for (const problem of await this.look()) yield* this.tell(problem);
    for (const [pack, tail] of this.tails) yield* this.readTail(pack, tail);
  }

  /** Takes in the names of new packs. */
  async look(): Promise<readonly Problem[]> {
    const problems: Problem[] = [];
    for (const pack of await this.list(problems)) {
      if (this.has(pack)) continue;
      const offset = this.options.covered?.get(pack) ?? 0;
      this.tails.set(pack, { offset, size: undefined });
      // Whatever else is wrong is told when the pack is read.
      if (offset === 0) await this.isNewer(pack).catch(() => false);
    }
    return problems;
  }

  /** Waits for what is being written. */
  close(): Promise<void> {
    return this.writer.close();
  }

  private async *readTail(pack: string, tail: Tail): AsyncGenerator<VaultNews, void, undefined> {
    const path = join(this.packs, pack);
    const problems: Problem[] = [];
    const report = (message: string): number => problems.push({ where: pack, message });
    try {
      const { size } = await fileOf(path);
      if (size === tail.size) return;
      if (tail.offset === 0 && (await this.isNewer(pack))) {
        report('A newer version of Keepthread has written it; it was not read.');
      } else {
        for await (const frame of readFrames(path, tail.offset, (found) => problems.push(found))) {
          this.clock.observe(frame.clock);
          tail.offset = frame.end;
          yield { frame };
        }
      }
      tail.size = size;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') this.tails.delete(pack);
      else report(messageOf(error));
    }
    for (const problem of problems) yield* this.tell(problem);
  }

  private async isNewer(pack: string): Promise<boolean> {
    const newer = (await readPackHead(join(this.packs, pack))) === 'newer';
    this.newer ||= newer;
    return newer;
  }

  private *tell(problem: Problem): Generator<VaultNews, void, undefined> {
    const key = `${problem.where}\n${problem.message}`;
    if (this.told.has(key)) return;
    this.told.add(key);
    yield { problem };
  }

  private async list(problems: Problem[]): Promise<readonly string[]> {
    try {
      const names = await readdir(this.packs);
      return names.filter((name) => name.endsWith(packExtension)).sort();
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') {
        problems.push({ where: this.packs, message: messageOf(error) });
      }
      return [];
    }
  }
}

async function fileOf(path: string): Promise<{ readonly size: number }> {
  const found = await stat(path);
  if (!found.isFile()) throw new Error('It is not a file.');
  return found;
}

const tooNew = (): ExpectedError =>
  new ExpectedError(
    'vaultTooNew',
    'A newer version of Keepthread has saved to this project; this version reads what it knows and saves nothing.',
    [],
    { next: 'Update Keepthread.' },
  );
