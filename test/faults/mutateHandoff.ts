import { encrypted } from '../../src/handoff/age.js';
import type { CodecName } from '../../src/handoff/frames.js';
import { limits } from '../../src/handoff/limits.js';
import { newSigningKey, signerOf } from '../../src/handoff/signing.js';
import { fileOf, frame, headerLine, type Handmade } from './handmade.js';
import { mutateBytes, mutateLine } from './mutateBytes.js';
import { mutateEntries } from './mutateEntries.js';
import { oneOf, type Random } from './random.js';
import { wholeSession } from './wholeSession.js';

/** Ways to change a session file, by how often of a thousand. */
export interface Mutations {
  /** The file that was changed, as it was: read, not refused. */
  readonly whole: Buffer;
  /** A file, and which way it was changed. */
  readonly make: (random: Random) => { readonly way: string; readonly bytes: Buffer };
}

/** @param recipient `age1…`, for which some files are encrypted */
export async function mutations(recipient: string): Promise<Mutations> {
  const entries = wholeSession();
  const signer = signerOf(newSigningKey());
  const signed = entries.map((entry, at) =>
    at === 0 ? { ...entry, signedBy: signer.fingerprint } : entry,
  );
  const made = (list: readonly object[], more: Partial<Handmade> = {}): Buffer => {
    const { codec = 'none' } = more;
    return fileOf({ header: headerLine(codec), lines: list.map(lineOf), codec, ...more });
  };
  const whole = made(entries);
  const files = [whole, made(entries, { codec: 'deflate' }), made(signed, { signer })];
  const locked = await collect(encrypted(chunks(whole), { recipients: [recipient] }));
  const codec = (random: Random): CodecName => (random(4) === 0 ? 'deflate' : 'none');
  const lines = entries.map(lineOf);

  const ways: readonly [number, string, (random: Random) => Buffer][] = [
    [240, 'bytes', (random) => mutateBytes(oneOf(files, random), random)],
    [460, 'entries', (random) => made(mutateEntries(entries, random), { codec: codec(random) })],
    [
      140,
      'lines',
      (random) => {
        const at = random(lines.length);
        const changed = lines.map((line, index) =>
          index === at ? mutateLine(line, random) : line,
        );
        return fileOf({ header: headerLine('none'), lines: changed });
      },
    ],
    [70, 'manifest', (random) => made(entries, { manifest: oddManifest(random) })],
    [30, 'first line', (random) => fileOf({ header: oddHeader(random), lines })],
    [30, 'frames', (random) => made(entries, oddFrames(random))],
    [20, 'signature', (random) => made(random(2) ? signed : entries, oddSignature(signer, random))],
    [7, 'encrypted', (random) => mutateBytes(locked, random)],
    [3, 'large', (random) => large(random, lines)],
  ];
  const total = ways.reduce((sum, [weight]) => sum + weight, 0);
  return {
    whole,
    make: (random) => {
      let left = random(total);
      const [, way, make] = ways.find(([weight]) => (left -= weight) < 0) ?? ways[0] ?? [];
      if (way === undefined || make === undefined) throw new Error('There is no way.');
      return { way, bytes: make(random) };
    },
  };
}

const lineOf = (entry: object): Buffer => Buffer.from(JSON.stringify(entry));

