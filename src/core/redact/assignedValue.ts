import { charSet, codeAt } from './chars.js';
import type { Name } from './assignments.js';
import { isForeignPassword } from './names.js';
import { looksRandom } from './randomness.js';
import { isStrong, type Style } from './values.js';

const MAX_VALUE = 1024;

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly style: Style;
}

export const quotes = charSet('"\'`');
const otherQuotes = new Set(Array.from('“‘«「', (quote) => quote.charCodeAt(0)));
export const opensQuote = (code: number): boolean =>
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

export const isLineStart = (text: string, start: number): boolean =>
  lineStart.test(text.slice(Math.max(0, start - 90), start));

function isLine(text: string, { start }: Name, end: number): boolean {
  if (!/^[ \t]*(?:#.*|\/\/.*)?(?:\r?\n|$)/.test(text.slice(end, end + 120))) return false;
  if (/[;,{([]$/.test(text.slice(end - 1, end))) return false;
  return isLineStart(text, start) || label.test(text.slice(Math.max(0, start - 90), end));
}

/** `one-time password: 841973` */
const label = /(?:^|\n)[ \t]*(?:[-*] )?(?:[A-Za-z-]{2,20} ){1,3}[\w-]{2,40}: {1,8}[^\s=]{4,60}$/;
