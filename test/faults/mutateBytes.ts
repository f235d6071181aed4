import type { Random } from './random.js';
import { oneOf } from './random.js';

/** Bytes flipped, cut off, cut out, doubled, overwritten, or a number in them changed; never the same as before. */
export function mutateBytes(whole: Buffer, random: Random): Buffer {
  for (;;) {
    const changed = change(Buffer.from(whole), random);
    if (!changed.equals(whole)) return changed;
  }
}

function change(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length);
  const length = 1 + random(64);
  const piece = Buffer.from(bytes.subarray(at, at + length));
  switch (random(7)) {
    case 0:
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]);
    case 3:
      return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]);
    case 4:
      return bytes.fill(random(256), at, Math.min(bytes.length, at + length));
    case 5: {
      const to = random(bytes.length - piece.length + 1);
      piece.copy(bytes, to);
      return bytes;
    }
    default:
      bytes.writeUInt32LE(random(2 ** 32), Math.min(at, bytes.length - 4));
      return bytes;
  }
}

/** Pieces of JSON, and of what only looks like it. */
const tokens: readonly (string | Buffer)[] = [
  ...['{', '}', '[', ']', '"', '\\', ',', ':', '-', '.', ' ', '\t', '\r', '\n', '\0', '//'],
  ...['NaN', 'Infinity', '1e999', '-0', '00', '0x1', 'true', 'null', 'undefined', '""', '{}'],
  ...['\\u0000', '\\ud800', '\\u202e', '\\x', '\ufeff', '\u2028'],
  '"__proto__":{"polluted":1},',
  '"constructor":{"prototype":{"polluted":1}},',
  '"kind":"session",',
  '"id":"s1",',
  '['.repeat(63),
  '['.repeat(65),
  '{"a":'.repeat(100),
  '[]'.repeat(50),
  '0,'.repeat(500),
  '"a":1,'.repeat(250),
  Buffer.from([0xff]),
  Buffer.from([0xc0, 0x80]),
  Buffer.from([0xed, 0xa0, 0x80]),
  Buffer.from([0xf4, 0x90, 0x80, 0x80]),
];

/** A line of JSON with a piece put in, taken out or put in place of another. */
export function mutateLine(line: Buffer, random: Random): Buffer {
  const at = random(line.length + 1);
  const token = Buffer.from(oneOf(tokens, random));
  const rest = random(2) === 0 ? at : Math.min(line.length, at + 1 + random(8));
  const between = random(4) === 0 ? Buffer.alloc(0) : token;
  return Buffer.concat([line.subarray(0, at), between, line.subarray(rest)]);
}
