import { alphanumeric, hex } from './chars.js';

/** What a string is made of; `switches` counts neighbours of another class: lower, upper, digit. */
export interface Makeup {
  readonly lower: number;
  readonly upper: number;
  readonly digits: number;
  readonly others: number;
  readonly switches: number;
  readonly distinct: number;
}

/** As much of a text as tells what it is. */
const SAMPLE = 128;

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const OTHER = 0;

/** When a character was last seen; one table for all calls, since a set for each is slow. */
const seenAt = new Float64Array(256);
let stamp = 0;

export function makeupOf(whole: string): Makeup {
  const text = whole.slice(0, SAMPLE);
  const counts = [0, 0, 0, 0];
  stamp += 1;
  let distinct = 0;
  let switches = 0;
  let before = OTHER;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const type = classOf(code);
    counts[type] = (counts[type] ?? 0) + 1;
    if (seenAt[code & 0xff] !== stamp) distinct += 1;
    seenAt[code & 0xff] = stamp;
    const isSwitch = type !== before && type !== OTHER && before !== OTHER;
    if (isSwitch && !isInWords(text, at, type, before)) switches += 1;
    before = type;
  }
  const [others = 0, lower = 0, upper = 0, digits = 0] = counts;
  return { lower, upper, digits, others, switches, distinct };
}

/** The capitals of `camelCaseWords` are no switches: one that opens a word, and the letter after it. */
function isInWords(text: string, at: number, type: number, before: number): boolean {
  if (before === UPPER) return type === LOWER && classAt(text, at - 2) !== UPPER;
  const opensWord = type === UPPER && before === LOWER;
  return opensWord && classAt(text, at + 1) === LOWER && classAt(text, at + 2) === LOWER;
}

const classAt = (text: string, at: number): number =>
  at >= 0 && at < text.length ? classOf(text.charCodeAt(at)) : OTHER;

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return OTHER;
}

/**
 * Whether a string looks drawn at random rather than written: its classes of characters change too
 * often for words, names, versions or dates. Entropy alone does not tell `getUserTokenFromHeader` from
 * a token; changes of class do.
 */
export function looksRandom(whole: string, min = 16): boolean {
  const text = whole.slice(0, SAMPLE);
  if (text.length < min) return false;
  const makeup = makeupOf(text);
  const { lower, upper, digits, switches, distinct } = makeup;
  const plain = lower + upper + digits;
  if (plain < min * 0.8 || distinct < Math.min(8, text.length / 2)) return false;
  if (isHex(text)) return digits >= 3 && lower + upper >= 2 && switches >= plain * 0.2;
  const classes = Number(lower > 0) + Number(upper > 0) + Number(digits > 0);
  if (classes === 1) return digits === 0 && plain === text.length && isConsonantHeavy(text);
  if (digits === 0) return switches >= plain * 0.22;
  // A longer text strays less from what chance gives.
  const least = plain < 24 ? 0.25 : 0.22;
  if (classes === 3) return switches >= plain * least && (digits >= 2 || switches >= plain * 0.3);
  return digits >= 2 && switches >= Math.max(3, plain * 0.12);
}

/** Words have a vowel at least each third or fourth letter. */
function isConsonantHeavy(text: string): boolean {
  let vowels = 0;
  for (const letter of text) if ('aeiouyAEIOUY'.includes(letter)) vowels += 1;
  return vowels < text.length * 0.25;
}

export function isHex(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (hex[text.charCodeAt(at)] !== 1) return false;
  return true;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
export const isUuid = (text: string): boolean => text.length === 36 && uuid.test(text);

/** `abcdefgh`, `12345678`, `0123456789abcdef`, `xxxxxxxx`: typed by a person to stand for something. */
export function isFiller(whole: string): boolean {
  const text = whole.slice(0, SAMPLE);
  let steady = 0;
  let pairs = 0;
  let distinct = 0;
  stamp += 1;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const isCounted = alphanumeric[code] === 1 || code > 127;
    if (isCounted && seenAt[code & 0xff] !== stamp) distinct += 1;
    seenAt[code & 0xff] = stamp;
    if (at === 0) continue;
    pairs += 1;
    const step = code - text.charCodeAt(at - 1);
    if (step === 0 || step === 1 || (step === -9 && code === 48)) steady += 1;
  }
  if (text.length >= 6 && distinct <= 2) return true;
  return text.length >= 8 && steady >= pairs * 0.7;
}
