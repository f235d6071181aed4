/** What a character is to words. `dense`: of a script that writes no spaces between words. */
type Kind = 'upper' | 'lower' | 'digit' | 'dense' | 'mark' | 'other';

/** Han, the Japanese scripts, Hangul (particles stick to words), Thai, Lao, Khmer, Burmese. */
const denseScripts = String.raw`\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}`;
const dense = new RegExp(`(?=[\\p{L}\\p{N}])[${denseScripts}]`, 'u');
const upper = /[\p{Lu}\p{Lt}]/u;
const digit = /\p{N}/u;
const letter = /\p{L}/u;
const mark = /\p{M}/u;

/** Runs of letters and digits, and pictures, each of which is a word. */
export const wordRuns = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|\p{Extended_Pictographic}/gu;

const kinds = new Map<number, Kind>();

function kindOf(point: number): Kind {
  let kind = kinds.get(point);
  if (kind === undefined) {
    kind = findKind(String.fromCodePoint(point));
    kinds.set(point, kind);
  }
  return kind;
}

function findKind(character: string): Kind {
  if (mark.test(character)) return 'mark';
  if (dense.test(character)) return 'dense';
  if (upper.test(character)) return 'upper';
  if (letter.test(character)) return 'lower';
  return digit.test(character) ? 'digit' : 'other';
}

const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;
const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** Of the character that ends before an index; marks belong to the letter before them. */
function kindBefore(text: string, index: number): Kind {
  let at = index - 1;
  while (at > 0) {
    const unit = text.charCodeAt(at);
    if (isLow(unit) && isHigh(text.charCodeAt(at - 1))) at--;
    const kind = kindOf(text.codePointAt(at) ?? 0);
    if (kind !== 'mark') return kind;
    at--;
  }
  return at < 0 ? 'other' : kindOf(text.codePointAt(at) ?? 0);
}

const kindAt = (text: string, index: number): Kind =>
  index >= text.length ? 'other' : kindOf(text.codePointAt(index) ?? 0);

/**
 * Whether a word, or a part of an identifier, may begin or end at an index: at what is no letter or digit, between
 * letters and digits, where a lower-case letter meets an upper-case one, before the last of several upper-case
 * letters (`HTTP|Server|2`), and anywhere in scripts that write no spaces.
 */
export function isBoundary(text: string, index: number): boolean {
  if (index <= 0 || index >= text.length) return true;
  if (isLow(text.charCodeAt(index)) && isHigh(text.charCodeAt(index - 1))) return false;
  const after = kindAt(text, index);
  if (after === 'mark') return false;
  const before = kindBefore(text, index);
  if (before === 'other' || after === 'other') return true;
  if (before === 'dense' || after === 'dense') return true;
  if (before === 'digit' || after === 'digit') return before !== after;
  if (after !== 'upper') return false;
  if (before !== 'upper') return true;
  const next = index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
  return kindAt(text, next) === 'lower';
}

/** A run of one word, cut where scripts with and without spaces meet. */
export function* scriptRuns(
  word: string,
): Generator<{ readonly text: string; readonly dense: boolean }> {
  let begin = 0;
  let isDense: boolean | undefined;
  for (let at = 0; at < word.length;) {
    const point = word.codePointAt(at) ?? 0;
    const kind = kindOf(point);
    if (kind !== 'mark') {
      const now = kind === 'dense';
      if (isDense !== undefined && now !== isDense) {
        yield { text: word.slice(begin, at), dense: isDense };
        begin = at;
      }
      isDense = now;
    }
    at += point > 0xffff ? 2 : 1;
  }
  if (begin < word.length) yield { text: word.slice(begin), dense: isDense ?? false };
}

/** The parts of an identifier without separators: `getUserById2` is get, User, By, Id, 2. */
export function partsOf(word: string): string[] {
  const parts: string[] = [];
  let begin = 0;
  for (let at = 1; at <= word.length; at++) {
    if (at < word.length && !isBoundary(word, at)) continue;
    parts.push(word.slice(begin, at));
    begin = at;
  }
  return parts;
}