async function* chunks(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const numbers = [-1, 0, 1, 0.5, 2 ** 31, 2 ** 32, 2 ** 53, 1e308];

function oddManifest(random: Random): Readonly<Record<string, unknown>> {
  const count = oneOf(numbers, random);
  return oneOf<Readonly<Record<string, unknown>>>(
    [
      {
        contents: {
          sessions: count,
          snapshots: 2,
          threads: 2,
          records: 5,
          parts: 4,
          blobs: 3,
          bytes: count,
        },
      },
      {
        contents: {
          sessions: 1,
          snapshots: 2,
          threads: 2,
          records: count,
          parts: 4,
          blobs: 3,
          bytes: 1,
        },
      },
      { contents: null },
      { hashes: '' },
      { hashes: 'A'.repeat(1 + random(100_000)) },
      { hashes: '!' },
      { root: '0'.repeat(64) },
      { header: '0'.repeat(64) },
      { author: { name: 'x'.repeat(100_001) } },
      { author: { name: '\u202e\0<script>', key: 'SHA256:x' } },
      { version: '9.9' },
      { createdAt: count },
      { bases: Array.from({ length: 1 + random(1200) }, () => ({ name: '../..' })) },
      { bases: [{ name: '--upload-pack=x', head: '--output=x', branch: '-x' }] },
      { redaction: { lane: 'share' } },
      { chosen: {} },
      { kind: 'session' },
      { tool: { name: '$(x)', version: '`x`' } },
    ],
    random,
  );
}

const oddHeader = (random: Random): Buffer =>
  oneOf<() => Buffer>(
    [
      () => headerLine('none', `${random(3)}.${random(20)}`),
      () => headerLine('none', oneOf(['', '1', '1.', '1.0.0', '1e3.0', '-1.0', '99999.0'], random)),
      () => headerLine(oneOf(['zstd', 'deflate', 'gzip', '', '__proto__'], random)),
      () => headerLine('none', '1.0', oneOf(['age', 'aes', ''], random)),
      () =>
        Buffer.from(
          `${headerLine('none').toString().slice(0, -1)},"a":"${'x'.repeat(random(9000))}"}`,
        ),
      () => mutateLine(headerLine('none'), random),
      () => Buffer.from('SQLite format 3\0'),
      () => Buffer.from([0x1f, 0x8b, 8, 0]),
      () => Buffer.from('PK\u0003\u0004'),
    ],
    random,
  )();

function oddFrames(random: Random): Partial<Handmade> {
  const codec: CodecName = random(2) === 0 ? 'none' : 'deflate';
  const lengths = [0, 1, 11, 4096, limits.frame, limits.frame + 1, 2 ** 31, 2 ** 32 - 1];
  const frames = (plain: Buffer): readonly Buffer[] => {
    const at = random(plain.length);
    const [one, other] = [plain.subarray(0, at), plain.subarray(at)];
    return oneOf<() => readonly Buffer[]>(
      [
        () => [frame(plain, codec, { stored: oneOf(lengths, random) })],
        () => [frame(plain, codec, { plain: oneOf(lengths, random) })],
        () => [frame(plain, codec, { plain: plain.length + random(3) - 1 })],
        () => [frame(one, codec), frame(other, codec)],
        () => [frame(other, codec), frame(one, codec)],
        () => [frame(one, codec), frame(Buffer.alloc(0), codec), frame(other, codec)],
        () => [
          ...Array.from({ length: 500 }, () => frame(Buffer.alloc(0), codec)),
          frame(plain, codec),
        ],
        () => [frame(plain, codec), frame(plain, codec)],
        () => [frame(plain, 'deflate', { plain: limits.frame })],
        () => [],
      ],
      random,
    )();
  };
  return { codec, frames };
}

function oddSignature(signer: ReturnType<typeof signerOf>, random: Random): Partial<Handmade> {
  const other = { ...signer.sign(Buffer.from('else')), kind: 'signature' };
  const line = oneOf<object>(
    [
      other,
      { ...other, key: 'AAAA' },
      { ...other, key: '' },
      { ...other, signature: '' },
      { kind: 'signature' },
      { kind: 'later' },
    ],
    random,
  );
  const behind = Array.from({ length: 1 + random(3) }, () => lineOf(line));
  return oneOf<Partial<Handmade>>(
    [
      { behind },
      { signer, behind },
      { signer },
      { manifest: { author: { key: signer.fingerprint } }, behind },
      { manifest: { author: { key: signer.fingerprint } } },
    ],
    random,
  );
}

/** What would take much memory or time, if a reader let it. */
function large(random: Random, lines: readonly Buffer[]): Buffer {
  const more = (line: Buffer): Buffer =>
    fileOf({ header: headerLine('deflate'), codec: 'deflate', lines: [...lines, line] });
  const framed = (plain: Buffer, times: number): Buffer => {
    const one = frame(plain, 'deflate');
    return Buffer.concat([
      headerLine('deflate'),
      Buffer.from('\n'),
      ...Array<Buffer>(times).fill(one),
    ]);
  };
  return oneOf<() => Buffer>(
    [
      // A bomb: a gigabyte of nothing in a megabyte.
      () => framed(Buffer.alloc(limits.frame), 64),
      () => framed(Buffer.alloc(limits.frame, '\n'), 64),
      // The same, that does not grow so much at once.
      () => framed(Buffer.from('{"kind":"later"}\n'.repeat(60_000)), 40),
      () => more(Buffer.from('['.repeat(1_000_000))),
      () => more(Buffer.from(`{"kind":"later","a":${'{"a":'.repeat(1_000_000)}`)),
      () => more(Buffer.from(`{"kind":"later","a":[${'0,'.repeat(199_999)}0]}`)),
      () => more(Buffer.from(`{"kind":"later","a":[${'0,'.repeat(300_000)}0]}`)),
      () => more(Buffer.from(`{${'"a":0,'.repeat(300_000)}"kind":"later"}`)),
      () => more(Buffer.from(`{"kind":"later","a":"${'x'.repeat(limits.entry + 1)}"}`)),
      () => more(Buffer.from(`{"kind":"later","a":"${'x'.repeat(limits.unknown)}"}`)),
      () =>
        more(
          Buffer.from(
            `{"kind":"blob","id":"${'a'.repeat(64)}","size":${limits.blob},"at":0,"text":"x"}`,
          ),
        ),
      () => more(Buffer.from(`{"kind":"later","a":"${'\\ud800'.repeat(500_000)}"}`)),
    ],
    random,
  )();
}
