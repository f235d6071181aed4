import assert from 'node:assert/strict';
import fc from 'fast-check';
import { decodeInput } from './inputText.js';

const goesOut = (bytes: Buffer): Buffer => {
  const { text, encode } = decodeInput(bytes);
  return Buffer.from(encode(text));
};

suite('what is not masked goes out as it came in, whatever it is', () => {
  const kinds: Readonly<Record<string, Buffer>> = {
    nothing: Buffer.alloc(0),
    'UTF-8 with its mark': Buffer.from('\ufeffgrün 👩‍💻\r\n'),
    'UTF-16 of Windows': Buffer.from('\ufeffgrün 👩‍💻', 'utf16le'),
    'UTF-16, the other way round': Buffer.from('\ufeffgrün', 'utf16le').swap16(),
    'UTF-16 that was cut': Buffer.from('\ufeffab', 'utf16le').subarray(0, 5),
    'Latin-1': Buffer.from('größer', 'latin1'),
    'a character that was cut': Buffer.from('ab👩').subarray(0, 4),
    'surrogates as three bytes': Buffer.from([0x61, 0xed, 0xb2, 0x80, 0xed, 0xa0, 0x80, 0x62]),
    'longer forms of a character': Buffer.from([0xc0, 0x80, 0xe0, 0x80, 0x80, 0xf5, 0x80, 0x80]),
  };
  for (const [title, bytes] of Object.entries(kinds)) {
    test(title, () => assert.deepEqual(goesOut(bytes), bytes));
  }

  test('bytes of any kind', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        assert.deepEqual(goesOut(Buffer.from(bytes)), Buffer.from(bytes));
      }),
    );
  });
});

test('a broken byte is one unit, and everything else reads as ever', () => {
  const { text } = decodeInput(
    Buffer.concat([Buffer.from('é👩'), Buffer.from([0xff]), Buffer.from('x')]),
  );
  assert.equal(text, 'é👩\udcffx');
});
