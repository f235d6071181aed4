import { createHash } from 'node:crypto';
import { decode } from './decode.js';
import { momentIn, type Fields } from './json.js';
import type { Merging } from './source.js';

interface Entry {
  readonly key: string;
  record: Uint8Array;
  readonly fields: Fields | undefined;
}

/**
 * The union of what several files hold of one conversation, none of it twice. The first list, the
 * fullest, gives the order; what only another has comes after the last record that both have, and of
 * two such runs the one that was written earlier comes first. Of two versions of a record the longer
 * one counts.
 */
export function mergeRecords(
  lists: readonly (readonly Uint8Array[])[],
  { idOf, isJoined = false, plain }: Merging = {},
): readonly Uint8Array[] {
  if (isJoined) return lists.flat();
  const entries = lists.map((list) =>
    (plain?.(list) ?? list).map((record): Entry => {
      const { fields } = decode(record);
      const id = fields && idOf?.(fields);
      return { key: id === undefined ? `#${hashOf(record)}` : `id ${id}`, record, fields };
    }),
  );
  const [base = [], ...others] = entries;
  return others.reduce(mergeInto, base).map(({ record }) => record);
}

const hashOf = (record: Uint8Array): string =>
  createHash('sha256').update(record).digest('base64').slice(0, 22);

function mergeInto(base: readonly Entry[], other: readonly Entry[]): readonly Entry[] {
  const places = new Map(base.map(({ key }, at) => [key, at]));
  /** What comes after a record of the base, by its place; -1: before all. */
  const added = new Map<number, Entry[]>();
  let last = -1;
  for (const entry of other) {
    const at = places.get(entry.key);
    if (at === undefined) {
      added.set(last, [...(added.get(last) ?? []), entry]);
      continue;
    }
    const own = base[at];
    if (own !== undefined && own.record.length < entry.record.length) own.record = entry.record;
    last = Math.max(last, at);
  }
  const shared = new Set(other.map(({ key }) => key));
  const merged: Entry[] = [];
  let waiting = added.get(-1) ?? [];
  const settle = (): void => {
    merged.push(...waiting);
    waiting = [];
  };
  for (const [at, entry] of base.entries()) {
    // A run of the base alone goes on until the next record that both have.
    if (shared.has(entry.key) || isBefore(waiting[0], entry)) settle();
    merged.push(entry);
    const next = added.get(at);
    if (next !== undefined) waiting = [...waiting, ...next];
  }
  settle();
  return merged;
}

function isBefore(one: Entry | undefined, other: Entry): boolean {
  const [first, second] = [one, other].map(timeIn);
  return first !== undefined && second !== undefined && first < second;
}

function timeIn(entry: Entry | undefined): number | undefined {
  const { timestamp, ts, time } = entry?.fields ?? {};
  const value = timestamp ?? ts ?? time;
  return momentIn(value);
}
