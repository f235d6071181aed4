import type { FileHandle } from 'node:fs/promises';

/** Bytes that are read ahead. */
const AHEAD = 256 * 2 ** 10;

/** A file read from front to back through one buffer, up to the size that it had at the start. */
export class ByteWindow {
  private bytes: Buffer = Buffer.alloc(0);
  private start = 0;

  constructor(
    private readonly handle: FileHandle,
    readonly size: number,
  ) {}

  /** The bytes at an offset; fewer than `length` only at the end. Their memory is not written again. */
  async at(offset: number, length: number): Promise<Buffer> {
    return (await this.from(offset, length)).subarray(0, length);
  }

  /** What the buffer has from an offset on: at least `length` bytes, fewer only at the end. */
  async from(offset: number, length: number): Promise<Buffer> {
    const left = Math.max(0, this.size - offset);
    const skip = offset - this.start;
    const isHere = skip >= 0 && skip + Math.min(length, left) <= this.bytes.length;
    if (isHere) return this.bytes.subarray(skip);
    this.bytes = await readBytes(this.handle, offset, Math.min(Math.max(length, AHEAD), left));
    this.start = offset;
    return this.bytes;
  }
}

/** Up to `length` bytes at an offset; fewer when the file ends before. */
export async function readBytes(
  handle: FileHandle,
  offset: number,
  length: number,
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
