import type { Hash } from 'node:crypto';
import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { bestCodec } from './compress.js';
import { encodeFrame } from './frame.js';
import type { Io, OpenPack } from './io.js';
import { writeAll } from './io.js';
import { encodePackHead } from './packFile.js';
import type { BlockPlace, Directory, SealedPack } from './sealedFile.js';
import {
  encodeBlock,
  encodeInBlock,
  encodeTrailer,
  sealedExtension,
  SealedType,
  temporaryExtension,
} from './sealedFile.js';
import { SealedFile } from './sealedReader.js';
import type { Frame } from './types.js';

/** A block is closed when it has grown so far, in bytes before compression. */
const BLOCK = 512 * 2 ** 10;

/** Blocks are written once and stay; a frame is written while somebody waits. */
const LEVEL = 6;

/** A pack to be sealed. */
export interface PackContent {
  readonly name: string;
  /** Its frames in order, or those of them that are kept. */
  frames(): AsyncIterable<Frame>;
}

/** A sealed file that is on the disk, and does not count yet. */
export interface StagedSeal {
  /** Lets it count, under the name that it answers with. */
  publish(): Promise<string>;
  /** Takes it away again. */
  discard(): Promise<void>;
}

/**
 * Writes packs into one new sealed file and answers with its name. It has that name only once it is on the
 * disk and was read back with the same frames in it; when something fails on the way, nothing is left.
 *
 * @param replaces files that do not count any more once the new one is there; removing them is the caller's
 * @throws Error of the file system, or when what is read back is not what was written
 */
export async function writeSealed(
  io: Io,
  folder: string,
  packs: readonly PackContent[],
  replaces: readonly string[],
): Promise<string> {
  return (await stageSealed(io, folder, packs, replaces)).publish();
}

/** As {@link writeSealed}, up to the moment when it would count. */
export async function stageSealed(
  io: Io,
  folder: string,
  packs: readonly PackContent[],
  replaces: readonly string[],
): Promise<StagedSeal> {
  const name = newSealedName();
  const temporary = join(folder, name + temporaryExtension);
  const discard = (): Promise<void> => io.remove(temporary).catch(() => undefined);
  const orDiscard = async (step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      await discard();
      throw error;
    }
  };
  const file = await io.create(temporary);
  await orDiscard(async () => {
    const digest = createHash('sha256');
    const writer = new SealedWriter(file, digest);
    await writer.write(packs, replaces).finally(() => file.close());
    await verify(temporary, packs, digest.digest('hex'));
  });
  return {
    discard,
    publish: async () => {
      await orDiscard(() => io.rename(temporary, join(folder, name)));
      await io.syncFolder(folder);
      return name;
    },
  };
}

/** Names sort by time. */
const newSealedName = (): string =>
  `${new Date().toISOString().replaceAll(/[-:.]/g, '')}-${randomBytes(4).toString('hex')}${sealedExtension}`;

class SealedWriter {
  private size = 0;

  constructor(
    private readonly file: OpenPack,
    private readonly digest: Hash,
  ) {}

  async write(packs: readonly PackContent[], replaces: readonly string[]): Promise<void> {
    await this.append(encodePackHead());
    const written: SealedPack[] = [];
    for (const pack of packs) {
      written.push({ name: pack.name, blocks: await this.writePack(pack) });
    }
    const directory: Directory = { schemaVersion: 1, replaces, packs: written };
    const at = this.size;
    await this.appendFrame(SealedType.directory, Buffer.from(JSON.stringify(directory)));
    await this.append(encodeTrailer(at));
    await this.file.sync();
  }

  private async writePack(pack: PackContent): Promise<readonly BlockPlace[]> {
    const blocks: BlockPlace[] = [];
    let waiting: Buffer[] = [];
    let first: number | undefined;
    let end = 0;
    let bytes = 0;
    const flush = async (): Promise<void> => {
      if (first === undefined) return;
      blocks.push({ first, end, at: this.size });
      await this.appendFrame(SealedType.block, encodeBlock(pack.name, waiting));
      waiting = [];
      first = undefined;
      bytes = 0;
    };
    for await (const frame of pack.frames()) {
      note(this.digest, pack.name, frame);
      const encoded = encodeInBlock(frame);
      if (bytes + encoded.length > BLOCK) await flush();
      first ??= frame.offset;
      ({ end } = frame);
      waiting.push(encoded);
      bytes += encoded.length;
    }
    await flush();
    return blocks;
  }

  private appendFrame(type: number, payload: Uint8Array): Promise<void> {
    return this.append(encodeFrame({ type, payload }, 0n, bestCodec, LEVEL).bytes);
  }

  private async append(bytes: Uint8Array): Promise<void> {
    await writeAll(this.file, bytes, this.size);
    this.size += bytes.length;
  }
}

async function verify(
  path: string,
  packs: readonly PackContent[],
  expected: string,
): Promise<void> {
  const problems: Problem[] = [];
  const report = (problem: Problem): number => problems.push(problem);
  const file = await SealedFile.open(path);
  problems.push(...file.problems);
  const digest = createHash('sha256');
  for (const { name } of packs) {
    for await (const frame of file.frames(name, 0, report)) note(digest, name, frame);
  }
  if (problems.length > 0 || digest.digest('hex') !== expected) {
    throw new Error(`${path} is not what was written to it`);
  }
}

/** What must be the same of a frame; that its payload is the one of its hash is checked as it is read. */
function note(digest: Hash, pack: string, frame: Frame): void {
  const { offset, end, type, clock, sessionId, hash } = frame;
  digest.update(JSON.stringify([pack, offset, end, type, clock.toString(), sessionId, hash]));
}
