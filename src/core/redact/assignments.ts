import {
  isLineStart,
  opensQuote,
  quotedValue,
  quotes,
  valueAfter,
  type Value,
} from './assignedValue.js';
import { charSet, codeAt, endOfRun, isSpace, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import { mayEndSecretName, queryNames, secretName, type SecretName } from './names.js';
import { BEHIND, SECRET, tailOf } from './nameTails.js';
import { looksRandom } from './randomness.js';
import type { Scan } from './scan.js';
import { isSecretNumber, isSecretValue, isStrong } from './values.js';

const nameChars = charSet('A-Za-z0-9_.-');
const blanks = charSet(' \t');
/** What may stand between a name and the sign: closing quotes, `]`, `?` of a type, `**` of Markdown. */
const closers = charSet('"\'`\\[]}?*!~:+>');
const MAX_NAME = 64;

export interface Name {
  readonly name: string;
  readonly start: number;
  /** What its end can mean: `tailOf`. */
  readonly tail: number;
  /** Whether a quotation mark ends it. */
  readonly quoted: boolean;
}

/** `NAME=value`, `name: value`, `"name": "value"`, `name := value`, `?name=value&`, at the sign. */
export function detectAssignment(scan: Scan, at: number, before: Name): void {
  // What a cloud calls its things: `arn:aws:...:123456789012:secret:name`.
  if (
    scan.text[before.start - 1] === ':' &&
    /:\d{12}:$/.test(scan.text.slice(Math.max(0, before.start - 14), before.start))
  ) {
    return;
  }
  const found = meaningOf(scan, before) ?? variableMeaning(scan, at, before);
  if (!found || !scan.mayLook('value', at, at + 64)) return;
  const value = valueAfter(scan.text, at + 1, before);
  if (!value) return;
  scan.lookedTo('value', value.end);
  if (isNumberSecret(scan, before, found, value)) {
    scan.add(found.kind, value.start, value.end, Rank.name);
  } else addIfSecret(scan, found, value);
  addPhrase(scan, at, found);
  if (value.style === 'quoted') addItems(scan, found, value);
}

const phrase = /[ \t]{1,8}((?:[a-z]{3,10} ){3,7}[a-z]{3,10})[ \t]{0,8}(?=\r?\n|$)/y;

/** `passphrase: correct horse battery staple`, all of a line. */
function addPhrase(scan: Scan, at: number, found: SecretName): void {
  if (found.sort !== 'password') return;
  const content = scan.match(phrase, at + 1)?.[1];
  if (content === undefined || !isSecretValue(content, found.sort, 'line', scan.lane)) return;
  scan.addMatch(found.kind, phrase, at + 1, Rank.name);
}

const MAX_ITEMS = 30;
const nextItem = /["'`]\s{0,4},\s{0,60}(?=["'`])/y;

/** `"tokens": ["...", "..."]`: what follows the first. */
function addItems(scan: Scan, found: SecretName, first: Value): void {
  const { text } = scan;
  if (!/\[\s{0,40}["'`]$/.test(text.slice(Math.max(0, first.start - 42), first.start))) return;
  // `"auth": ["user", "password"]`
  const meaning: SecretName =
    scan.lane === 'share' && !looksRandom(text.slice(first.start, first.end))
      ? { ...found, sort: 'password' }
      : found;
  let last = first;
  for (let count = 0; count < MAX_ITEMS; count += 1) {
    const match = scan.match(nextItem, last.end);
    const item = match && quotedValue(text, last.end + match[0].length);
    if (!item) return;
    addIfSecret(scan, meaning, item);
    last = item;
  }
}

/** `"password": 48291073`: in JSON a number is data, as a text is. */
const isNumberSecret = (
  { text, lane }: Scan,
  { name, quoted }: Name,
  { sort }: SecretName,
  { start, end }: Value,
): boolean => quoted && isSecretNumber(text.slice(start, end), name, sort, lane);

/** `"name", "value"` of calls and tuples, `name("value")`, at the comma or the parenthesis. */
export function detectArgument(scan: Scan, at: number): void {
  const { text } = scan;
  const first = endOfRun(text, at + 1, blanks, at + 24);
  if (!opensQuote(codeAt(text, first))) return;
  const before = nameBefore(text, at);
  const isCall = text[at] === '(';
  if (!before || before.quoted === isCall || (before.tail & SECRET) === 0) return;
  const found = secretName(before.name);
  if (!found || (isCall && getters.test(before.name))) return;
  // `"NAME", "\"value\""` without its escapes.
  const quote = /["']\w/.test(text.slice(first + 1, first + 3)) ? first + 1 : first;
  const value = quotedValue(text, quote);
  if (!value) return;
  const content = text.slice(value.start, value.end);
  // The arguments of `getToken("name")` and `["password", "text"]` are names more often than secrets.
  const isVariable = !isCall && found.sort === 'password' && /[._-]|^[A-Z\d]+$/.test(before.name);
  if (isVariable || isSureArgument(scan, content)) addIfSecret(scan, found, value);
}

/** Are called with the name of what they are to find. */
const getters =
  /(?:^|[._])(?:get|fetch|read|load|find|lookup|validate|verify|check|is|has|parse|describe|test|it)(?=[A-Z_]|$)/;

export const isSureArgument = ({ lane }: Scan, content: string): boolean =>
  looksRandom(content) || (isStrong(content) && (lane === 'share' || /[!@#$%^&*?]/.test(content)));

/** Adds the value when it can be what the name promises; an authorization scheme in front stays. */
export function addIfSecret(scan: Scan, { sort, kind }: SecretName, value: Value): void {
  const { text, lane } = scan;
  const start = value.start + schemeLength(text.slice(value.start, value.start + 40));
  const content = text.slice(start, value.end);
  if (isSecretValue(content, sort, value.style, lane)) scan.add(kind, start, value.end, Rank.name);
}

const scheme =
  /^(?:Bearer|Basic|Token|ApiKey|Api-Key|Key|Bot|Splunk|SSWS|OAuth|GenieKey|JWT|[A-Z][A-Za-z]{2,20}-(?:Key|Token|API-Key)|[A-Z][a-z]+-oauthtoken)[ =]+/i;
const schemeLength = (text: string): number => scheme.exec(text)?.[0].length ?? 0;

function meaningOf({ text, lane }: Scan, before: Name): SecretName | undefined {
  const found = (before.tail & SECRET) === 0 ? undefined : secretName(before.name);
  if (found) return found;
  if (before.name === 'key' && lane === 'share' && !text.startsWith('did:', before.start - 4)) {
    return spokenName(text, before) ?? keyOf(text, before);
  }
  const previous = text[before.start - 1];
  if (previous === '?' || previous === '&' || previous === ';') {
    const last = before.name.toLowerCase().split(/[-_.]/).at(-1) ?? '';
    return queryNames.has(last) ? { sort: 'key', kind: 'url-signature' } : undefined;
  }
  if ((previous !== ' ' && previous !== '-') || (before.tail & BEHIND) === 0) return undefined;
  return spokenName(text, before);
}

/** "API key: ...", "recovery phrase: ...", "Unseal Key 1: ..." */
function spokenName(text: string, before: Name): SecretName | undefined {
  const words = /(?:[A-Za-z]{2,20}[ -]){1,2}$/.exec(
    text.slice(Math.max(0, before.start - 42), before.start),
  )?.[0];
  return words === undefined ? undefined : secretName(`${words}${before.name}`);
}

/** `encryption:` and below it `key: ...`, `"username": "ann", "key": "..."`; else only what is like nothing else. */
function keyOf(text: string, { start }: Name): SecretName {
  const before = text.slice(Math.max(0, start - 120), start);
  const [, block = '', gap = ''] =
    /([\w.-]{2,40})["']?:[ \t]{0,8}\{?\s{0,4}\n([ \t]{1,24})["']?$/.exec(before) ?? [];
  const owner =
    gap === ''
      ? (/([\w.-]{2,40})["']?\s{0,2}:\s{0,2}\{\s{0,8}["']?$/.exec(before)?.[1] ?? '')
      : block;
  if (owner !== '' && secretName(`${owner} key`)) return { sort: 'token', kind: 'key' };
  if (/encrypt/i.test(block)) return { sort: 'token', kind: 'key' };
  const isWithUser =
    /["']?user(?:name)?["']?\s{0,3}[:=]\s{0,3}["'][^"'\n]{1,60}["'],\s{0,8}["']?$/.test(before);
  return { sort: isWithUser ? 'token' : 'blob', kind: 'key' };
}

/** The name that is given a value at the sign; in `apiKey: string = "..."` the one before the type. */
export function nameAt(text: string, at: number): Name | undefined {
  const before = nameBefore(text, at);
  if (codeAt(text, at) !== EQUALS || isSecretName(before)) return before;
  const type = startOfType(text, at);
  const typed = type === undefined ? undefined : nameBefore(text, type);
  return isSecretName(typed) ? typed : before;
}

const isSecretName = (name: Name | undefined): boolean =>
  name !== undefined && (name.tail & SECRET) !== 0 && secretName(name.name) !== undefined;

/** Where the colon of a type stands that ends before the sign: `: string `, `: &str`. */
function startOfType(text: string, at: number): number | undefined {
  const end = startOfSpaces(text, at);
  const start = startOfRun(text, end, typeChars, end - 42);
  if (start === end || end - start > 41 || letters[codeAt(text, start)] !== 1) return undefined;
  const colon = startOfSpaces(text, text[start - 1] === '&' ? start - 1 : start) - 1;
  return codeAt(text, colon) === COLON ? colon : undefined;
}

const typeChars = charSet('A-Za-z0-9_<>[]|.?');
const letters = charSet('A-Za-z');
const COLON = 58;
const EQUALS = 61;

/** Of at most four spaces or line breaks. */
function startOfSpaces(text: string, end: number): number {
  let at = end;
  while (at > end - 4 && isSpace(codeAt(text, at - 1))) at -= 1;
  return at;
}

/** Names of variables whose random values are no secrets. */
const openVariable =
  /(?:^|_)(?:PUBLIC|PUB|PUBLISHABLE|SITE|IDS?|UUID|SHA\d*|HASH|COMMIT|REV|REVISION|BUILD|VERSION|DIGEST|INTEGRITY|CHECKSUM|CERT|CERTIFICATE|CA|FINGERPRINT|URL|URI|ETAG|NAME|NONCE|IV|CACHE|IMAGE|TAG|ICON|LOGO|PNG|SVG|WASM|ADDRESS|HOST|PATH|SIGNATURE|CURSOR|DATA|BASE64)(?:_|$)/;

/** In settings (`NAME=value` at the start of a line) a random value is a secret whatever its name. */
function variableMeaning(scan: Scan, at: number, { name, start }: Name): SecretName | undefined {
  const { text, lane } = scan;
  if (lane === 'save' || text[at] !== '=' || text[at - 1] === ' ' || openVariable.test(name)) {
    return undefined;
  }
  const isVariable = /^[A-Z][A-Z0-9_]{3,}$/.test(name) && isLineStart(text, start);
  return isVariable ? { sort: 'blob', kind: 'secret' } : undefined;
}

function nameBefore(text: string, at: number): Name | undefined {
  let end = startOfRun(text, at, blanks, at - 40);
  let quoted = false;
  for (let skipped = 0; skipped < 4; skipped += 1) {
    const code = codeAt(text, end - 1);
    if (closers[code] !== 1) break;
    quoted ||= quotes[code] === 1;
    end = startOfRun(text, end - 1, blanks, end - 40);
  }
  if (!mayEndSecretName(text, end)) return undefined;
  let start = startOfRun(text, end, nameChars, end - MAX_NAME);
  // Names in other scripts are short; only they need the slower look.
  while (start > 0 && end - start < MAX_NAME && isNameLetter(codeAt(text, start - 1))) {
    start -= 1;
  }
  if (end - start < 2 || (end - start >= MAX_NAME && nameChars[codeAt(text, start - 1)] === 1)) {
    return undefined;
  }
  const tail = tailOf(text, start, end);
  if (tail === 0 && !mayBeVariable(text, start, at)) return undefined;
  return { name: text.slice(start, end), start, tail, quoted };
}

/** `NAME=`: its value can be a secret whatever the name says. */
function mayBeVariable(text: string, start: number, at: number): boolean {
  const first = codeAt(text, start);
  return first > 64 && first < 91 && codeAt(text, at) === EQUALS && text[at - 1] !== ' ';
}

/** Also Latin letters with accents, Cyrillic. */
const isNameLetter = (code: number): boolean =>
  nameChars[code] === 1 || (code >= 0xc0 && code < 0x530);
