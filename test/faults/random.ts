/** A whole number from 0 to `below - 1`. */
export type Random = (below: number) => number;

/** Numbers that look random and are the same in each run. */
export function randomFrom(seed: number): Random {
  // Neighbouring seeds must not begin alike; nought would stay nought.
  let state = Math.imul(seed + 1, 0x9e3779b1) || 1;
  return (below) => {
    // Marsaglia's xorshift, 32 bits.
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

export function oneOf<T>(items: readonly T[], random: Random): T {
  const item = items[random(items.length)];
  if (item === undefined) throw new RangeError('There is nothing to choose from.');
  return item;
}
