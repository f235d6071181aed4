const lineFeed = 0x0a;

/** Takes bytes from a stream in the sizes that are asked for, with one chunk or so in memory. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Uint8Array>;
  private buffered: Buffer = Buffer.alloc(0);
  private ended = false;

  constructor(source: AsyncIterable<Uint8Array>) {
    this.chunks = source[Symbol.asyncIterator]();
  }

  /** So many bytes, or fewer at the end of the stream. Their memory is not written again. */
  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.buffered.length === 0 && !(await this.fill())) break;
      const part = this.buffered.subarray(0, missing);
      this.buffered = this.buffered.subarray(part.length);
      missing -= part.length;
      parts.push(part);
    }
    const [first] = parts;
    return parts.length === 1 && first ? first : Buffer.concat(parts);
  }

  /** The bytes up to a line feed, without it; undefined when there is none within `limit` bytes. */
  async line(limit: number): Promise<Buffer | undefined> {
    while (!this.buffered.includes(lineFeed)) {
      if (this.buffered.length > limit) return undefined;
      const before = this.buffered;
      this.buffered = Buffer.alloc(0);
      if (!(await this.fill())) return undefined;
      this.buffered = Buffer.concat([before, this.buffered]);
    }
    const end = this.buffered.indexOf(lineFeed);
    if (end > limit) return undefined;
    const line = this.buffered.subarray(0, end);
    this.buffered = this.buffered.subarray(end + 1);
    return line;
  }

  /** Tells the source that nobody reads on. */
  async close(): Promise<void> {
    await this.chunks.return?.();
  }

  private async fill(): Promise<boolean> {
    while (!this.ended) {
      const next = await this.chunks.next();
      if (next.done === true) this.ended = true;
      else if (next.value.length > 0) {
        const { buffer, byteOffset, byteLength } = next.value;
        this.buffered = Buffer.from(buffer, byteOffset, byteLength);
        return true;
      }
    }
    return false;
  }
}
