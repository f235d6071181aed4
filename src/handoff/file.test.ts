import assert from 'node:assert/strict';
import { isExpected } from '../core/errors.js';
import { decodeHandoff, type FileEnd, type RawEntry } from './decode.js';
import type { EncodeOptions, ManifestFacts } from './encode.js';
import { newSigningKey, signerOf } from './signing.js';
import { fileOf } from './testFiles.js';

const contents = { sessions: 1, snapshots: 0, threads: 0, records: 0, parts: 0, blobs: 0 };

const write = (
  entries: readonly object[],
  options: EncodeOptions = {},
  more: Partial<ManifestFacts> = {},
): Promise<Buffer> => fileOf(entries, { createdAt: 1, contents, ...more }, options);

async function read(
  bytes: Uint8Array,
): Promise<{ readonly entries: readonly RawEntry[]; readonly end: FileEnd }> {
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 1000) {
      yield await Promise.resolve(bytes.subarray(at, at + 1000));
    }
  }
  const entries: RawEntry[] = [];
  const reading = decodeHandoff(chunks());
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return { entries, end: next.value };
    entries.push(next.value);
  }
}

const refusalOf = async (bytes: Uint8Array): Promise<string> => {
  try {
    await read(bytes);
    return 'read';
  } catch (error) {
    if (!isExpected(error)) throw error;
    return error.reason;
  }
};

const entries = [
  { kind: 'session', text: 'ü \ud83d \0 \u2028 \n', deep: [{ a: [1, 2.5, null, true] }] },
  ...Array.from({ length: 300 }, (_, at) => ({ kind: 'other', at, text: 'x'.repeat(5000) })),
];

suite('a session file', () => {
  for (const compression of ['none', 'deflate'] as const) {
    test(`gives back what was written, compressed by ${compression}`, async () => {
      const { entries: found, end } = await read(await write(entries, { compression }));
      assert.deepEqual(
        found.map(({ value }) => value),
        entries,
      );
      assert.deepEqual(end.signature, { state: 'none' });
    });
  }

  test('of a newer minor version is read, of a newer major one said to be newer', async () => {
    assert.equal(await refusalOf(await write(entries, { version: '1.9' })), 'read');
    assert.equal(await refusalOf(await write(entries, { version: '2.0' })), 'handoffNewer');
    const other = Buffer.from('{"format":"keepthread","version":"3.1","how":"unknown"}\n\0\0');
    assert.equal(await refusalOf(other), 'handoffNewer');
  });

  test('cut at any place is not taken', async () => {
    const bytes = await write(entries.slice(0, 40));
    for (let length = 0; length < bytes.length; length += Math.ceil(bytes.length / 200)) {
      const reason = await refusalOf(bytes.subarray(0, length));
      assert.ok(['damaged', 'handoffRefused'].includes(reason), `${length}: ${reason}`);
    }
  });

  test('with any byte changed is not taken, signed or not', async () => {
    const signer = signerOf(newSigningKey());
    const bytes = await write(
      entries.slice(0, 5),
      { signer },
      { author: { key: signer.fingerprint } },
    );
    assert.equal((await read(bytes)).end.signature.state, 'valid');
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      assert.notEqual(await refusalOf(changed), 'read', `byte ${at}`);
    }
  });

  test('followed by something is not taken', async () => {
    const bytes = await write(entries.slice(0, 2));
    assert.equal(await refusalOf(Buffer.concat([bytes, bytes])), 'damaged');
    assert.equal(await refusalOf(Buffer.concat([bytes, Buffer.from('x')])), 'damaged');
  });

  test('keeps nothing that means more than data to JavaScript', async () => {
    const hostile = JSON.parse(
      '{"kind":"other","__proto__":{"polluted":1},"a":[{"constructor":{"prototype":{"polluted":1}}}]}',
    ) as object;
    const { entries: found } = await read(await write([hostile]));
    assert.deepEqual(found[0]?.value, { kind: 'other', a: [{}] });
    assert.equal('polluted' in {}, false);
  });
});
