import assert from 'node:assert/strict';
import zlib from 'node:zlib';
import fc from 'fast-check';
import { crc32, ownCrc32 } from './crc32.js';

suite('the checksum of packs and cursors', () => {
  const ways = { 'without the runtime': ownCrc32(undefined), 'as it is here': crc32 };
  for (const [title, way] of Object.entries(ways)) {
    test(`is the one of zlib, signed, ${title}: what an older runtime wrote is read`, () => {
      assert.equal(way(Buffer.from('123456789')), 0xcbf43926 | 0);
      assert.equal(way(Buffer.alloc(0)), 0);
    });

    test(`goes on where it was, ${title}: a cursor of before still fits its file`, () => {
      fc.assert(
        fc.property(fc.uint8Array(), fc.uint8Array(), (one, other) => {
          assert.equal(way(other, way(one)), way(Buffer.concat([one, other])));
          assert.equal(way(one), ownCrc32(undefined)(one));
        }),
      );
    });
  }

  test('is taken from the runtime where it has one', function () {
    if (!('crc32' in zlib)) this.skip();
    assert.equal(ownCrc32(zlib.crc32)(Buffer.from('a')), ownCrc32(undefined)(Buffer.from('a')));
  });
});
