import { charSet, codeAt, endOfRun } from './chars.js';
import { isHex } from './randomness.js';

/** Base64 of printable text, decoded; undefined when it is anything else. */
export function decodeText(encoded: string): string | undefined {
  const plain = encoded.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (plain.length < 4 || plain.length % 4 === 1) return undefined;
  let bytes: string;
  try {
    bytes = atob(plain);
  } catch {
    return undefined;
  }
  return isPrintable(bytes) ? bytes : undefined;
}

function isPrintable(bytes: string): boolean {
  let odd = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const code = bytes.charCodeAt(at);
    if (isControl(code)) return false;
    // Bytes of UTF-8 are let pass: a text may hold any language.
    if (code > 127) odd += 1;
  }
  return odd <= bytes.length * MAX_ODD;
}

const MAX_ODD = 0.2;
const isControl = (code: number): boolean =>
  code === 127 || (code < 32 && code !== 9 && code !== 10 && code !== 13);

const sixBits = new Uint8Array(128);
for (const [value, digit] of Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  sixBits[digit.charCodeAt(0)] = value;
}

/** As `decodeText` of some groups of four digits of base64, without making the text. */
export function isTextEncoded(text: string, start: number, length: number): boolean {
  let odd = 0;
  for (let at = start; at < start + length; at += 4) {
    const bits =
      ((sixBits[text.charCodeAt(at)] ?? 0) << 18) |
      ((sixBits[text.charCodeAt(at + 1)] ?? 0) << 12) |
      ((sixBits[text.charCodeAt(at + 2)] ?? 0) << 6) |
      (sixBits[text.charCodeAt(at + 3)] ?? 0);
    const [first, second, third] = [bits >> 16, (bits >> 8) & 255, bits & 255];
    if (isControl(first) || isControl(second) || isControl(third)) return false;
    odd += (first >> 7) + (second >> 7) + (third >> 7);
  }
  return odd <= ((length * 3) / 4) * MAX_ODD;
}

/** A text as its reader would see it, and where each part of it stands in the original. */
export interface View {
  readonly text: string;
  /** Where in the original begins what begins at an offset of the view. */
  readonly startOf: (offset: number) => number;
  /** Where in the original ends what ends at an offset of the view. */
  readonly endOf: (offset: number) => number;
}

const LF = 10;
const BACKSLASH = 92;
const AND = 38;
const PERCENT = 37;

/** Colours of terminals and links of theirs (ECMA-48). */
// eslint-disable-next-line no-control-regex -- terminals are controlled by them
const control = /\x1b(?:\[[0-9;?]{0,20}[A-Za-z]|\][^\n\x1b\x07]{0,200}(?:\x07|\x1b\\))/y;
/** What a reader of JavaScript, JSON, XML or a URL sees for what stands behind a sign. */
const afterBackslash = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', b: ' ', f: ' ', '0': ' ' }).concat(
    Array.from('"\'`\\/', (sign) => [sign, sign]),
  ),
);
const entities: readonly (readonly [string, string])[] = [
  ['quot;', '"'],
  ['amp;', '&'],
  ['lt;', '<'],
  ['gt;', '>'],
  ['apos;', "'"],
  ['#34;', '"'],
  ['#39;', "'"],
  ['#x27;', "'"],
];
const percents = new Set('3a 3d 22 26 27 2b 2f 40 20 5b 5d 7b 7d'.split(' '));

/** What was met last; of one place, so that no object is made for each. */
let escapeEnd = 0;
let escapeMeaning = '';

/** Whether an escape begins at a sign: then `escapeEnd` says where it ends, `escapeMeaning` what it says. */
function readEscape(text: string, at: number): boolean {
  switch (codeAt(text, at)) {
    case BACKSLASH:
      return readBackslash(text, at);
    case AND:
      for (const [name, meaning] of entities) {
        if (text.startsWith(name, at + 1)) return found(at + 1 + name.length, meaning);
      }
      return false;
    case PERCENT: {
      const digits = text.slice(at + 1, at + 3);
      return percents.has(digits.toLowerCase()) && found(at + 3, fromHex(digits));
    }
    default:
      control.lastIndex = at;
      return control.test(text) && found(control.lastIndex, '');
  }
}

function readBackslash(text: string, at: number): boolean {
  const letter = text[at + 1] ?? '';
  const meaning = afterBackslash.get(letter);
  if (meaning !== undefined) return found(at + 2, meaning);
  if (letter === 'u' || letter === 'x') {
    const digits = text.slice(at + 2, at + (letter === 'u' ? 6 : 4));
    const isWhole = digits.length === (letter === 'u' ? 4 : 2) && isHex(digits);
    return isWhole && found(at + 2 + digits.length, fromHex(digits));
  }
  // A shell's line goes on in the next one.
  const lineEnd = letter === '\r' ? at + 2 : at + 1;
  if (codeAt(text, lineEnd) !== LF) return false;
  return found(endOfRun(text, lineEnd + 1, blanks, lineEnd + 41), '');
}

function found(end: number, meaning: string): true {
  escapeEnd = end;
  escapeMeaning = meaning;
  return true;
}

const blanks = charSet(' \t');
const fromHex = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

const signs = ['\\', '&', '%', '\u001b'];

/** Where the next of each sign stands, at the end of the text when there is none: found without a look at each character. */
const nextSigns = (text: string): number[] => signs.map((sign) => nextSign(text, sign, 0));

function nextSign(text: string, sign: string, from: number): number {
  const at = text.indexOf(sign, from);
  return at < 0 ? text.length : at;
}

/**
 * The lines that hold escapes (JSON, XML, URL, terminals), with one level of them resolved; undefined
 * when there are none. Other lines look the same with and without.
 */
export function unescaped(text: string): View | undefined {
  const nexts = nextSigns(text);
  if (Math.min(...nexts) === text.length) return undefined;
  const starts: number[] = [];
  const shifts: number[] = [];
  let result = '';
  let from = 0;
  let lineEnd = -1;
  for (let at = 0; ; at += 1) {
    for (let index = 0; index < signs.length; index += 1) {
      if ((nexts[index] ?? 0) < at) nexts[index] = nextSign(text, signs[index] ?? '', at);
    }
    at = Math.min(nexts[0] ?? 0, nexts[1] ?? 0, nexts[2] ?? 0, nexts[3] ?? 0);
    if (at >= text.length) break;
    if (!readEscape(text, at)) continue;
    if (at > lineEnd) {
      if (lineEnd >= 0) result += text.slice(from, lineEnd + 1);
      from = text.lastIndexOf('\n', at) + 1;
      lineEnd = endOfLine(text, at);
      starts.push(result.length);
      shifts.push(from - result.length);
    }
    if (escapeEnd > lineEnd) lineEnd = endOfLine(text, escapeEnd);
    result += text.slice(from, at) + escapeMeaning;
    from = escapeEnd;
    // What stood there and is not seen lies between two offsets of the view.
    starts.push(result.length + (escapeMeaning === '' ? 0.5 : 0));
    shifts.push(from - result.length);
    at = escapeEnd - 1;
  }
  if (lineEnd < 0) return undefined;
  return {
    text: result + text.slice(from, lineEnd),
    startOf: (offset) => offset + shiftAt(starts, shifts, offset + 0.5),
    endOf: (offset) => offset + shiftAt(starts, shifts, offset),
  };
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Binary search for the last escape at or before the offset. */
function shiftAt(starts: readonly number[], shifts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return shifts[low] ?? 0;
}
