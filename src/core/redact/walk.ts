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

type Replace = (text: string, place?: Place) => string;

/** Signed or encrypted for the agent's vendor: an edit would only break them. */
const SEALED = new Set(['signature', 'encrypted_content', 'reasoningOpaque', 'redacted_thinking']);

/**
 * The value with every string in it replaced, keys too; the very same value when nothing changed, so
 * that untouched records keep their bytes. `replace` gets no place for a key.
 */
export function mapStrings(value: unknown, replace: Replace, place?: Place): unknown {
  if (typeof value === 'string') return replace(value, place);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value)
    ? mapItems(value, replace, place)
    : mapEntries(value, Object.entries(value), replace, place);
}

function mapItems(before: readonly unknown[], replace: Replace, place?: Place): unknown {
  const name = place?.name;
  const items = before.map((item, step) =>
    mapStrings(item, replace, { trail: { before: place?.trail, step }, name }),
  );
  return items.some((item, index) => item !== before[index]) ? items : before;
}

function mapEntries(
  value: object,
  before: readonly [string, unknown][],
  replace: Replace,
  place?: Place,
): unknown {
  const entries = before.map(([key, item]): [string, unknown] => [
    replace(key),
    SEALED.has(key)
      ? item
      : mapStrings(item, replace, {
          trail: { before: place?.trail, step: key },
          name: nameOf(key, before, place?.name),
        }),
  ]);
  const isSame = entries.every(
    ([key, item], index) => key === before[index]?.[0] && item === before[index][1],
  );
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
