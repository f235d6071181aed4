import { open, readFile } from 'node:fs/promises';
import zlib from 'node:zlib';
import { Decompress } from 'fzstd';
import type { ByteFile } from '../beginnings.js';
import { ExpectedError } from '../../core/errors.js';
import { chunksOf } from '../heads.js';
import { readJsonlOf } from '../jsonl.js';
import type { Source } from '../source.js';

export const isCompressed = (path: string): boolean => path.endsWith('.zst');

const newline = 0x0a;

/** What a rollout may grow to; they are read into memory whole. */
const largest = 1024 * 1024 * 1024;
const largestCompressed = 256 * 1024 * 1024;

// zstd came to node:zlib with Node.js 22.15.
const runtime: Partial<Pick<typeof zlib, 'zstdDecompressSync'>> = zlib;

/** The first bytes of a compressed rollout, as far as its first blocks reach. */
export async function* startOfCompressed(path: string): AsyncIterable<Buffer> {
  const out: Buffer[] = [];
  const stream = new Decompress((bytes) => {
    out.push(Buffer.from(bytes));
  });
  for await (const chunk of chunksOf(path)) {
    stream.push(chunk);
    yield* out.splice(0);
  }
}

/**
 * A reader of cold rollouts, which Codex compresses (`….jsonl.zst`) and unpacks again when they are
 * resumed. The lines are those of the plain file, so reading goes on where it stopped there. The last
 * file stays unpacked for the next call, since a long one is read in pieces.
 */
export function compressedReader(): Source['read'] {
  let last: { readonly stamp: string; readonly bytes: Buffer } | undefined;
  return async ({ path }, cursor, signal) => {
    const file = await open(path, 'r');
    try {
      const { dev, ino, size, mtimeNs } = await file.stat({ bigint: true });
      if (size > largestCompressed) throw tooLarge(path);
      const stamp = [path, dev, ino, size, mtimeNs].join(':');
      if (last?.stamp !== stamp) last = { stamp, bytes: unpacked(await readFile(file), path) };
      const read = await readJsonlOf(inMemory(last.bytes, dev, ino), path, cursor, signal);
      if (!read.more) last = undefined;
      return read;
    } finally {
      await file.close();
    }
  };
}

function unpacked(bytes: Buffer, path: string): Buffer {
  try {
    const plain = runtime.zstdDecompressSync
      ? runtime.zstdDecompressSync(bytes, { maxOutputLength: largest })
      : unpackedInPieces(bytes);
    // Nobody goes on writing here, so a last line is as whole as it will be.
    return plain.at(-1) === newline ? plain : Buffer.concat([plain, Buffer.of(newline)]);
  } catch (cause) {
    throw new ExpectedError('badCompression', 'The compressed rollout {0} is damaged.', [path], {
      cause,
      next: 'Resume it in Codex once, which unpacks it, or restore it from a backup.',
    });
  }
}

/** Unlike fzstd's function for a whole file, this one notices an end that is missing. */
function unpackedInPieces(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let size = 0;
  const stream = new Decompress((piece) => {
    size += piece.length;
    if (size > largest) throw new RangeError('too large');
    pieces.push(Buffer.from(piece));
  });
  stream.push(bytes, true);
  return Buffer.concat(pieces);
}

const tooLarge = (path: string): ExpectedError =>
  new ExpectedError(
    'rolloutTooLarge',
    'The compressed rollout {0} is too large to be read.',
    [path],
    {
      next: 'Resume it in Codex once, which unpacks it.',
    },
  );

const inMemory = (bytes: Buffer, dev: bigint, ino: bigint): ByteFile => ({
  stat: () => Promise.resolve({ dev, ino, size: BigInt(bytes.length) }),
  read: (into, offset, length, position) => {
    const bytesRead = bytes.copy(into, offset, position, position + length);
    return Promise.resolve({ bytesRead, buffer: into });
  },
});
