import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { decompress as decompressZstd } from 'fzstd';

/** How a payload is stored. Numbers are for ever: they stand in the packs. */
export const Codec = { none: 0, deflate: 1, zstd: 2 } as const;
export type Codec = (typeof Codec)[keyof typeof Codec];

/** Below this size compression saves next to nothing. */
const SMALL = 64;

/** What a payload may grow to, in bytes. */
const LARGEST = 2 ** 30;

// zstd came to node:zlib with Node.js 22.15.
const runtime: Partial<
  Pick<typeof zlib, 'zstdCompress' | 'zstdCompressSync' | 'zstdDecompressSync'>
> = zlib;

/** The codec that this process writes. */
export const bestCodec: Codec = runtime.zstdCompressSync ? Codec.zstd : Codec.deflate;

/** Compresses with `codec`, at its fastest level if none is named; keeps the bytes where that is not smaller. */
export function compress(
  bytes: Uint8Array,
  codec: Codec = bestCodec,
  level = 1,
): { readonly codec: Codec; readonly bytes: Uint8Array } {
  const plain = { codec: Codec.none, bytes };
  if (codec === Codec.none || bytes.length < SMALL) return plain;
  const smaller =
    codec === Codec.zstd && runtime.zstdCompressSync
      ? { codec, bytes: runtime.zstdCompressSync(bytes, zstdOptions(level)) }
      : { codec: Codec.deflate, bytes: zlib.deflateRawSync(bytes, { level }) };
  return smaller.bytes.length < bytes.length ? smaller : plain;
}

/** As {@link compress}, on a thread of the runtime's own meanwhile. */
export async function compressAside(
  bytes: Uint8Array,
): Promise<{ readonly codec: Codec; readonly bytes: Uint8Array }> {
  if (bytes.length < SMALL) return { codec: Codec.none, bytes };
  const smaller = await aside(bestCodec, bytes);
  return smaller.length < bytes.length
    ? { codec: bestCodec, bytes: smaller }
    : { codec: Codec.none, bytes };
}

/** Compresses with exactly this codec, small or not, at its fastest level; as {@link compressAside}. */
export const compressWithAside = async (codec: Codec, bytes: Uint8Array): Promise<Uint8Array> =>
  codec === Codec.none ? bytes : aside(codec, bytes);

const deflateRaw = promisify(zlib.deflateRaw);

async function aside(codec: Codec, bytes: Uint8Array): Promise<Uint8Array> {
  if (codec === Codec.deflate) return deflateRaw(bytes, { level: 1 });
  const { zstdCompress } = runtime;
  if (!zstdCompress) throw new RangeError('This runtime has no zstd.');
  return new Promise((resolve, reject) => {
    zstdCompress(bytes, zstdOptions(1), (error, compressed) =>
      error ? reject(error) : resolve(compressed),
    );
  });
}

/**
 * The reverse of {@link compressWithAside} where the size is known: memory for so many bytes is all that is taken.
 *
 * @throws Error when the bytes are not of that codec or make more or less than `size`
 */
export function decompressTo(codec: Codec, bytes: Uint8Array, size: number): Buffer {
  const plain = plainOf(codec, bytes, size);
  if (plain.length !== size) throw new RangeError('It is not as large as it says.');
  return Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
}

function plainOf(codec: Codec, bytes: Uint8Array, size: number): Uint8Array {
  // zlib wants room for one byte at least.
  const maxOutputLength = Math.max(1, size);
  switch (codec) {
    case Codec.none:
      return bytes;
    case Codec.deflate:
      return zlib.inflateRawSync(bytes, { maxOutputLength });
    case Codec.zstd:
      return runtime.zstdDecompressSync
        ? runtime.zstdDecompressSync(bytes, { maxOutputLength })
        : decompressZstd(bytes, new Uint8Array(size));
  }
}

const zstdOptions = (level: number) => ({
  params: { [zlib.constants.ZSTD_c_compressionLevel]: level },
});

/**
 * The reverse of {@link compress}, in memory of its own; undefined for a codec that is not known.
 *
 * @throws Error when the bytes are not of that codec or too large
 */
export function decompress(codec: number, bytes: Uint8Array): Uint8Array | undefined {
  switch (codec) {
    case Codec.none:
      return Uint8Array.from(bytes);
    case Codec.deflate:
      return zlib.inflateRawSync(bytes, { maxOutputLength: LARGEST });
    case Codec.zstd:
      return runtime.zstdDecompressSync
        ? runtime.zstdDecompressSync(bytes, { maxOutputLength: LARGEST })
        : decompressZstd(bytes);
    default:
      return undefined;
  }
}
