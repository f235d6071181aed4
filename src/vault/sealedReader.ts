import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Problem } from '../core/engine.js';
import { readBytes } from './byteWindow.js';
import { readFrameAt, readFrames, unreadableFrame } from './reader.js';
import type { BlockPlace, Directory, SealedPack } from './sealedFile.js';
import {
  decodeBlock,
  decodeTrailer,
  parseDirectory,
  SealedType,
  trailerSize,
} from './sealedFile.js';
import type { Frame, FrameRef } from './types.js';

/** Blocks that stay decoded: a thread's records lie one behind the other. */
const KEPT_BLOCKS = 4;
/** A larger block is decoded again when it is needed again, in bytes. */
const LARGEST_KEPT = 4 * 2 ** 20;

/** A sealed file, opened for its directory; blocks are read when they are asked for. */
export class SealedFile {
  private readonly packs: ReadonlyMap<string, SealedPack>;
  private readonly blocks = new Map<number, readonly Frame[]>();

  private constructor(
    readonly path: string,
    private readonly directory: Directory,
    /** What was found to be damaged when it was opened. */
    readonly problems: readonly Problem[],
  ) {
    this.packs = new Map(directory.packs.map((pack) => [pack.name, pack]));
  }

  /**
   * Reads the directory; one that is damaged is made again from the blocks.
   *
   * @throws Error of the file system when the file cannot be read
   */
  static async open(path: string): Promise<SealedFile> {
    const directory = await readDirectory(path);
    if (directory) return new SealedFile(path, directory, []);
    const message = 'Its directory is damaged; it was made again from what can be read.';
    const problems: Problem[] = [{ where: basename(path), message }];
    const made = await directoryFromBlocks(path, (problem) => problems.push(problem));
    return new SealedFile(path, made, problems);
  }

  /** Names of the packs in it. */
  get names(): readonly string[] {
    return [...this.packs.keys()];
  }

  /** Files that it was made from. */
  get replaces(): readonly string[] {
    return this.directory.replaces;
  }

  /** Length of a pack as it was first written. */
  endOf(pack: string): number {
    return this.packs.get(pack)?.blocks.at(-1)?.end ?? 0;
  }

  /** The pack's frames from an offset on, as `readFrames` gives them for a pack of its own. */
  async *frames(
    pack: string,
    from: number,
    onProblem: (problem: Problem) => void,
  ): AsyncGenerator<Frame, void, undefined> {
    for (const block of this.packs.get(pack)?.blocks ?? []) {
      if (block.end <= from) continue;
      const frames = await this.read(block).catch(() => undefined);
      if (frames) yield* frames.filter((frame) => frame.offset >= from);
      else onProblem(damagedBlock(pack, block));
    }
  }

  /** @throws ExpectedError `unreadable` */
  async frameAt({ pack, offset }: FrameRef): Promise<Frame> {
    const block = this.packs
      .get(pack)
      ?.blocks.find(({ first, end }) => first <= offset && offset < end);
    const frames = block && (await this.read(block));
    const frame = frames?.find((candidate) => candidate.offset === offset);
    if (!frame) throw unreadableFrame({ pack, offset }, 'there is no whole record');
    return frame;
  }

  private async read(place: BlockPlace): Promise<readonly Frame[]> {
    const kept = this.blocks.get(place.at);
    if (kept) return kept;
    const { payload, ...ref } = await readFrameAt(this.path, place.at);
    const frames = decodeBlock(payload);
    if (!frames) throw unreadableFrame(ref, 'it is not as this version knows it');
    if (payload.length <= LARGEST_KEPT) this.keep(place.at, frames);
    return frames;
  }

  private keep(at: number, frames: readonly Frame[]): void {
    this.blocks.set(at, frames);
    const [oldest] = this.blocks.keys();
    if (this.blocks.size > KEPT_BLOCKS && oldest !== undefined) this.blocks.delete(oldest);
  }
}

const damagedBlock = (pack: string, { first, end }: BlockPlace): Problem => ({
  where: `${pack} @ ${first}`,
  message: `${end - first} bytes are damaged and were skipped.`,
});

async function readDirectory(path: string): Promise<Directory | undefined> {
  const handle = await open(path, 'r');
  let at: number | undefined;
  try {
    const { size } = await handle.stat();
    at = decodeTrailer(await readBytes(handle, Math.max(0, size - trailerSize), trailerSize));
  } finally {
    await handle.close();
  }
  const frame = at === undefined ? undefined : await readFrameAt(path, at).catch(() => undefined);
  return frame?.type === SealedType.directory ? parseDirectory(frame.payload) : undefined;
}

/** What the directory would say, as far as blocks can be read. What the file replaced is not known any more. */
async function directoryFromBlocks(
  path: string,
  onProblem: (problem: Problem) => void,
): Promise<Directory> {
  const packs = new Map<string, BlockPlace[]>();
  for await (const frame of readFrames(path, 0, onProblem)) {
    const frames = frame.type === SealedType.block ? decodeBlock(frame.payload) : undefined;
    const [first] = frames ?? [];
    const last = frames?.at(-1);
    if (!first || !last) continue;
    const blocks = packs.get(first.pack) ?? [];
    packs.set(first.pack, blocks);
    blocks.push({ first: first.offset, end: last.end, at: frame.offset });
  }
  return {
    schemaVersion: 1,
    replaces: [],
    packs: [...packs].map(([name, blocks]) => ({ name, blocks })),
  };
}
