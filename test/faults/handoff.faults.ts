import assert from 'node:assert/strict';
import { ExpectedError } from '../../src/core/errors.js';
import { encodeHandoff } from '../../src/handoff/encode.js';
import { readSession } from '../../src/handoff/readSession.js';
import { entriesOf, factsOf, sessionFile } from '../../src/handoff/testFiles.js';
import { rounds } from './lane.js';

/** So much memory reading may take beyond what the process has, in bytes. */
const memory = 512 * 2 ** 20;

/** Numbers that look random and are the same in each run. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // Marsaglia's xorshift, 32 bits.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const read = async (bytes: Uint8Array): Promise<'read' | 'refused'> => {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  try {
    await readSession(chunks(), {});
    return 'read';
  } catch (error) {
    // Anything else would be a bug that a file can set off.
    if (error instanceof ExpectedError) return 'refused';
    throw error;
  }
};

suite('a session file that somebody has changed', function () {
  this.timeout(0);

  test('is refused in words, whatever was done to its bytes, and takes no memory', async () => {
    const whole = await sessionFile();
    assert.equal(await read(whole), 'read');
    const random = randomFrom(1);
    for (let round = 0; round < rounds(1000, 500_000); round++) {
      assert.equal(await read(mutatedBytes(whole, random)), 'refused', `round ${round}`);
    }
    assert.ok(process.memoryUsage().rss < memory);
  });

  test('or is told apart by what stands in it, when its hashes were made again', async () => {
    const entries = entriesOf();
    const random = randomFrom(2);
    let refused = 0;
    for (let round = 0; round < rounds(1000, 500_000); round++) {
      const changed = entries.map((entry) => structuredClone(entry));
      for (let times = 1 + random(3); times > 0; times--) mutateEntry(changed, random);
      const chunks: Buffer[] = [];
      for await (const chunk of encodeHandoff(changed, factsOf)) chunks.push(chunk);
      if ((await read(Buffer.concat(chunks))) === 'refused') refused++;
    }
    assert.ok(refused > 0);
    assert.equal(Object.keys(Object.prototype).length, 0);
    assert.ok(process.memoryUsage().rss < memory);
  });
});

/** Bytes flipped, cut out, doubled, overwritten, or a piece of the file in another place. */
function mutatedBytes(whole: Buffer, random: (below: number) => number): Buffer {
  for (;;) {
    const bytes = Buffer.from(whole);
    const at = random(bytes.length);
    const length = 1 + random(64);
    const piece = bytes.subarray(at, at + length);
    const changed = [
      () => {
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
        return bytes;
      },
      () => bytes.subarray(0, at),
      () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
      () => Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)]),
      () => bytes.fill(random(256), at, Math.min(bytes.length, at + length)),
      () => {
        bytes.writeUInt32LE(random(2 ** 32), Math.min(at, bytes.length - 4));
        return bytes;
      },
    ][random(6)]?.();
    if (changed && !changed.equals(whole)) return changed;
  }
}

const odd: readonly unknown[] = [
  null,
  -1,
  1e308,
  2 ** 53,
  '',
  '\0',
  'x'.repeat(10_000),
  '../../etc/passwd',
  'C:\\Windows\\System32\\con',
  '__proto__',
  [],
  {},
  [[[[[[[[[[]]]]]]]]]],
  JSON.parse('{"__proto__":{"polluted":true}}'),
  { base64: '*' },
  { blob: '0'.repeat(64) },
  true,
];

/** One value somewhere replaced, one key taken away, or one entry moved, doubled or dropped. */
function mutateEntry(entries: object[], random: (below: number) => number): void {
  const at = random(entries.length);
  const entry = entries[at] ?? {};
  switch (random(4)) {
    case 0:
      entries.splice(at, 1);
      return;
    case 1:
      entries.splice(random(entries.length), 0, structuredClone(entry));
      return;
    default: {
      let target: object = entry;
      for (let depth = random(6); depth > 0; depth--) {
        const inner = Object.values(target).filter((value) => typeof value === 'object' && value);
        target = (inner[random(Math.max(1, inner.length))] as object | undefined) ?? target;
      }
      const keys = Object.keys(target);
      const key = keys[random(Math.max(1, keys.length))];
      if (key === undefined) return;
      if (random(4) === 0) Reflect.deleteProperty(target, key);
      else Reflect.set(target, key, odd[random(odd.length)]);
    }
  }
}
