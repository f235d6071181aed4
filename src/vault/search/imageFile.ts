import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { crc32 } from '../../agents/crc32.js';
import { readBytes } from '../byteWindow.js';

/*
 * A search image holds rows of conversations and the terms that they are found by. It is a database of SQLite that
 * says what is where, then the rows' texts in compressed blocks (zlib, RFC 1950, of JSON), then the terms (see
 * termPages.ts), then 24 bytes, numbers little-endian:
 *
 *   offset  size
 *        0     8  size of the database
 *        8     4  CRC-32 of the database
 *       12     4  format version
 *       16     4  CRC-32 of the bytes 0 to 15
 *       20     4  magic "KTSI"
 *
 * The database alone is loaded; a search reads those pages of terms that it needs, and the blocks of the texts that it
 * looks at. An image is never changed, and can be deleted at any time: it is made again from the packs.
 */
export const imageExtension = '.search';
/** Another number makes every older image be built again: also when rows or terms are made another way. */
export const imageVersion = 2;

const trailerSize = 24;
const magic = Buffer.from('KTSI', 'latin1');

export function encodeTrailer(database: Uint8Array, version = imageVersion): Buffer {
  const bytes = Buffer.alloc(trailerSize);
  bytes.writeBigUInt64LE(BigInt(database.length));
  bytes.writeInt32LE(crc32(database), 8);
  bytes.writeUInt32LE(version, 12);
  bytes.writeInt32LE(crc32(bytes.subarray(0, 16)), 16);
  magic.copy(bytes, 20);
  return bytes;
}

export type ImageState = 'known' | 'older' | 'newer' | 'damaged';

export interface ImageHead {
  readonly state: ImageState;
  /** The database's bytes; only of a known one. */
  readonly database: Uint8Array;
}

/** @throws Error of the file system when the file cannot be read */
export async function readImage(handle: FileHandle): Promise<ImageHead> {
  const none = (state: ImageState): ImageHead => ({ state, database: new Uint8Array() });
  const { size } = await handle.stat();
  if (size < trailerSize) return none('damaged');
  const trailer = await readBytes(handle, size - trailerSize, trailerSize);
  if (!magic.equals(trailer.subarray(20))) return none('damaged');
  if (crc32(trailer.subarray(0, 16)) !== trailer.readInt32LE(16)) return none('damaged');
  const version = trailer.readUInt32LE(12);
  if (version !== imageVersion) return none(version > imageVersion ? 'newer' : 'older');
  const length = Number(trailer.readBigUInt64LE(0));
  if (length > size - trailerSize) return none('damaged');
  const database = await readBytes(handle, 0, length);
  const isWhole = database.length === length && crc32(database) === trailer.readInt32LE(8);
  return isWhole ? { state: 'known', database } : none('damaged');
}

/** What an image's last bytes say of it, without a look at the rest. */
export async function imageStateOf(path: string): Promise<ImageState> {
  const handle = await open(path, 'r');
  try {
    return (await readImage(handle)).state;
  } finally {
    await handle.close();
  }
}
