import { charSet, codeAt, endOfRun, isSpace, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import {
  isForeignPassword,
  mayEndSecretName,
  queryNames,
  secretName,
  type SecretName,
} from './names.js';
import { BEHIND, SECRET, tailOf } from './nameTails.js';
import { looksRandom } from './randomness.js';
import type { Scan } from './scan.js';
import { isSecretNumber, isSecretValue, isStrong, type Style } from './values.js';

const nameChars = charSet('A-Za-z0-9_.-');
const blanks = charSet(' \t');
/** What may stand between a name and the sign: closing quotes, `]`, `?` of a type, `**` of Markdown. */
const closers = charSet('"\'`\\[]}?*!~:+>');
const MAX_NAME = 64;
const MAX_VALUE = 1024;

export interface Name {
  readonly name: string;
  readonly start: number;
  /** What its end can mean: `tailOf`. */
  readonly tail: number;
  /** Whether a quotation mark ends it. */
  readonly quoted: boolean;
}

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly style: Style;
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

const quotes = charSet('"\'`');
const otherQuotes = new Set(Array.from('“‘«「', (quote) => quote.charCodeAt(0)));
const opensQuote = (code: number): boolean =>
  code < 128 ? quotes[code] === 1 : otherQuotes.has(code);

const closing = new Map([
  ['“', '”'],
  ['‘', '’'],
  ['«', '»'],
  ['「', '」'],
]);

/** The value behind a sign, without quotation marks and what code puts in front of them. */
export function valueAfter(text: string, from: number, name?: Name): Value | undefined {
  const prefix =
    /[=:>~]{0,3}[ \t*]{0,40}(?:!![a-z]{3,6} |[|>][+-]?\r?\n[ \t]{1,40})?(?:[brufN@$]{1,2}(?=["'])|\\(?=["'])|\[\s{0,10}(?=["'`])|qq?\{(?=[^{}]{4,80}\}))?(?:"""|''')?/y;
  prefix.lastIndex = from;
  const start = from + (prefix.exec(text)?.[0].length ?? 0);
  if (opensQuote(codeAt(text, start))) {
    return quotedValue(text, start) ?? bareValue(text, start + 1, undefined);
  }
  const wrapped = wrappedValue(text, start);
  if (wrapped) return wrapped;
  return bareValue(text, start, name);
}

/** `Some("x")`, `Buffer.from("x", "hex")`, `<code>x</code>`: where a name of something could stand, it has to look like more. */
function wrappedValue(text: string, start: number): Value | undefined {
  if (wrapperStarts[codeAt(text, start)] !== 1) return undefined;
  wrapper.lastIndex = start;
  const length = wrapper.exec(text)?.[0].length;
  if (length === undefined) return undefined;
  const value =
    text[start] === '<' ? upToTag(text, start + length) : quotedValue(text, start + length);
  if (!value) return undefined;
  const content = text.slice(value.start, value.end);
  // `querySelector("#password2")`
  if (/^[#.][A-Za-z][\w-]*$/.test(content)) return undefined;
  return looksRandom(content) || isStrong(content) ? value : undefined;
}

const wrapperStarts = charSet('A-Za-z<&[');
const wrapper =
  /(?:&?(?:new )?[A-Za-z][\w.:]{0,40}(?:<\w{1,20}>)?|\[\]byte)\(\s{0,4}[brufN@]{0,2}(?=["'`])|<(?:code|b|strong|span|kbd|samp|tt|em|i)(?: [^<>\n]{0,60})?>/y;

function upToTag(text: string, start: number): Value | undefined {
  const length = text.slice(start, start + 400).search(/[\s<]/);
  return length > 0 && text[start + length] === '<'
    ? { start, end: start + length, style: 'quoted' }
    : undefined;
}

export function quotedValue(text: string, at: number): Value | undefined {
  const quote = text[at] ?? '';
  const close = closing.get(quote) ?? quote;
  const stop = Math.min(text.length, at + 1 + MAX_VALUE);
  for (let end = at + 1; end < stop; end += 1) {
    const char = text[end];
    if (char === close) {
      const isEscaped = text[end - 1] === '\\';
      return { start: at + 1, end: isEscaped ? end - 1 : end, style: 'quoted' };
    }
    if (char === '\n') return undefined;
  }
  return undefined;
}

const bareStops = charSet(' \t\r\n"\'`<');

function bareValue(text: string, start: number, name: Name | undefined): Value | undefined {
  let end = start;
  const stop = Math.min(text.length, start + MAX_VALUE);
  while (end < stop && bareStops[text.charCodeAt(end)] !== 1) end += 1;
  if (end === start) return undefined;
  if (name && (isLine(text, name, end) || isInList(text, name))) {
    return lineValue(text, start, end);
  }
  // A shell's variable stands among other words, and its value is data all the same.
  const isVariable =
    name !== undefined &&
    text[start - 1] === '=' &&
    (/^[A-Z][A-Z0-9_]{2,}$/.test(name.name) || name.name.startsWith('--'));
  const isForeign = name !== undefined && isForeignPassword(name.name);
  const previous = name ? text[name.start - 1] : undefined;
  const isParameter = text[start - 1] === '=' && (previous === '?' || previous === '&');
  // In quotation marks that hold the name too, it is data up to where they end.
  if (name && /["']/.test(text[end] ?? '') && text[start - 1] === '=') {
    const cut = firstCut(text, start, end, previous === '?' || previous === '&');
    return cut === start ? undefined : { start, end: cut, style: 'line' };
  }
  end = firstCut(text, start, end, previous === '?' || previous === '&');
  while (end > start && trailers[text.charCodeAt(end - 1)] === 1) end -= 1;
  return end === start
    ? undefined
    : { start, end, style: isVariable || isParameter || isForeign ? 'line' : 'bare' };
}

/** All of it, or up to the next pair of a connection string. */
function lineValue(text: string, start: number, end: number): Value | undefined {
  const cut = text.slice(start, end).search(/;(?=\s*$|[\w ]{1,40}=)/);
  const stop = cut < 0 ? end : start + cut;
  return stop === start ? undefined : { start, end: stop, style: 'line' };
}

/** `Server=x;User Id=y;Password=z`, `user=y password=z`: between pairs everything is data. */
function isInList(text: string, { start }: Name): boolean {
  const before = text[start - 1];
  if (before === ';' || text[start - 2] === ';') {
    return /[\w ]{2,30}=[^;=\s]{1,80};\s?$/.test(text.slice(Math.max(0, start - 120), start));
  }
  if (before !== ' ') return false;
  return /(?:^|[\s"'`])[a-z][\w.]{1,30}=[^\s=,;:'"(){}[\]]{1,60} $/.test(
    text.slice(Math.max(0, start - 96), start),
  );
}

const trailers = charSet('.,;:)]}|');
const nextPair = /,[\w.-]{1,40}[=:]/y;

/** Where the next parameter of a query, a connection string or a list begins. */
function firstCut(text: string, start: number, end: number, isQuery: boolean): number {
  for (let at = start; at < end; at += 1) {
    const char = text[at];
    if (char === '&' || char === (isQuery ? '#' : ';')) return at;
    if (char === '\\' && /[nrt"]/.test(text[at + 1] ?? '')) return at;
    nextPair.lastIndex = at;
    if (char === ',' && nextPair.test(text)) return at;
  }
  return end;
}

/** Line numbers, diff signs, list marks, comment signs and `export` may come before a line's name. */
const lineStart =
  /(?:^|\n)[ \t]*(?:\d{1,6}[ \t:|→]{1,4})?[ \t]*(?:[-+*#;>]|\/\/)?[ \t]*(?:(?:export|set|setx|declare|readonly|ENV|ARG|env|let|local|-e|--env|[a-z]:)[ \t]+)?(?:\$env:|[\w.-]{0,60}[:/.]|Environment=)?["']?$/;

const isLineStart = (text: string, start: number): boolean =>
  lineStart.test(text.slice(Math.max(0, start - 90), start));

function isLine(text: string, { start }: Name, end: number): boolean {
  if (!/^[ \t]*(?:#.*|\/\/.*)?(?:\r?\n|$)/.test(text.slice(end, end + 120))) return false;
  if (/[;,{([]$/.test(text.slice(end - 1, end))) return false;
  return isLineStart(text, start) || label.test(text.slice(Math.max(0, start - 90), end));
}

/** `one-time password: 841973` */
const label = /(?:^|\n)[ \t]*(?:[-*] )?(?:[A-Za-z-]{2,20} ){1,3}[\w-]{2,40}: {1,8}[^\s=]{4,60}$/;
