import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import * as vectors from 'cctv-age';
import { ExpectedError } from '../core/errors.js';
import { decrypted } from './age.js';

async function* chunks(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

suite('an encrypted file is one of age’s', function () {
  this.timeout(600_000);

  // https://github.com/C2SP/CCTV/tree/main/age
  test('as the published examples say: what is whole is opened, and nothing else', async () => {
    let looked = 0;
    for (const [name, vector] of Object.entries(vectors)) {
      const { facts, file } = readVector(vector);
      // A session file is never armored.
      if (facts.get('armored') !== undefined) continue;
      looked += 1;
      const [passphrase] = facts.get('passphrase') ?? [];
      const how = { identities: facts.get('identity') ?? [], passphrase };
      const seen: Uint8Array[] = [];
      let error: unknown;
      try {
        for await (const piece of decrypted(chunks(file), how)) seen.push(piece);
      } catch (thrown) {
        error = thrown;
      }
      const expected = facts.get('expect')?.[0];
      if (expected !== 'success') {
        assert.ok(error instanceof ExpectedError, `${name}: ${expected}, ${String(error)}`);
        continue;
      }
      assert.equal(error, undefined, name);
      const hash = createHash('sha256').update(Buffer.concat(seen)).digest('hex');
      assert.equal(hash, facts.get('payload')?.[0], name);
    }
    assert.ok(looked > 60, `${looked}`);
  });
});

/** Lines of `key: value`, an empty one, and a file of age. */
function readVector(vector: Uint8Array) {
  const bytes = Buffer.from(vector);
  const end = bytes.indexOf('\n\n');
  const facts = new Map<string, string[]>();
  for (const line of bytes.toString('latin1', 0, end).split('\n')) {
    const at = line.indexOf(': ');
    const key = line.slice(0, at);
    facts.set(key, [...(facts.get(key) ?? []), line.slice(at + 2)]);
  }
  const file = bytes.subarray(end + 2);
  return { facts, file: facts.has('compressed') ? inflateSync(file) : file };
}
