/**
 * SipHash-2-4 over UTF-16 units with a key that lives and dies with this object: equal texts have equal
 * hashes, and what is kept of a secret says nothing without the key.
 * From "SipHash: a fast short-input PRF" (Aumasson, Bernstein), in its 32-bit form (HalfSipHash) run
 * with two keys for 128 bits in all.
 */
export type KeyedHash = (text: string, start?: number, end?: number) => string;

export function createKeyedHash(): KeyedHash {
  const [a = 0, b = 0, c = 0, d = 0] = crypto.getRandomValues(new Uint32Array(4));
  return (text, start = 0, end = text.length) =>
    `${halfSip(a, b, text, start, end)}.${halfSip(c, d, text, start, end)}`;
}

const rotate = (word: number, by: number): number => (word << by) | (word >>> (32 - by));

/** HalfSipHash-2-4 with 64 bits of output; two units of the text make a word. */
function halfSip(key0: number, key1: number, text: string, start: number, end: number): string {
  let v0 = key0;
  let v1 = key1;
  let v2 = 0x6c796765 ^ key0;
  let v3 = 0x74656462 ^ key1 ^ 0xee;
  const round = (): void => {
    v0 = (v0 + v1) | 0;
    v1 = rotate(v1, 5) ^ v0;
    v0 = rotate(v0, 16);
    v2 = (v2 + v3) | 0;
    v3 = rotate(v3, 8) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = rotate(v3, 7) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = rotate(v1, 13) ^ v2;
    v2 = rotate(v2, 16);
  };
  const absorb = (word: number): void => {
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  };
  for (let at = start; at < end; at += 2) {
    const second = at + 1 < end ? text.charCodeAt(at + 1) : 0;
    absorb(text.charCodeAt(at) | (second << 16));
  }
  absorb((end - start) | 0);
  v2 ^= 0xee;
  for (let count = 0; count < 4; count += 1) round();
  const high = v1 ^ v3;
  v1 ^= 0xdd;
  for (let count = 0; count < 4; count += 1) round();
  return `${(high >>> 0).toString(36)}${((v1 ^ v3) >>> 0).toString(36).padStart(7, '0')}`;
}
