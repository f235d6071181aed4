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

  /**
   * The bytes at an offset; fewer than `length` only at the end. They hold until the next call.
   */
  async at(offset: number, length: number): Promise<Buffer> {
    const wanted = Math.min(length, this.size - offset);
    if (wanted <= 0) return Buffer.alloc(0);
    const skip = offset - this.start;
    if (skip >= 0 && skip + wanted <= this.bytes.length) {
      return this.bytes.subarray(skip, skip + wanted);
    }
    const ahead = Math.min(Math.max(wanted, AHEAD), this.size - offset);
    this.bytes = await readBytes(this.handle, offset, ahead);
    this.start = offset;
    return this.bytes.subarray(0, wanted);
  }

  /** Where `pattern` comes next, at or behind `offset`; undefined when it does not. */
  async find(pattern: Buffer, offset: number): Promise<number | undefined> {
    for (let from = offset; from < this.size; from += AHEAD) {
      const bytes = await this.at(from, AHEAD + pattern.length - 1);
      const found = bytes.indexOf(pattern);
      if (found >= 0) return from + found;
    }
    return undefined;
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
