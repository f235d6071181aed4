const magic = [0x28, 0xb5, 0x2f, 0xfd];
/** One segment, its size in four bytes, no checksum. */
const descriptor = 0xa0;
const largestBlock = 128 * 1024;

/**
 * A zstd frame that holds the bytes as they are: Node.js before 22.15 cannot make one.
 *
 * @see https://github.com/facebook/zstd/blob/dev/doc/zstd_compression_format.md
 */
export function storedZstd(bytes: Buffer): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(bytes.length);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += largestBlock) {
    const block = bytes.subarray(at, at + largestBlock);
    const isLast = at + largestBlock >= bytes.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    blocks.push(header, block);
  }
  return Buffer.concat([Buffer.from([...magic, descriptor]), size, ...blocks]);
}
