import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import * as rage from '@kanru/rage-wasm/dist/index.js';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import vectors from 'cctv-age';
import { ExpectedError } from '../core/errors.js';
import type { Unlock } from '../core/handoff.js';
import { decrypted, encrypted, type Lock } from './age.js';

async function* chunks(bytes: Uint8Array, size = 1000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) {
    yield await Promise.resolve(bytes.subarray(at, at + size));
  }
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

const lock = (bytes: Uint8Array, how: Lock) => collect(encrypted(chunks(bytes), how));
const unlock = (bytes: Uint8Array, how: Unlock) => collect(decrypted(chunks(bytes), how));

/** Around the size of the pieces that age encrypts, 64 KiB. */
const sizes = [0, 1, 65_535, 65_536, 65_537, 200_000];
const contentOf = (size: number): Buffer => Buffer.from({ length: size }, (_, at) => (at * 31) % 251);

suite('an encrypted file is one of age’s', function () {
  this.timeout(120_000);

  test('which another implementation opens, and the other way round, for a recipient', async () => {
    const identity = await generateX25519Identity();
    const recipient = await identityToRecipient(identity);
    const [theirs = '', theirRecipient = ''] = await rage.keygen();
    for (const size of sizes) {
      const content = contentOf(size);
      const ours = await lock(content, { recipients: [recipient, theirRecipient] });
      for (const key of [identity, theirs]) {
        assert.deepEqual(Buffer.from(await rage.decrypt_with_x25519(key, ours)), content);
      }
      const from = Buffer.from(await rage.encrypt_with_x25519(recipient, content, false));
      assert.deepEqual(await unlock(from, { identities: [identity] }), content);
    }
  });

  test('which another implementation opens, and the other way round, with a passphrase', async () => {
    const content = contentOf(70_000);
    const passphrase = 'päss phrase 短语';
    const ours = await lock(content, { passphrase });
    const opened = await rage.decrypt_with_user_passphrase(passphrase, ours);
    assert.deepEqual(Buffer.from(opened), content);
    const theirs = await rage.encrypt_with_user_passphrase(passphrase, content, false);
    assert.deepEqual(await unlock(Buffer.from(theirs), { passphrase }), content);
  });

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
      if (expected === 'success') assert.equal(error, undefined, name);
      else assert.ok(error instanceof ExpectedError, `${name}: ${expected}, ${String(error)}`);
      const [hash] = facts.get('payload') ?? [];
      const content = Buffer.concat(seen);
      if (hash === undefined) assert.equal(content.length, 0, name);
      else assert.equal(createHash('sha256').update(content).digest('hex'), hash, name);
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
