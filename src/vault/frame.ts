import { createHash } from 'node:crypto';
import { crc32 } from '../agents/crc32.js';
import type { Codec } from './compress.js';
import { compress, compressAside, decompress, decompressAside } from './compress.js';
import { messageOf } from '../core/errors.js';

/*
 * A frame, all numbers little-endian:
 *
 *   offset  size
 *        0     4  magic F5 4B 54 46; F5 never occurs in UTF-8 text
 *        4     4  length of the payload as stored, at most 2^30
 *        8     4  CRC-32 of the payload as stored
 *       12     1  type, see FrameType
 *       13     1  codec: 0 none, 1 deflate (raw, RFC 1951), 2 zstd (RFC 8878), 3 brotli (RFC 7932)
 *       14     2  reserved, 0; readers do not look at it
 *       16     8  clock: 48 bits of milliseconds since the epoch, 16 bits of counter
 *       24    16  session id (UUID), zeros for none
 *       40    32  SHA-256 of the payload before compression
 *       72     4  CRC-32 of the bytes 4 to 71
 *       76        payload as stored
 *
 * The head has a checksum of its own so that its length can be trusted: only then is a frame that ends
 * behind the end of the file known to be incomplete, and not damaged with good frames after it.
 * The CRC-32 is that of zlib (polynomial EDB88320).
 */
export const frameMagic = Buffer.from([0xf5, 0x4b, 0x54, 0x46]);
export const headSize = 76;

/** A stored payload's largest size, in bytes. */
export const largestPayload = 2 ** 30;

/** What a process hands to its vault to be kept. */
export interface NewFrame {
  readonly type: number;
  /** UUID of the session; absent for what belongs to none. */
  readonly sessionId?: string | undefined;
  readonly payload: Uint8Array;
}

export interface FrameHead {
  readonly type: number;
  readonly codec: number;
  readonly clock: bigint;
  readonly sessionId: string | undefined;
  /** SHA-256 of the payload, hex. */
  readonly hash: string;
  /** Size of the payload as stored, in bytes. */
  readonly stored: number;
  readonly crc: number;
}

export interface EncodedFrame {
  readonly bytes: Buffer;
  readonly hash: string;
}

/**
 * The bytes of one frame.
 *
 * @throws RangeError when the payload is larger than {@link largestPayload}
 * @throws TypeError when the session id is not a UUID
 */
export function encodeFrame(
  frame: NewFrame,
  clock: bigint,
  codec?: Codec,
  level?: number,
): EncodedFrame {
  requireFit(frame);
  return frameOf(frame, clock, compress(frame.payload, codec, level));
}

/** As {@link encodeFrame}, compressed on another thread meanwhile. */
export async function encodeFrameAside(frame: NewFrame, clock: bigint): Promise<EncodedFrame> {
  requireFit(frame);
  return frameOf(frame, clock, await compressAside(frame.payload));
}

function requireFit({ payload }: NewFrame): void {
  if (payload.length > largestPayload) {
    throw new RangeError(`A frame's payload of ${payload.length} bytes is too large.`);
  }
}

function frameOf(
  frame: NewFrame,
  clock: bigint,
  stored: { readonly codec: Codec; readonly bytes: Uint8Array },
): EncodedFrame {
  const hash = createHash('sha256').update(frame.payload).digest();
  const bytes = Buffer.allocUnsafe(headSize + stored.bytes.length).fill(0, 0, headSize);
  frameMagic.copy(bytes, 0);
  bytes.writeUInt32LE(stored.bytes.length, 4);
  bytes.writeInt32LE(crc32(stored.bytes), 8);
  bytes.writeUInt8(frame.type, 12);
  bytes.writeUInt8(stored.codec, 13);
  bytes.writeBigUInt64LE(clock, 16);
  writeSessionId(bytes, frame.sessionId);
  hash.copy(bytes, 40);
  bytes.writeInt32LE(crc32(bytes.subarray(4, 72)), 72);
  bytes.set(stored.bytes, headSize);
  return { bytes, hash: hash.toString('hex') };
}

/** Reads a head from its {@link headSize} bytes; undefined when they are not one or are damaged. */
export function decodeHead(bytes: Buffer): FrameHead | undefined {
  if (bytes.length < headSize || !frameMagic.equals(bytes.subarray(0, 4))) return undefined;
  if (crc32(bytes.subarray(4, 72)) !== bytes.readInt32LE(72)) return undefined;
  const stored = bytes.readUInt32LE(4);
  if (stored > largestPayload) return undefined;
  return {
    stored,
    crc: bytes.readInt32LE(8),
    type: bytes.readUInt8(12),
    codec: bytes.readUInt8(13),
    clock: bytes.readBigUInt64LE(16),
    sessionId: readSessionId(bytes),
    hash: bytes.toString('hex', 40, 72),
  };
}

export type DecodedPayload =
  | { readonly payload: Uint8Array }
  /** Why there is no payload, in words. */
  | { readonly damage: string };

/** Checks and decompresses a payload. The result shares no memory with `stored`. */
export function decodePayload(head: FrameHead, stored: Uint8Array): DecodedPayload {
  if (crc32(stored) !== head.crc) return changed;
  try {
    return checked(head, decompress(head.codec, stored));
  } catch (error) {
    return notDecompressed(error);
  }
}

/** As {@link decodePayload}, decompressed on another thread meanwhile. Never rejects. */
export async function decodePayloadAside(
  head: FrameHead,
  stored: Uint8Array,
): Promise<DecodedPayload> {
  if (crc32(stored) !== head.crc) return changed;
  try {
    return checked(head, await decompressAside(head.codec, stored));
  } catch (error) {
    return notDecompressed(error);
  }
}

const changed: DecodedPayload = { damage: 'its checksum does not match' };

const notDecompressed = (error: unknown): DecodedPayload => ({
  damage: `it cannot be decompressed: ${messageOf(error)}`,
});

function checked(head: FrameHead, payload: Uint8Array | undefined): DecodedPayload {
  if (!payload) return { damage: `its compression (${head.codec}) is not known to this version` };
  const hash = createHash('sha256').update(payload).digest('hex');
  return hash === head.hash ? { payload } : { damage: 'its SHA-256 does not match' };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function writeSessionId(bytes: Buffer, sessionId: string | undefined): void {
  if (sessionId === undefined) return;
  if (!uuid.test(sessionId)) throw new TypeError(`Not the id of a session: ${sessionId}`);
  bytes.write(sessionId.replaceAll('-', ''), 24, 'hex');
}

function readSessionId(bytes: Buffer): string | undefined {
  const hex = bytes.toString('hex', 24, 40);
  if (/^0+$/.test(hex)) return undefined;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
