import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import crc32 from 'crc-32';
import type { CodecName } from '../../src/handoff/frames.js';
import { factsOf } from '../../src/handoff/testFiles.js';
import type { Signer } from '../../src/handoff/signing.js';

/**
 * A session file put together by hand: every hash, count and checksum is right, whatever stands in it, so that it gets
 * past them to what reads the entries.
 */
export interface Handmade {
  /** The first line, without its line feed. */
  readonly header: Buffer;
  /** The entries before the manifest, each without its line feed. */
  readonly lines: readonly Buffer[];
  /** Fields of the manifest that are other than they should be. */
  readonly manifest?: Readonly<Record<string, unknown>>;
  readonly signer?: Signer | undefined;
  /** What stands behind the manifest and the signature. */
  readonly behind?: readonly Buffer[];
  /** Cuts the lines into frames; by default there is one. */
  readonly frames?: (plain: Buffer, codec: CodecName) => readonly Buffer[];
  readonly codec?: CodecName;
}

export const headerLine = (compression: string, version = '1.0', encryption = 'none'): Buffer =>
  Buffer.from(JSON.stringify({ format: 'keepthread', version, encryption, compression }));

export function fileOf(made: Handmade): Buffer {
  const { header, lines, manifest, signer, behind = [], codec = 'none' } = made;
  const { frames = (plain: Buffer) => [frame(plain, codec)] } = made;
  const hashes = Buffer.concat(lines.map((line) => sha256(line)));
  const facts = factsOf();
  const last = Buffer.from(
    JSON.stringify({
      kind: 'manifest',
      version: '1.0',
      ...facts,
      author: { name: 'Ann', key: signer?.fingerprint },
      contents: { ...contentsOf(lines), bytes: lines.reduce((sum, { length }) => sum + length, 0) },
      header: sha256(header).toString('hex'),
      hashes: hashes.toString('base64'),
      root: sha256(hashes).toString('hex'),
      ...manifest,
    }),
  );
  const signature = signer && { kind: 'signature', ...signer.sign(last) };
  const all = [...lines, last, ...(signature ? [Buffer.from(JSON.stringify(signature))] : [])];
  const plain = Buffer.concat([...all, ...behind].flatMap((line) => [line, lineFeed]));
  return Buffer.concat([header, lineFeed, ...frames(plain, codec)]);
}

const lineFeed = Buffer.from('\n');

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();

/** A frame of these lines; the lengths that it says may be others than they are, its checksum is right. */
export function frame(
  plain: Buffer,
  codec: CodecName,
  said: { readonly stored?: number; readonly plain?: number } = {},
): Buffer {
  const stored = codec === 'none' ? plain : deflateRawSync(plain, { level: 1 });
  const head = Buffer.alloc(12);
  head.writeUInt32LE((said.stored ?? stored.length) >>> 0, 0);
  head.writeUInt32LE((said.plain ?? plain.length) >>> 0, 4);
  head.writeInt32LE(crc32.buf(stored, crc32.buf(head.subarray(0, 8))), 8);
  return Buffer.concat([head, stored]);
}

interface Line {
  readonly kind?: unknown;
  readonly records?: readonly unknown[];
  readonly record?: unknown;
  readonly id?: unknown;
}

/** What a reader will count, as far as the lines can be read at all. */
function contentsOf(lines: readonly Buffer[]): Readonly<Record<string, number>> {
  const entries = lines.flatMap((line): readonly Line[] => {
    try {
      const value: unknown = JSON.parse(line.toString('utf8'));
      return typeof value === 'object' && value !== null ? [value] : [];
    } catch {
      return [];
    }
  });
  const of = (kind: string): readonly Line[] => entries.filter((entry) => entry.kind === kind);
  const named = of('blob').filter(({ record }) => record !== true);
  return {
    sessions: 1,
    snapshots: of('snapshot').length,
    threads: of('thread').length,
    records: of('records').reduce((sum, { records }) => sum + (records?.length ?? 0), 0),
    parts: of('part').length,
    blobs: new Set(named.map(({ id }) => id)).size,
  };
}
