import { createHash, type Hash } from 'node:crypto';
import { bestCodec, Codec } from '../vault/compress.js';
import { encodeFrame, type CodecName } from './frames.js';
import { limits } from './limits.js';
import { formatVersion, type Header, type ManifestEntry } from './schemas.js';
import type { Signer } from './signing.js';

/** What a manifest says that is not counted while the entries are written. */
export type ManifestFacts = Omit<
  ManifestEntry,
  'kind' | 'version' | 'header' | 'hashes' | 'root' | 'contents'
> & { readonly contents: Omit<ManifestEntry['contents'], 'bytes'> };

export interface EncodeOptions {
  readonly compression?: CodecName;
  readonly signer?: Signer | undefined;
  /** Another version than the one that is written, for tests of readers. */
  readonly version?: string;
}

/** A frame is closed once it has so many bytes. */
const FRAME = 512 * 1024;

const lineFeed = Buffer.from('\n');

/**
 * The bytes of a handoff file, in pieces: first line, frames. Entries are taken as they come; what was
 * given is not kept. `facts` is asked for once all entries were taken, since only then they are known.
 */
export async function* encodeHandoff(
  entries: AsyncIterable<object> | Iterable<object>,
  facts: () => ManifestFacts,
  options: EncodeOptions = {},
): AsyncGenerator<Buffer, void, undefined> {
  const { compression = bestCodec === Codec.zstd ? 'zstd' : 'deflate', signer } = options;
  const version = options.version ?? formatVersion;
  const header: Header = { format: 'keepthread', version, encryption: 'none', compression };
  const first = Buffer.from(JSON.stringify(header));
  yield Buffer.concat([first, lineFeed]);

  const lines = new LineBuffer(compression);
  const hashes: Buffer[] = [];
  for await (const entry of entries) {
    const line = toLine(entry);
    hashes.push(sha256(line).digest());
    yield* lines.add(line);
  }
  const all = Buffer.concat(hashes);
  const given = facts();
  const manifest: ManifestEntry = {
    kind: 'manifest',
    version,
    ...given,
    contents: { ...given.contents, bytes: lines.bytes },
    header: sha256(first).digest('hex'),
    hashes: all.toString('base64'),
    root: sha256(all).digest('hex'),
  };
  const last = toLine(manifest);
  yield* lines.add(last);
  if (signer) yield* lines.add(toLine({ kind: 'signature', ...signer.sign(last) }));
  yield* lines.rest();
}

const sha256 = (bytes: Uint8Array): Hash => createHash('sha256').update(bytes);

function toLine(entry: object): Buffer {
  const line = Buffer.from(JSON.stringify(entry));
  if (line.length > limits.entry) throw new RangeError(`An entry of ${line.length} bytes`);
  return line;
}

/** Frames that are compressed while the next lines are made. */
const AHEAD = 2;

/** Gathers lines into frames, which come in order. */
class LineBuffer {
  /** Bytes of all lines so far, line feeds included. */
  bytes = 0;
  private lines: Buffer[] = [];
  private size = 0;
  private readonly frames: Promise<Buffer>[] = [];

  constructor(private readonly codec: CodecName) {}

  async *add(line: Buffer): AsyncGenerator<Buffer, void, undefined> {
    this.lines.push(line, lineFeed);
    this.size += line.length + 1;
    this.bytes += line.length + 1;
    if (this.size < FRAME) return;
    this.close();
    while (this.frames.length > AHEAD) yield* this.first();
  }

  async *rest(): AsyncGenerator<Buffer, void, undefined> {
    if (this.size > 0) this.close();
    while (this.frames.length > 0) yield* this.first();
  }

  private close(): void {
    const frame = encodeFrame(Buffer.concat(this.lines), this.codec);
    // Whoever takes the frame is told.
    frame.catch(() => undefined);
    this.frames.push(frame);
    this.lines = [];
    this.size = 0;
  }

  private async *first(): AsyncGenerator<Buffer, void, undefined> {
    const frame = await this.frames.shift();
    if (frame) yield frame;
  }
}
