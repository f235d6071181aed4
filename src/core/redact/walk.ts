import { isSealed } from './sealed.js';

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
    : mapEntries(value, Object.entries(value), visitor, place);
}

function mapItems(before: readonly unknown[], visitor: Visitor, place?: Place): unknown {
  const name = place?.name;
  const items = before.map((item, step) =>
    mapStrings(item, visitor, { trail: { before: place?.trail, step }, name }),
  );
  return items.some((item, index) => item !== before[index]) ? items : before;
}

function mapEntries(
  value: object,
  before: readonly [string, unknown][],
  visitor: Visitor,
  place?: Place,
): unknown {
  const entries: [string, unknown][] = [];
  let isSame = true;
  for (const [key, item] of before) {
    const isBlob = isSealed(key, item, before);
    if (isBlob && visitor.drop) {
      visitor.drop(key);
      isSame = false;
      continue;
    }
    const name = nameOf(key, before, place?.name);
    const inside = { trail: { before: place?.trail, step: key }, name };
    const newKey = visitor.replace(key);
    const newItem = isBlob ? item : mapStrings(item, visitor, inside);
    isSame &&= newKey === key && newItem === item;
    entries.push([newKey, newItem]);
  }
  return isSame ? value : Object.fromEntries(entries);
}

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
  siblings: readonly [string, unknown][],
  outer: string | undefined,
): string {
  // The members of a Kubernetes Secret's data are secrets whatever they are called.
  if (outer === SECRET_DATA) return 'secret';
  if (key === 'data' || key === 'stringData') return isSecret(siblings) ? SECRET_DATA : key;
  if (!VALUE_KEYS.has(key)) return key;
  const named = siblings.find(([name, value]) => NAME_KEYS.has(name) && typeof value === 'string');
  return typeof named?.[1] === 'string' ? named[1] : key;
}

const isSecret = (entries: readonly [string, unknown][]): boolean =>
  entries.some(([key, value]) => key === 'kind' && value === 'Secret');
