import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { ExpectedError } from '../core/errors.js';
import { beginningOf } from './fileForm.js';
import { isZstd } from './sqlite/unpack.js';

/** A transcript may be so large once it is unpacked; what grows beyond was made to fill the disk. */
const largest = 4 * 1024 * 1024 * 1024;

/**
 * Runs with a file whose bytes are plain UTF-8 or a database: the file itself, or a copy of our own when it is
 * compressed (gzip, zstd) or UTF-16. The copy is removed afterwards.
 *
 * @throws ExpectedError `badCompression`. Rejects with the error of `node:fs` when the file cannot be read.
 */
export async function withPlainFile<T>(
  path: string,
  run: (plain: string) => Promise<T>,
): Promise<T> {
  const unpack = unpackerFor(await beginningOf(path, 4));
  if (unpack === undefined) return run(path);
  const folder = await mkdtemp(join(tmpdir(), 'keepthread-'));
  try {
    const plain = join(folder, basename(path).replace(/\.(?:gz|zst)$/, ''));
    const bytes = withinLimit(path, unpack(createReadStream(path)));
    const target = createWriteStream(plain, { mode: 0o600, flags: 'wx' });
    await pipeline(bytes, target).catch((cause: unknown) => {
      throw damaged(path, cause);
    });
    return await run(plain);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type Chunks = AsyncIterable<Buffer>;
type Unpack = (chunks: Chunks) => AsyncIterable<Uint8Array | string>;

function unpackerFor(head: Buffer): Unpack | undefined {
  const [first = 0, second = 0, third = 0, fourth = 0] = head;
  if (first === 0x1f && second === 0x8b) return gunzip;
  if (isZstd(head)) return unzstd;
  if (first === 0xff && second === 0xfe) return decode('utf-16le');
  if (first === 0xfe && second === 0xff) return decode('utf-16be');
  // Without a mark: texts of JSON and Markdown begin with two characters of ASCII.
  if (first > 0 && second === 0 && third > 0 && fourth === 0) return decode('utf-16le');
  if (first === 0 && second > 0 && third === 0 && fourth > 0) return decode('utf-16be');
  return undefined;
}

async function* gunzip(chunks: Chunks): AsyncIterable<Buffer> {
  const stream = createGunzip();
  const fed = pipeline(chunks, stream);
  // Its failure comes out of the stream, too.
  fed.catch(() => undefined);
  for await (const chunk of stream) yield chunk as Buffer;
  await fed;
}

async function* unzstd(chunks: Chunks): AsyncIterable<Uint8Array> {
  const out: Uint8Array[] = [];
  const stream = new Decompress((bytes) => out.push(Uint8Array.from(bytes)));
  for await (const chunk of chunks) {
    stream.push(chunk);
    yield* out.splice(0);
  }
  // Only now an end that is missing is noticed.
  stream.push(new Uint8Array(0), true);
  yield* out.splice(0);
}

const decode = (encoding: string): Unpack =>
  async function* decoded(chunks) {
    const decoder = new TextDecoder(encoding);
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  };

async function* withinLimit(path: string, chunks: ReturnType<Unpack>): ReturnType<Unpack> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > largest) {
      throw new ExpectedError('badCompression', '{0} unpacks to more than {1} GB.', [path, 4]);
    }
    yield chunk;
  }
}

const damaged = (path: string, cause: unknown): unknown =>
  cause instanceof ExpectedError
    ? cause
    : new ExpectedError('badCompression', 'The compressed file {0} is damaged.', [path], { cause });
