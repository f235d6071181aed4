import { crc32 } from '../agents/crc32.js';
import { Codec, compressWithAside, decompressTo } from '../vault/compress.js';
import type { ByteReader } from './byteReader.js';
import { limits } from './limits.js';
import { damaged, refused } from './refusal.js';

/*
 * A frame, numbers little-endian:
 *
 *   offset  size
 *        0     4  length of the lines as stored
 *        4     4  length of the lines before compression, at most 16 MiB
 *        8     4  CRC-32 of the bytes 0 to 7 and of the lines as stored (that of zlib)
 *       12        lines as stored: whole lines of UTF-8, each ended by a line feed; compressed, or as they are
 *                 when both lengths are equal
 */
const headSize = 12;

/** The names of compressions in a file's first line. */
export const codecs = { none: Codec.none, deflate: Codec.deflate, zstd: Codec.zstd } as const;
export type CodecName = keyof typeof codecs;

/** @throws RangeError when the lines are larger than a frame may be */
export async function encodeFrame(lines: Uint8Array, codec: CodecName): Promise<Buffer> {
  if (lines.length > limits.frame) throw new RangeError(`A frame of ${lines.length} bytes`);
  const stored = await storedAs(codec, lines);
  const head = Buffer.alloc(headSize);
  head.writeUInt32LE(stored.length, 0);
  head.writeUInt32LE(lines.length, 4);
  head.writeInt32LE(checksum(head, stored), 8);
  return Buffer.concat([head, stored]);
}

/** What shrinks too well is stored as it is: readers refuse files that grow too much. */
async function storedAs(codec: CodecName, lines: Uint8Array): Promise<Uint8Array> {
  const compressed = await compressWithAside(codecs[codec], lines);
  const isFit = compressed.length < lines.length && compressed.length * WELL > lines.length;
  return isFit ? compressed : lines;
}

const WELL = limits.ratio / 2;

/** A frame whose lines are on their way; wrapped, since what is awaited is only that it was taken. */
interface Begun {
  readonly lines: () => Promise<Buffer>;
}

/** Counts what was read, so that a small file cannot become a large one. */
export class FrameReader {
  private ahead: Promise<Begun | undefined> | undefined;
  private stored = 0;
  private plain = 0;

  constructor(
    private readonly bytes: ByteReader,
    private readonly codec: CodecName,
  ) {}

  /**
   * The next frame's lines, or undefined at the end of the file. The frame behind it is decompressed meanwhile.
   *
   * @throws ExpectedError `damaged`, `handoffRefused`
   */
  async next(): Promise<Buffer | undefined> {
    const found = await (this.ahead ?? this.begin());
    this.ahead = found && this.begin();
    // Whoever takes it is told.
    this.ahead?.catch(() => undefined);
    return found?.lines();
  }

  /** Takes a frame from the bytes and begins to decompress it. */
  private async begin(): Promise<Begun | undefined> {
    const head = await this.bytes.take(headSize);
    if (head.length === 0) return undefined;
    if (head.length < headSize) throw cut();
    const storedLength = head.readUInt32LE(0);
    const plainLength = head.readUInt32LE(4);
    this.count(storedLength, plainLength);
    const stored = await this.bytes.take(storedLength);
    if (stored.length < storedLength) throw cut();
    if (checksum(head, stored) !== head.readInt32LE(8)) throw changed();
    const lines = this.decode(stored, plainLength);
    lines.catch(() => undefined);
    return { lines: () => lines };
  }

  private count(stored: number, plain: number): void {
    // Compression never makes a frame much larger: such a length is a mistake, or made to fill the memory.
    if (plain > limits.frame || stored > plain) throw changed();
    this.stored += stored;
    this.plain += plain;
    if (this.plain > limits.plain) throw refused('It holds more than 1 GB.');
    if (this.plain > limits.ratioFrom && this.plain > this.stored * limits.ratio) {
      throw refused(`It grows to more than ${limits.ratio} times its size.`);
    }
  }

  private async decode(stored: Uint8Array, length: number): Promise<Buffer> {
    if (stored.length === length) {
      return Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    }
    try {
      return await decompressTo(codecs[this.codec], stored, length);
    } catch {
      throw changed();
    }
  }
}

const checksum = (head: Buffer, stored: Uint8Array): number =>
  crc32(stored, crc32(head.subarray(0, 8)));

const cut = () => damaged('It ends too early.');
const changed = () => damaged('It was changed on its way.');
