import { crc32 } from '../agents/crc32.js';

/*
 * A pack file, all numbers little-endian:
 *
 *   offset  size
 *        0     8  magic "KTPACK" CR LF
 *        8     4  format version
 *       12     4  CRC-32 of the bytes 0 to 11
 *       16        frames, one after another (see frame.ts)
 *
 * The checksum keeps a flipped bit from looking like a newer version.
 */
const magic = Buffer.from('KTPACK\r\n', 'latin1');
export const packHeadSize = 16;
export const packVersion = 1;
/** Ends the name of a pack, whatever file it is in. */
export const packExtension = '.pack';
/** Ends a file that was a pack's and is appended to no more: `a.closed` holds the pack `a.pack`. */
export const closedExtension = '.closed';

export const closedName = (pack: string): string =>
  pack.slice(0, -packExtension.length) + closedExtension;

/** The pack that a file holds; undefined when the file is of another kind. */
export function packOf(file: string): string | undefined {
  if (file.endsWith(packExtension)) return file;
  if (!file.endsWith(closedExtension)) return undefined;
  return file.slice(0, -closedExtension.length) + packExtension;
}

export function encodePackHead(version = packVersion): Buffer {
  const bytes = Buffer.alloc(packHeadSize);
  magic.copy(bytes);
  bytes.writeUInt32LE(version, 8);
  bytes.writeInt32LE(crc32(bytes.subarray(0, 12)), 12);
  return bytes;
}

/** The format version of a pack from its first {@link packHeadSize} bytes; undefined when they are damaged. */
export function decodePackHead(bytes: Buffer): number | undefined {
  if (bytes.length < packHeadSize || !magic.equals(bytes.subarray(0, 8))) return undefined;
  if (crc32(bytes.subarray(0, 12)) !== bytes.readInt32LE(12)) return undefined;
  return bytes.readUInt32LE(8);
}

/** Whether the bytes may be the beginning of a head that is still being written. */
export const isPackHeadStart = (bytes: Buffer): boolean =>
  bytes.length < packHeadSize &&
  magic.subarray(0, bytes.length).equals(bytes.subarray(0, magic.length));
