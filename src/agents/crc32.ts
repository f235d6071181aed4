import zlib from 'node:zlib';
import CRC32 from 'crc-32';

// node:zlib has it from Node.js 20.15 and 22.2 on, several times as fast.
const runtime: Partial<Pick<typeof zlib, 'crc32'>> = zlib;

/**
 * CRC-32 of zlib (polynomial EDB88320) as a signed number of 32 bits.
 *
 * @param before that of the bytes that come before these
 */
export const crc32: (bytes: Uint8Array, before?: number) => number = ownCrc32(runtime.crc32);

/** @param native the runtime's own, where it has one */
export function ownCrc32(native: typeof zlib.crc32 | undefined): typeof crc32 {
  if (!native) return (bytes, before = 0) => CRC32.buf(bytes, before);
  return (bytes, before = 0) => native(bytes, before >>> 0) | 0;
}
