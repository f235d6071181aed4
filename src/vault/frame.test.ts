import assert from 'node:assert/strict';
import crc32 from 'crc-32';
import fc from 'fast-check';
import { bestCodec, Codec } from './compress.js';
import { decodeHead, decodePayload, encodeFrame, encodeFrameAside, headSize } from './frame.js';

const roundTrip = (payload: Uint8Array, codec?: Codec): Uint8Array => {
  const { bytes } = encodeFrame({ type: 1, payload }, 1n, codec);
  const head = decodeHead(bytes.subarray(0, headSize));
  assert.ok(head);
  const decoded = decodePayload(head, bytes.subarray(headSize));
  assert.ok('payload' in decoded);
  return decoded.payload;
};

const storedCodec = (payload: Uint8Array, codec?: Codec): number =>
  encodeFrame({ type: 1, payload }, 1n, codec).bytes.readUInt8(13);

/** Made by the zstd command line from 200 times the letter a. */
const zstdOfTwoHundredA = Buffer.from('KLUv/QRoRQAACGEBAEQKCAG+607z', 'base64');

suite('a frame', () => {
  test('gives back every payload byte for byte, in every codec', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 4000 }),
        fc.integer({ min: 1, max: 20 }),
        fc.constantFrom(Codec.none, Codec.deflate, Codec.brotli, bestCodec),
        (part, times, codec) => {
          const payload = Buffer.concat(Array.from({ length: times }, () => part));
          assert.ok(payload.equals(roundTrip(payload, codec)));
        },
      ),
    );
  });

  test('gives back what is large, whichever thread compressed it', async () => {
    const payload = Buffer.alloc(3_000_000, 'A conversation that is long enough. ');
    for (const bytes of [
      encodeFrame({ type: 1, payload }, 1n).bytes,
      (await encodeFrameAside({ type: 1, payload }, 1n)).bytes,
    ]) {
      const head = decodeHead(bytes.subarray(0, headSize));
      assert.ok(head && head.stored < payload.length / 10);
      const decoded = decodePayload(head, bytes.subarray(headSize));
      assert.ok('payload' in decoded && payload.equals(decoded.payload));
    }
  });

  test('gives back its type, clock, session and hash', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 255 }),
        fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        fc.option(fc.uuid(), { nil: undefined }),
        (type, clock, sessionId) => {
          const { bytes, hash } = encodeFrame({ type, sessionId, payload: bytes3 }, clock);
          const head = decodeHead(bytes);
          assert.deepEqual(
            { ...head, crc: 0 },
            { type, clock, sessionId, hash, stored: 3, codec: 0, crc: 0 },
          );
        },
      ),
    );
  });

  test('reads what another zstd wrote, on runtimes without zstd too', () => {
    const payload = Buffer.alloc(200, 'a');
    const { bytes } = encodeFrame({ type: 1, payload }, 1n, Codec.none);
    const head = decodeHead(bytes);
    assert.ok(head);
    const crc = crc32.buf(zstdOfTwoHundredA);
    const decoded = decodePayload({ ...head, codec: Codec.zstd, crc }, zstdOfTwoHundredA);
    assert.ok('payload' in decoded && payload.equals(decoded.payload));
  });

  test('is not made larger by compression', () => {
    const noise = crypto.getRandomValues(new Uint8Array(5000));
    assert.equal(storedCodec(noise), Codec.none);
    assert.equal(storedCodec(Buffer.alloc(40)), Codec.none);
    assert.equal(storedCodec(Buffer.alloc(5000)), bestCodec);
    assert.equal(storedCodec(Buffer.alloc(5000), Codec.deflate), Codec.deflate);
  });

  test('with any bit flipped is known to be damaged', () => {
    const payload = Buffer.from('a payload long enough to be compressed '.repeat(4));
    const { bytes } = encodeFrame({ type: 3, payload }, 77n);
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const flipped = Buffer.from(bytes);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const head = decodeHead(flipped);
      const survived =
        head !== undefined && 'payload' in decodePayload(head, flipped.subarray(headSize));
      assert.equal(survived, false, `bit ${bit} of byte ${bit >> 3}`);
    }
  });

  test('with other content under a checksum that fits is known by its hash', () => {
    const { bytes } = encodeFrame({ type: 1, payload: Buffer.from('what was saved') }, 1n);
    const head = decodeHead(bytes);
    assert.ok(head);
    const other = Buffer.from('what was never');
    const decoded = decodePayload({ ...head, crc: crc32.buf(other) }, other);
    assert.match('damage' in decoded ? decoded.damage : '', /SHA-256/);
  });

  test('of a codec that this version does not know is said to be so', () => {
    const { bytes } = encodeFrame({ type: 1, payload: bytes3 }, 1n);
    const head = decodeHead(bytes);
    assert.ok(head);
    const decoded = decodePayload({ ...head, codec: 9 }, bytes.subarray(headSize));
    assert.match('damage' in decoded ? decoded.damage : '', /compression \(9\)/);
  });

  test('refuses a session id that would not come back', () => {
    assert.throws(
      () => encodeFrame({ type: 1, sessionId: 'mine', payload: bytes3 }, 1n),
      TypeError,
    );
  });
});

const bytes3 = Uint8Array.of(1, 2, 3);
