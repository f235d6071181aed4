import { isSealed, maySeal } from './sealed.js';

/** A step from the root of a JSON value: a key or an index. */
export type Path = readonly (string | number)[];

/** The way to a place, from its end: cheaper than a path to make for each string. */
interface Trail {
  readonly before: Trail | undefined;
  readonly step: string | number;
}

/** Where a string stands in a JSON value. */
export interface Place {
  readonly trail: Trail | undefined;
  /** What says what the string is: its key, or the name in `{"name": "TOKEN", "value": "..."}`. */
  readonly name: string | undefined;
}

/** What is done with a JSON value on the way through it. */
export interface Visitor {
  /** Gets every string; no place for a key. */
  replace(text: string, place?: Place): string;
  /** Gets every number that stands under a name, and says what stands in its place. */
  replaceNumber?(number: number, place: Place): number | string;
  /** Gets the key of each sealed blob, which then is left out; without it they stay as they are. */
  drop?(key: string): void;
}

/**
 * The value with every string in it replaced, keys too; the very same value when nothing changed, so
 * that untouched records keep their bytes.
 */
export function mapStrings(value: unknown, visitor: Visitor, place?: Place): unknown {
  if (typeof value === 'string') return visitor.replace(value, place);
  if (typeof value === 'number' && place) return visitor.replaceNumber?.(value, place) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? mapItems(value, visitor, place)
    : mapEntries(value as Readonly<Record<string, unknown>>, visitor, place);
}

function mapItems(before: readonly unknown[], visitor: Visitor, place?: Place): unknown {
  let items: unknown[] | undefined;
  for (const [step, item] of before.entries()) {
    const inside = { trail: { before: place?.trail, step }, name: place?.name };
    const after = mapStrings(item, visitor, inside);
    if (after !== item) (items ??= [...before])[step] = after;
  }
  return items ?? before;
}

function mapEntries(
  value: Readonly<Record<string, unknown>>,
  visitor: Visitor,
  place?: Place,
): unknown {
  const keys = Object.keys(value);
  /** Made when the first member is another one than before. */
  let entries: [string, unknown][] | undefined;
  for (const [index, key] of keys.entries()) {
    const item = value[key];
    const isBlob = maySeal(key) && isSealed(key, item, Object.entries(value));
    if (isBlob && visitor.drop) {
      visitor.drop(key);
      entries ??= entriesBefore(value, keys, index);
      continue;
    }
    const newKey = visitor.replace(key);
    const newItem = isBlob
      ? item
      : mapStrings(item, visitor, {
          trail: { before: place?.trail, step: key },
          name: nameOf(key, value, place?.name),
        });
    if (newKey !== key || newItem !== item) entries ??= entriesBefore(value, keys, index);
    entries?.push([newKey, newItem]);
  }
  return entries ? Object.fromEntries(entries) : value;
}

const entriesBefore = (
  value: Readonly<Record<string, unknown>>,
  keys: readonly string[],
  end: number,
): [string, unknown][] => keys.slice(0, end).map((key) => [key, value[key]]);

export function pathOf(place: Place | undefined): Path {
  const path: (string | number)[] = [];
  for (let trail = place?.trail; trail; trail = trail.before) path.unshift(trail.step);
  return path;
}

const VALUE_KEYS = new Set(['value', 'default', 'defaultValue', 'stringValue', 'val', 'content']);
const NAME_KEYS = new Set(['name', 'key', 'variable', 'field']);
const SECRET_DATA = 'data of a Secret';

function nameOf(
  key: string,
  owner: Readonly<Record<string, unknown>>,
  outer: string | undefined,
): string {
  // The members of a Kubernetes Secret's data are secrets whatever they are called.
  if (outer === SECRET_DATA) return 'secret';
  if (key === 'data' || key === 'stringData') return owner['kind'] === 'Secret' ? SECRET_DATA : key;
  if (!VALUE_KEYS.has(key)) return key;
  const named = Object.entries(owner).find(
    ([name, value]) => NAME_KEYS.has(name) && typeof value === 'string',
  );
  return typeof named?.[1] === 'string' ? named[1] : key;
}
