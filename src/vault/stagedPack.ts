import { join } from 'node:path';
import { encodeFrameAside, type EncodedFrame, type NewFrame } from './frame.js';
import type { Io } from './io.js';
import { PackWriter } from './pack.js';
import { writeError } from './writeError.js';

/**
 * Packs that are written on the side and count only once they are moved to a vault's own: what is taken in
 * from elsewhere is there whole, or not at all. The folder has to be on the vault's disk.
 */
export class StagedPacks {
  private readonly writer: PackWriter;
  private frames: Promise<EncodedFrame>[] = [];
  /** Bytes of those frames before compression. */
  private size = 0;
  /** What is being written of the frames before. */
  private writing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly folder: string,
    private readonly target: string,
    private readonly tick: () => bigint,
    private readonly io: Io,
  ) {
    this.writer = new PackWriter(folder, io);
  }

  /** @throws ExpectedError `diskFull`, `notWritable`, `writeFailed` */
  async add(frame: NewFrame): Promise<void> {
    const encoding = encodeFrameAside(frame, this.tick());
    // Whoever waits for it is told.
    encoding.catch(() => undefined);
    this.frames.push(encoding);
    this.size += frame.payload.length;
    if (this.size >= WRITE) await this.flush();
  }

  /**
   * Moves everything into the vault. What is more than one pack (64 MB) is moved one after the other, the
   * first written first.
   *
   * @returns whether there was something
   * @throws ExpectedError as {@link StagedPacks.add}
   */
  async adopt(): Promise<boolean> {
    await this.flush();
    await this.writing;
    const names = [...this.writer.packs].sort();
    await this.writer.close();
    if (names.length === 0) return false;
    try {
      await this.io.makeFolder(this.target);
      for (const name of names) {
        await this.io.rename(join(this.folder, name), join(this.target, name));
      }
      await this.io.syncFolder(this.target);
    } catch (error) {
      throw writeError(this.target, error);
    }
    return true;
  }

  /** Leaves what was written where it is; whoever made the folder removes it. */
  async close(): Promise<void> {
    await this.writing.catch(() => undefined);
    await this.writer.close();
  }

  /** Waits for the write before only: the next one is made ready while this one is compressed and written. */
  private async flush(): Promise<void> {
    await this.writing;
    if (this.frames.length === 0) return;
    const { frames } = this;
    this.frames = [];
    this.size = 0;
    this.writing = Promise.all(frames).then((encoded) =>
      this.writer.append(encoded.map(({ bytes }) => bytes)),
    );
    this.writing.catch(() => undefined);
  }
}

/** Frames are written so many bytes at a time. */
const WRITE = 4 * 2 ** 20;
