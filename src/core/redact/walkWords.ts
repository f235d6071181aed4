import { quotedValue, type Value } from './assignedValue.js';
import { charSet, endOfRun } from './chars.js';
import type { Scan } from './scan.js';

const blanks = charSet(' \t');
const breaks = charSet(' \t\r\n');
const MAX_WORDS = 8;
const MAX_WORD = 200;

/** Words and signs that say what something is. */
const linkers = new Set(
  `is was are be = : -> => → ist lautet heißt war est sera es era será é foi è sono jest är
  olarak это c'est 是 为 為`.split(/\s+/),
);
const verbs =
  /^(?:is|was|ist|lautet|heißt|war|est|sera|es|era|será|é|foi|è|sono|jest|är|olarak|это|c'est)$/i;
const adverbs = /^(?:now|set|still|just|simply|currently|then|going|temporarily|again|always)$/i;
const changes = new Set(['set', 'changed', 'reset', 'updated', 'rotated']);
const changed = /\b(?:set|chang|reset|updat|rotat)\w{0,6}[^\n]{0,30}$/i;
const isChange = (text: string, at: number): boolean =>
  changed.test(text.slice(Math.max(0, at - 50), at));

export interface Word {
  readonly value: Value;
  /** How many words stand between. */
  readonly index: number;
  /** What links it to the keyword: "is", ":"; undefined for a word that only follows. */
  readonly linker: string | undefined;
}

/** "is" in the keyword's own language, where it means something else in English. */
const ownVerbs: readonly (readonly [RegExp, string])[] = [
  [/^(?:has[łl]|klucz)/i, 'to'],
  [/^salasan/i, 'on'],
  [/^parola$/i, 'este'],
  [/^(?:adgangskode|passord|kodeord)/i, 'er'],
  [/^(?:heslo|geslo|lozinka)/i, 'je'],
  [/^(?:sandi|kata)/i, 'adalah'],
];
const ownVerbOf = (keyword: string): string | undefined =>
  ownVerbs.find(([word]) => word.test(keyword))?.[1];

export const isVerb = (linker: string): boolean => verbs.test(linker);

/** The words of the line behind a keyword: the first few, each with the linking word before it. */
export function walkWords(
  scan: Scan,
  keywordAt: number,
  from: number,
  visit: (word: Word) => void,
): void {
  const { text } = scan;
  let at = from;
  let linker: string | undefined;
  const own = ownVerbOf(text.slice(keywordAt, from));
  let isChanged = false;
  for (let index = 0; index < MAX_WORDS; index += 1) {
    const start = endOfRun(text, at, blanks, at + 20);
    at = endOfWord(text, start);
    const raw = text.slice(start, at);
    if (raw === '' || raw.length > MAX_WORD) return;
    // A sign right behind the keyword makes an assignment, and is met as one.
    if (index === 0 && (/^["'`]?[:=,.;)\]}]/.test(raw) || !scan.mayLook('words', at, at + 100))) {
      return;
    }
    isChanged ||= changes.has(raw.toLowerCase());
    // "to" says what something is where something is changed: "set the password to ...".
    const mayLink = raw === 'to' || raw === 'from';
    if (
      linkers.has(raw.toLowerCase()) ||
      raw === own ||
      (mayLink && (isChanged || isChange(text, keywordAt)))
    ) {
      linker = raw;
      continue;
    }
    visit({ value: valueOf(text, start, at), index, linker });
    if (linker === 'from') linker = undefined;
    if (linker !== undefined && !adverbs.test(raw)) return;
    if (/[.!?;]$/.test(raw)) return;
    if (/[:=]$/.test(raw)) linker = ':';
  }
}

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from <= MAX_WORD && breaks[text.charCodeAt(at)] !== 1) at += 1;
  return at;
}

/** The word without quotation marks and what ends a sentence. */
function valueOf(text: string, start: number, end: number): Value {
  const isQuoted = /["'`“‘«「]/.test(text[start] ?? '');
  const quoted = isQuoted ? quotedValue(text, start) : undefined;
  if (quoted && quoted.end - start < MAX_WORD) return quoted;
  let from = start;
  while (from < end && /[("'`*“‘«「<]/.test(text[from] ?? '')) from += 1;
  let to = end;
  while (to > from && /[.,;:)"'`*”’»」>]/.test(text[to - 1] ?? '')) to -= 1;
  return { start: from, end: to, style: 'bare' };
}
