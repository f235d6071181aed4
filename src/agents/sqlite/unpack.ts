import { Decompress } from 'fzstd';

/** What a person wrote is far below; what is above was made to fill the memory. */
const largest = 256 * 1024 * 1024;

const zstdMagic = Buffer.of(0x28, 0xb5, 0x2f, 0xfd);

export const isZstd = (bytes: Uint8Array): boolean =>
  zstdMagic.equals(bytes.subarray(0, zstdMagic.length));

/**
 * Unpacks a column that holds a zstd frame, in pieces, so that one that grows beyond all bounds is stopped.
 *
 * @throws Error when it is damaged, cut, or too large
 */
export function unpackZstd(bytes: Uint8Array): Buffer {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const stream = new Decompress((chunk) => {
    size += chunk.length;
    if (size > largest) throw new Error('It is too large.');
    chunks.push(Uint8Array.from(chunk));
  });
  stream.push(bytes, true);
  return Buffer.concat(chunks);
}
