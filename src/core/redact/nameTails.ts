import { codeAt } from './chars.js';
import {
  byWord,
  compounds,
  endings,
  queryNames,
  sessionCookies,
  trailing,
  valueNames,
} from './names.js';

/** It may be the name of a secret. */
export const SECRET = 1;
/** It may be, with more words in front of it. */
export const BEHIND = 2;
/** It may mean one as a parameter of a URL, or name a value whose own name stands beside it. */
export const OTHER = 4;

/** The word ends a name wherever it stands in its last part: `dbpassword`. */
const ANYWHERE = 1;
/** It is all of the part: `key` in `apiKey`, not in `monkey`. */
const PART = 2;
/** As `PART`, and a name has more in front of it: `id` in `secret_id`. */
const SECOND = 4;
/** As `PART`, and says nothing, so that what stands in front of it decides: `value` in `tokenValue`. */
const TRAILING = 8;
const OTHERWISE = 16;

/**
 * The words that names end in, from their last letter on: a row of 32 letters for each node, in which
 * stands the node of the next letter. Row 0 is none, row 1 the root.
 */
const nexts: number[] = new Array<number>(64).fill(0);
const meanings: number[] = [0, 0];

function addWord(word: string, meaning: number): void {
  const lower = word.toLowerCase();
  // Names fall apart at digits.
  if (/\d/.test(lower)) return;
  // Letters of other scripts say everything, so the way to the last of them is all that it takes.
  const letters = /[a-z]*$/.exec(lower)?.[0] ?? '';
  let node = 1;
  for (let at = letters.length - 1; at >= 0; at -= 1) {
    const slot = node * 32 + (letters.charCodeAt(at) & 31);
    let next = nexts[slot] ?? 0;
    if (next === 0) {
      next = meanings.push(0) - 1;
      nexts[slot] = next;
      for (let letter = 0; letter < 32; letter += 1) nexts.push(0);
    }
    node = next;
  }
  if (letters === lower) meanings[node] = (meanings[node] ?? 0) | meaning;
}

for (const word of byWord.keys()) addWord(word, PART);
for (const word of endings) addWord(word, ANYWHERE);
for (const word of compounds) addWord(word, SECOND);
for (const word of trailing) addWord(word, TRAILING);
for (const cookie of sessionCookies) addWord(/[a-z]{3,}$/i.exec(cookie)?.[0] ?? '', PART);
for (const word of [...queryNames, ...valueNames]) addWord(word, OTHERWISE);

const nodes = Uint16Array.from(nexts);
const meaningAt = Uint8Array.from(meanings);

/**
 * What the end of a name can mean, from its letters alone; 0 for nearly all names, so that nothing is
 * cut out and remembered for them. It says more often than `secretName` that something is one, and never
 * less often: the words come from its lists. Letters of other scripts say everything.
 */
export function tailOf(text: string, start: number, end: number): number {
  let other = 0;
  for (let at = end; ;) {
    while (at > start && !isLetter(text.charCodeAt(at - 1))) {
      if (text.charCodeAt(at - 1) > 127) return SECRET | BEHIND | OTHER;
      at -= 1;
    }
    // Digits alone, so far.
    if (at === start) return BEHIND | other;
    let trailingAt = -1;
    let node = 1;
    while (at > start) {
      const code = text.charCodeAt(at - 1);
      if (code > 127) return SECRET | BEHIND | OTHER;
      node = isLetter(code) ? (nodes[node * 32 + (code & 31)] ?? 0) : 0;
      if (node === 0) break;
      at -= 1;
      const meaning = meaningAt[node] ?? 0;
      if (meaning === 0) continue;
      if ((meaning & ANYWHERE) !== 0) return SECRET | BEHIND | OTHER;
      if (!beginsPart(text, start, at)) continue;
      if ((meaning & PART) !== 0) return SECRET | BEHIND | OTHER;
      if ((meaning & OTHERWISE) !== 0) other = OTHER;
      if ((meaning & SECOND) !== 0) return (at > start ? SECRET : 0) | BEHIND | OTHER;
      if ((meaning & TRAILING) !== 0 && trailingAt < 0) trailingAt = at;
    }
    if (trailingAt < 0) return other;
    at = trailingAt;
  }
}

const isLetter = (code: number): boolean => {
  const lower = code | 32;
  return lower > 96 && lower < 123;
};
const isUpper = (code: number): boolean => code > 64 && code < 91;

/** Whether a part of a name can begin there: behind a sign or a digit, or with a capital. */
function beginsPart(text: string, start: number, at: number): boolean {
  if (at === start) return true;
  const before = codeAt(text, at - 1);
  if (!isLetter(before)) return true;
  if (!isUpper(codeAt(text, at))) return false;
  // Of capitals in a row the last one opens a word: `APIKey`.
  return !isUpper(before) || !isUpper(codeAt(text, at + 1));
}
