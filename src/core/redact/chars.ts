/** A set of ASCII characters, as a table. */
export type CharSet = Uint8Array;

/** `A-Za-z0-9_` and the like: ranges and single characters; `-` stands for itself at the end. */
export function charSet(spec: string): CharSet {
  const set = new Uint8Array(128);
  for (let at = 0; at < spec.length; at += 1) {
    const isRange = spec[at + 1] === '-' && at + 2 < spec.length;
    const last = spec.charCodeAt(isRange ? at + 2 : at);
    for (let code = spec.charCodeAt(at); code <= last; code += 1) set[code] = 1;
    if (isRange) at += 2;
  }
  return set;
}

export const digits = charSet('0-9');
export const word = charSet('A-Za-z0-9_');
export const alphanumeric = charSet('A-Za-z0-9');
export const base64 = charSet('A-Za-z0-9+/');
export const base64Url = charSet('A-Za-z0-9_-');
export const hex = charSet('0-9a-fA-F');

/**
 * The character at an index, 0 outside of the text. `charCodeAt` outside is NaN, and for V8 a place in the
 * code where that came up once is slow from then on: it takes the quick way no more.
 */
export const codeAt = (text: string, at: number): number =>
  at >= 0 && at < text.length ? text.charCodeAt(at) : 0;

/** The first index from `from` on, at most `limit`, whose character is not in the set. */
export function endOfRun(text: string, from: number, set: CharSet, limit = text.length): number {
  const stop = Math.min(limit, text.length);
  let at = from;
  while (at < stop && set[text.charCodeAt(at)] === 1) at += 1;
  return at;
}

/** The first index of the run of the set's characters that ends before `end`, not below `limit`. */
export function startOfRun(text: string, end: number, set: CharSet, limit = 0): number {
  const stop = Math.max(0, limit);
  let at = end;
  while (at > stop && set[text.charCodeAt(at - 1)] === 1) at -= 1;
  return at;
}

/** As {@link startOfRun}, of characters that are neither blank nor in the set. */
export function startOfWord(text: string, end: number, stops: CharSet, limit: number): number {
  const stop = Math.max(0, limit);
  let at = end;
  for (; at > stop; at -= 1) {
    const code = text.charCodeAt(at - 1);
    if (stops[code] === 1 || isSpace(code)) break;
  }
  return at;
}

/** What `\s` matches. */
export const isSpace = (code: number): boolean =>
  code === 32 ||
  (code > 8 && code < 14) ||
  (code > 127 && otherSpace.test(String.fromCharCode(code)));
const otherSpace = /\s/;
