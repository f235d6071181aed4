import type { ThreadParser } from './source.js';

/**
 * How many of a conversation's records come before the first one of the turn with that number (from
 * 0): found by halving, since each record only adds. Only for records that take no turn back.
 */
export function recordsBefore(
  records: readonly Uint8Array[],
  turns: number,
  parser: () => ThreadParser,
): number {
  const turnsIn = (count: number): number => {
    const fold = parser();
    for (const record of records.slice(0, count)) fold.push(record);
    return fold.thread().turns.length;
  };
  let [few, many] = [0, records.length];
  if (turnsIn(many) <= turns) return many;
  while (many - few > 1) {
    const middle = Math.floor((few + many) / 2);
    if (turnsIn(middle) > turns) many = middle;
    else few = middle;
  }
  return few;
}

/** Whether any record holds one of the words by which an agent takes turns back. */
export const hasAny = (records: readonly Uint8Array[], ...words: readonly string[]): boolean =>
  records.some((record) => words.some((word) => Buffer.from(record).includes(word)));
