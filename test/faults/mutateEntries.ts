import type { Random } from './random.js';
import { oneOf } from './random.js';

const nested = (depth: number): unknown => {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
};
const keys = (count: number): object =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

/** Values that are rarely where anybody expects them. */
const odd: readonly (() => unknown)[] = [
  () => null,
  () => true,
  () => -1,
  () => 0,
  () => 0.5,
  () => 1e308,
  () => 2 ** 31,
  () => 2 ** 53,
  () => Number.MAX_SAFE_INTEGER,
  () => '',
  () => '\0',
  () => 'x'.repeat(10_000),
  () => 'é\u0301\u202e\u2066\u200d\ufeff\uffff',
  () => '\ud800',
  () => '\udc00\ud800',
  () => '\u001b]8;;command:x\u0007',
  () => '../../etc/passwd',
  () => '/etc/passwd',
  () => 'C:\\Windows\\System32\\con',
  () => '\\\\server\\share\\x',
  () => 'file:///etc/passwd',
  () => 'claude-code:../../x',
  () => "'; DROP TABLE session; --",
  () => '<img src=x onerror=alert(1)>',
  () => '__proto__',
  () => 'constructor',
  () => 'a'.repeat(64),
  () => '0'.repeat(64),
  () => [],
  () => ({}),
  () => nested(60),
  () => nested(70),
  () => keys(199),
  () => keys(250),
  () => Array.from({ length: 3000 }, () => 0),
  () => JSON.parse('{"__proto__":{"polluted":true}}') as unknown,
  () => JSON.parse('{"constructor":{"prototype":{"polluted":true}}}') as unknown,
  () => ({ base64: '*' }),
  () => ({ base64: '====' }),
  () => ({ blob: '0'.repeat(64) }),
  () => ({ toJSON: 1, valueOf: 2, then: 3, length: 1e9 }),
];

/** Entries that are moved, doubled, dropped, or changed in some value; what was given stays as it was. */
export function mutateEntries(given: readonly object[], random: Random): readonly object[] {
  const entries = given.map((entry) => structuredClone(entry));
  for (let times = 1 + random(4); times > 0 && entries.length > 0; times--) mutate(entries, random);
  return entries;
}

function mutate(entries: object[], random: Random): void {
  const at = random(entries.length);
  const entry = entries[at] ?? {};
  switch (random(8)) {
    case 0:
      entries.splice(at, 1);
      return;
    case 1:
      entries.splice(random(entries.length), 0, structuredClone(entry));
      return;
    case 2:
      entries.splice(at, 1);
      entries.splice(random(entries.length + 1), 0, entry);
      return;
    case 3: {
      // What stands in one entry, in another.
      const other = entries[random(entries.length)] ?? {};
      const key = Object.keys(other)[random(Object.keys(other).length || 1)];
      if (key !== undefined) Reflect.set(entry, key, structuredClone(Reflect.get(other, key)));
      return;
    }
    default:
      mutateInside(entry, random);
  }
}

function mutateInside(entry: object, random: Random): void {
  let target = entry;
  for (let depth = random(7); depth > 0; depth--) {
    const inner = Object.values(target).filter(
      (value: unknown): value is object => typeof value === 'object' && value !== null,
    );
    target = inner[random(Math.max(1, inner.length))] ?? target;
  }
  const names = Object.keys(target);
  const key = names[random(Math.max(1, names.length))];
  if (key === undefined) return;
  switch (random(6)) {
    case 0:
      Reflect.deleteProperty(target, key);
      return;
    case 1:
      Reflect.set(target, `${key}2`, oneOf(odd, random)());
      return;
    case 2: {
      const value: unknown = Reflect.get(target, key);
      if (Array.isArray(value)) value.push(...(value as unknown[]).slice(0, 100));
      else if (typeof value === 'number') Reflect.set(target, key, value + random(3) - 1);
      else if (typeof value === 'string') Reflect.set(target, key, value + value);
      return;
    }
    default:
      Reflect.set(target, key, oneOf(odd, random)());
  }
}
