import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { Io, OpenPack } from './io.js';
import { writeAll } from './io.js';
import { encodePackHead, packExtension, packHeadSize } from './packFile.js';
import type { FrameRef } from './types.js';
import { writeError } from './writeError.js';

/** A pack that has grown so far is left, and a new one begun. */
const FULL = 64 * 2 ** 20;

/** Packs that are tried for one append, each because the one before lost its name meanwhile. */
const ATTEMPTS = 5;

interface Waiting {
  readonly frames: readonly Uint8Array[];
  readonly resolve: (refs: readonly FrameRef[]) => void;
  readonly reject: (error: unknown) => void;
}

interface Pack {
  readonly name: string;
  readonly path: string;
  readonly file: OpenPack;
  /** Bytes that are acknowledged; nothing behind them counts. */
  size: number;
}

/**
 * Appends frames to packs that belong to this process alone, so no lock is needed. The file is made at
 * the first append. Appends that come while the disk is busy share the next write.
 */
export class PackWriter {
  private pack: Pack | undefined;
  /** Time in the newest pack's name: packs of one process sort as they were begun, whatever the clock. */
  private begunAt = 0;
  private readonly waiting: Waiting[] = [];
  private draining: Promise<void> | undefined;
  private closed = false;
  private readonly names = new Set<string>();

  constructor(
    /** The folder of the packs. */
    private readonly folder: string,
    private readonly io: Io,
  ) {}

  /**
   * Appends encoded frames and answers with their places when they are on the disk.
   *
   * @throws ExpectedError `diskFull`, `notWritable`, `writeFailed` or `vaultClosed`; the next append is
   * tried again
   */
  append(frames: readonly Uint8Array[]): Promise<readonly FrameRef[]> {
    if (this.closed) {
      return Promise.reject(new ExpectedError('vaultClosed', 'The vault is closed already.'));
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ frames, resolve, reject });
      this.draining ??= this.drain();
    });
  }

  /** Whether this writer has made the pack. */
  owns(pack: string): boolean {
    return this.names.has(pack);
  }

  /** Names of the packs that this writer has made. */
  get packs(): readonly string[] {
    return [...this.names];
  }

  /** Whether the pack is the one that is appended to. */
  isCurrent(pack: string): boolean {
    return this.pack?.name === pack;
  }

  /** Forgets a pack that is not there any more. */
  disown(pack: string): void {
    this.names.delete(pack);
  }

  /** Waits for what is being written and closes the file. */
  async close(): Promise<void> {
    this.closed = true;
    await this.draining;
    await this.leave();
  }

  private async drain(): Promise<void> {
    // Appends of the same moment are still on their way into the queue.
    await Promise.resolve();
    while (this.waiting.length > 0) await this.commitGroup(this.waiting.splice(0));
    this.draining = undefined;
  }

  private async commitGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const refs = await this.commit(group.map(({ frames }) => frames));
      group.forEach(({ resolve }, at) => resolve(refs[at] ?? []));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  private async commit(
    appends: readonly (readonly Uint8Array[])[],
  ): Promise<readonly (readonly FrameRef[])[]> {
    const bytes = concat(appends.flat());
    try {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const pack = await this.current();
        const begin = pack.size;
        if (!(await this.write(pack, bytes))) continue;
        return placesOf(appends, pack.name, begin);
      }
      throw new Error('its files vanish as they are written');
    } catch (error) {
      throw writeError(this.folder, error);
    }
  }

  /**
   * Writes at the end of the pack. False when the pack has lost its name: somebody deleted it, or
   * collection closed it, and then it has read it already. Only what was on the disk while the name was
   * there counts: collection takes the name away first and reads afterwards.
   */
  private async write(pack: Pack, bytes: Uint8Array): Promise<boolean> {
    try {
      await writeAll(pack.file, bytes, pack.size);
      await pack.file.sync();
      if (await pack.file.isThere()) {
        pack.size += bytes.length;
        return true;
      }
    } catch (error) {
      await this.abandon(pack);
      throw error;
    }
    await this.leave();
    return false;
  }

  /** The pack to append to: the one that is open, if it is not full. */
  private async current(): Promise<Pack> {
    if (this.pack && this.pack.size < FULL) return this.pack;
    await this.leave();
    this.pack = await this.begin();
    return this.pack;
  }

  private async begin(): Promise<Pack> {
    await this.io.makeFolder(this.folder);
    this.begunAt = Math.max(Date.now(), this.begunAt + 1);
    const name = packName(this.begunAt);
    const path = join(this.folder, name);
    this.names.add(name);
    const file = await this.io.create(path);
    const pack = { name, path, file, size: 0 };
    try {
      const head = encodePackHead();
      await writeAll(file, head, 0);
      await this.io.syncFolder(this.folder);
      return { ...pack, size: head.length };
    } catch (error) {
      await this.abandon(pack);
      throw error;
    }
  }

  /**
   * Takes back what was written but not acknowledged, and leaves the pack for ever: after a failed
   * fdatasync nobody knows what of it reached the disk (https://wiki.postgresql.org/wiki/Fsync_Errors), and
   * another process may have read the frames already, so other bytes must not take their place. What
   * cannot be taken back is a torn tail, or frames that nobody was told of.
   */
  private async abandon(pack: Pack): Promise<void> {
    this.pack = undefined;
    await attempt(() => pack.file.truncate(pack.size));
    await attempt(() => pack.file.close());
    if (pack.size > packHeadSize) return;
    // Nothing was ever counted as saved to it: its going is no loss.
    this.names.delete(pack.name);
    await attempt(() => this.io.remove(pack.path));
  }

  private async leave(): Promise<void> {
    const left = this.pack;
    this.pack = undefined;
    if (left) await attempt(() => left.file.close());
  }
}

/** Names sort by time; the random part keeps two processes of one moment apart. */
const packName = (time: number): string =>
  `${new Date(time).toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}${packExtension}`;

/** One buffer, so that one write takes them; a single one is not copied. */
const concat = (buffers: readonly Uint8Array[]): Uint8Array =>
  buffers.length === 1 && buffers[0] ? buffers[0] : Buffer.concat(buffers);

function placesOf(
  appends: readonly (readonly Uint8Array[])[],
  pack: string,
  begin: number,
): readonly (readonly FrameRef[])[] {
  let offset = begin;
  return appends.map((frames) =>
    frames.map((frame) => {
      const ref = { pack, offset };
      offset += frame.length;
      return ref;
    }),
  );
}

/** Does what helps if it works. */
async function attempt(action: () => Promise<void>): Promise<void> {
  await action().catch(() => undefined);
}
