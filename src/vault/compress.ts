import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { decompress as decompressZstd } from 'fzstd';
import { Slots } from './slots.js';

/** How a payload is stored. Numbers are for ever: they stand in the packs. */
export const Codec = { none: 0, deflate: 1, zstd: 2, brotli: 3 } as const;
export type Codec = (typeof Codec)[keyof typeof Codec];

/** Below this size compression saves next to nothing. */
const SMALL = 64;

/** From so many bytes on the time that compression takes is felt. */
export const LARGE = 64 * 1024;

/** What a payload may grow to, in bytes. */
const LARGEST = 2 ** 30;

// zstd came to node:zlib with Node.js 22.15.
const runtime: Partial<
  Pick<typeof zlib, 'zstdCompress' | 'zstdCompressSync' | 'zstdDecompress' | 'zstdDecompressSync'>
> = zlib;

/** The codec that this process writes what is to stay with. */
export const bestCodec: Codec = runtime.zstdCompressSync ? Codec.zstd : Codec.deflate;

/** Where there is no zstd, brotli at its fastest takes 0.4 times as long as deflate, for as many bytes. */
const codecFor = ({ length }: Uint8Array): Codec =>
  bestCodec === Codec.deflate && length >= LARGE ? Codec.brotli : bestCodec;

export interface Compressed {
  readonly codec: Codec;
  readonly bytes: Uint8Array;
}

/** Compresses with `codec`, at its fastest level if none is named; keeps the bytes where that is not smaller. */
export function compress(
  bytes: Uint8Array,
  codec: Codec = codecFor(bytes),
  level?: number,
): Compressed {
  if (codec === Codec.none || bytes.length < SMALL) return { codec: Codec.none, bytes };
  const written = codec === Codec.zstd ? bestCodec : codec;
  return smallerOf(bytes, { codec: written, bytes: compressNow(written, bytes, level) });
}

/** As {@link compress}, on a thread of the runtime's own meanwhile. */
export async function compressAside(bytes: Uint8Array): Promise<Compressed> {
  if (bytes.length < SMALL) return { codec: Codec.none, bytes };
  const codec = codecFor(bytes);
  return smallerOf(bytes, { codec, bytes: await compressWithAside(codec, bytes) });
}

const smallerOf = (bytes: Uint8Array, compressed: Compressed): Compressed =>
  compressed.bytes.length < bytes.length ? compressed : { codec: Codec.none, bytes };

/** The runtime's threads, four as a rule, read and write files too: some are left for that. */
const threads = new Slots(Math.min(2, availableParallelism()));

/** Compresses with exactly this codec, small or not, at its fastest level; as {@link compressAside}. */
export const compressWithAside = async (codec: Codec, bytes: Uint8Array): Promise<Uint8Array> =>
  codec === Codec.none ? bytes : threads.run(() => aside(codec, bytes));

function compressNow(codec: Codec, bytes: Uint8Array, level = 1): Uint8Array {
  if (codec === Codec.brotli) return zlib.brotliCompressSync(bytes, brotliOptions(bytes));
  return codec === Codec.zstd && runtime.zstdCompressSync
    ? runtime.zstdCompressSync(bytes, zstdOptions(level))
    : zlib.deflateRawSync(bytes, { level });
}

const deflateRaw = promisify(zlib.deflateRaw);
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress);

async function aside(codec: Codec, bytes: Uint8Array): Promise<Uint8Array> {
  const room = roomFor(bytes);
  if (codec === Codec.deflate) return deflateRaw(bytes, { level: 1, ...room });
  if (codec === Codec.brotli) return brotli(bytes, { ...brotliOptions(bytes), ...room });
  const { zstdCompress } = runtime;
  if (!zstdCompress) throw new RangeError('This runtime has no zstd.');
  return new Promise((resolve, reject) => {
    zstdCompress(bytes, { ...zstdOptions(1), ...room }, (error, compressed) =>
      error ? reject(error) : resolve(compressed),
    );
  });
}

/** Most things fit at once: each piece of the result costs a way to the other thread and back. */
const roomFor = ({ length }: Uint8Array): { readonly chunkSize: number } => ({
  chunkSize: Math.max(16 * 1024, Math.ceil(length * 0.4)),
});

/**
 * The reverse of {@link compressWithAside} where the size is known, on a thread of the runtime's own: memory for so
 * many bytes is all that is taken.
 *
 * @throws Error when the bytes are not of that codec or make more or less than `size`
 */
export async function decompressTo(codec: Codec, bytes: Uint8Array, size: number): Promise<Buffer> {
  // zlib wants room for one byte at least.
  const most = Math.max(1, size);
  const room = { maxOutputLength: most, chunkSize: Math.max(64, most) };
  const plain =
    codec === Codec.none
      ? bytes
      : ((await inflatedAside(codec, bytes, room)) ?? decompressZstd(bytes, new Uint8Array(size)));
  if (plain.length !== size) throw new RangeError('It is not as large as it says.');
  return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
}

const zstdOptions = (level: number) => ({
  params: { [zlib.constants.ZSTD_c_compressionLevel]: level },
});

const brotliOptions = ({ length }: Uint8Array): zlib.BrotliOptions => ({
  params: {
    [zlib.constants.BROTLI_PARAM_QUALITY]: 0,
    [zlib.constants.BROTLI_PARAM_SIZE_HINT]: length,
  },
});

/**
 * The reverse of {@link compress}, in memory of its own; undefined for a codec that is not known.
 *
 * @throws Error when the bytes are not of that codec or too large
 */
export function decompress(codec: number, bytes: Uint8Array): Uint8Array | undefined {
  const room = roomAfter(bytes);
  switch (codec) {
    case Codec.none:
      return Uint8Array.from(bytes);
    case Codec.deflate:
      return zlib.inflateRawSync(bytes, room);
    case Codec.zstd:
      return runtime.zstdDecompressSync
        ? runtime.zstdDecompressSync(bytes, room)
        : decompressZstd(bytes);
    case Codec.brotli:
      return zlib.brotliDecompressSync(bytes, room);
    default:
      return undefined;
  }
}

/** As {@link decompress}, on a thread of the runtime's own where that is worth the way there. */
export async function decompressAside(
  codec: number,
  bytes: Uint8Array,
): Promise<Uint8Array | undefined> {
  const isWorthIt = bytes.length >= LARGE / 4;
  const plain = isWorthIt ? await inflatedAside(codec, bytes, roomAfter(bytes)) : undefined;
  return plain ?? decompress(codec, bytes);
}

interface Room {
  readonly maxOutputLength: number;
  readonly chunkSize: number;
}

/** Most things do not grow further, and then fit at once. */
const roomAfter = ({ length }: Uint8Array): Room => ({
  maxOutputLength: LARGEST,
  chunkSize: Math.min(LARGEST, Math.max(16 * 1024, 4 * length)),
});

const inflateRaw = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.inflateRaw);
const unbrotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliDecompress);

/** Undefined where no other thread can do that. */
async function inflatedAside(
  codec: number,
  bytes: Uint8Array,
  room: Room,
): Promise<Buffer | undefined> {
  const { zstdDecompress } = runtime;
  if (codec === Codec.deflate) return threads.run(() => inflateRaw(bytes, room));
  if (codec === Codec.brotli) return threads.run(() => unbrotli(bytes, room));
  if (codec !== Codec.zstd || !zstdDecompress) return undefined;
  const unzstd = promisify<zlib.InputType, zlib.ZstdOptions, Buffer>(zstdDecompress);
  return threads.run(() => unzstd(bytes, room));
}
