import { crc32 } from '../agents/crc32.js';
import { z } from 'zod';
import { Codec } from './compress.js';
import { decodeHead, decodePayload, encodeFrame, headSize } from './frame.js';
import type { Frame } from './types.js';

/*
 * A sealed file holds packs whose time of writing is over, many frames compressed together. It is itself
 * a pack: the head of one (see packFile.ts), then frames of two types of its own (see frame.ts).
 *
 *   block      some frames of one pack, in order. Its payload: u16 length of the pack's name, the name;
 *              then for each frame u48 offset and u32 size that it had in the pack, and the frame's head
 *              and payload with codec 0. So a FrameRef stays true when its pack is sealed.
 *   directory  the last frame: JSON, see directorySchema
 *
 * and then 16 bytes: u64 offset of the directory, u32 CRC-32 of those 8 bytes, magic "KTD\n".
 * Numbers are little-endian. A file without a readable directory is read by going through its blocks.
 */
export const sealedExtension = '.sealed';
/** Comes behind the name of a sealed file that is still being written. */
export const temporaryExtension = '.tmp';
export const SealedType = { block: 101, directory: 102 } as const;

const blockSchema = z.object({
  /** Offset in the pack of the first frame, and behind the last one. */
  first: z.int().nonnegative(),
  end: z.int().nonnegative(),
  /** Offset of the block's frame in the sealed file. */
  at: z.int().nonnegative(),
});
export type BlockPlace = Readonly<z.infer<typeof blockSchema>>;

const sealedPackSchema = z.object({
  name: z.string(),
  blocks: z.array(blockSchema).readonly(),
});
export type SealedPack = Readonly<z.infer<typeof sealedPackSchema>>;

export const directorySchema = z.object({
  schemaVersion: z.literal(1),
  /** Files that this one was made from and that do not count any more. */
  replaces: z.array(z.string()).readonly(),
  packs: z.array(sealedPackSchema).readonly(),
});
export type Directory = Readonly<z.infer<typeof directorySchema>>;

/** One frame's bytes inside a block. */
export function encodeInBlock(frame: Frame): Buffer {
  const place = Buffer.alloc(10);
  place.writeUIntLE(frame.offset, 0, 6);
  place.writeUInt32LE(frame.end - frame.offset, 6);
  return Buffer.concat([place, encodeFrame(frame, frame.clock, Codec.none).bytes]);
}

/** A block's payload from what {@link encodeInBlock} made. */
export function encodeBlock(pack: string, frames: readonly Uint8Array[]): Uint8Array {
  const name = Buffer.from(pack);
  const length = Buffer.alloc(2);
  length.writeUInt16LE(name.length);
  return Buffer.concat([length, name, ...frames]);
}

/** A block's frames; undefined when it is not as this version knows it. */
export function decodeBlock(payload: Uint8Array): readonly Frame[] | undefined {
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
  if (bytes.length < 2) return undefined;
  const nameEnd = 2 + bytes.readUInt16LE(0);
  const pack = bytes.toString('utf8', 2, nameEnd);
  const frames: Frame[] = [];
  for (let at = nameEnd; at < bytes.length;) {
    const found = at + 10 + headSize <= bytes.length ? decodeInBlock(bytes, at, pack) : undefined;
    if (!found) return undefined;
    frames.push(found.frame);
    at = found.end;
  }
  return frames;
}

function decodeInBlock(
  bytes: Buffer,
  at: number,
  pack: string,
): { readonly frame: Frame; readonly end: number } | undefined {
  const offset = bytes.readUIntLE(at, 6);
  const size = bytes.readUInt32LE(at + 6);
  const begin = at + 10 + headSize;
  const head = decodeHead(bytes.subarray(at + 10, begin));
  if (!head) return undefined;
  const end = begin + head.stored;
  const decoded = decodePayload(head, bytes.subarray(begin, end));
  if ('damage' in decoded) return undefined;
  const { type, clock, sessionId, hash } = head;
  const { payload } = decoded;
  return {
    end,
    frame: { pack, offset, end: offset + size, type, clock, sessionId, hash, payload },
  };
}

export const trailerSize = 16;
const trailerMagic = Buffer.from('KTD\n', 'latin1');

export function encodeTrailer(directoryAt: number): Buffer {
  const bytes = Buffer.alloc(trailerSize);
  bytes.writeBigUInt64LE(BigInt(directoryAt));
  bytes.writeInt32LE(crc32(bytes.subarray(0, 8)), 8);
  trailerMagic.copy(bytes, 12);
  return bytes;
}

/** Where the directory is, from a file's last {@link trailerSize} bytes; undefined when they are damaged. */
export function decodeTrailer(bytes: Buffer): number | undefined {
  if (bytes.length < trailerSize || !trailerMagic.equals(bytes.subarray(12))) return undefined;
  if (crc32(bytes.subarray(0, 8)) !== bytes.readInt32LE(8)) return undefined;
  return Number(bytes.readBigUInt64LE(0));
}

export function parseDirectory(payload: Uint8Array): Directory | undefined {
  try {
    const parsed = directorySchema.safeParse(JSON.parse(new TextDecoder().decode(payload)));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
