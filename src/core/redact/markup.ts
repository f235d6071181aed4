import { valueAfter, type Value } from './assignedValue.js';
import { addIfSecret, type Name } from './assignments.js';
import { charSet, codeAt, endOfRun, isSpace, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import { secretName } from './names.js';
import { SECRET, tailOf } from './nameTails.js';
import type { Scan } from './scan.js';

/** `<password>...</password>`, `<entry key="password">...`, `<key>password</key><string>...`, at the `>`. */
export function detectElement(scan: Scan, at: number): void {
  const { text, lessAt } = scan;
  if (lessAt < 0 || at - lessAt > 120 || letters[codeAt(text, lessAt + 1)] !== 1) return;
  // Nearly all elements are named by a word of their own that is no secret's.
  const nameEnd = endOfRun(text, lessAt + 1, tagChars, at);
  const maySay = (tailOf(text, lessAt + 1, nameEnd) & SECRET) !== 0;
  if (nameEnd === at && !maySay && !isNeutral(text, lessAt + 1, at)) return;
  const tag = text.slice(lessAt + 1, at);
  const found = secretName(elementName(tag, text.slice(Math.max(0, at - 160), lessAt)));
  if (!found) return;
  const close = text.indexOf('<', at + 1);
  if (close < 0 || close - at > 1000) return;
  const content = text.slice(at + 1, close);
  const inner = content
    .trim()
    .replace(/^<!\[CDATA\[|\]\]$|^\{(?=[\w+/=]{20,}\}$)|(?<=^\{[\w+/=]{20,1000})\}$/g, '');
  const start = at + 1 + content.indexOf(inner);
  if (inner !== '') addIfSecret(scan, found, { start, end: start + inner.length, style: 'quoted' });
}

const letters = charSet('A-Za-z');
const tagChars = charSet('A-Za-z0-9_.:-');
const neutral = /^(?:string|value|val|data|text|str|v)$/i;

/** Whether the name of an element says nothing of what is in it, and another element stands before it. */
function isNeutral(text: string, start: number, end: number): boolean {
  if (end - start > 6 || !neutral.test(text.slice(start, end))) return false;
  let at = start - 1;
  const low = Math.max(0, at - 40);
  while (at > low && isSpace(text.charCodeAt(at - 1))) at -= 1;
  return text[at - 1] === '>';
}

function elementName(tag: string, before: string): string {
  const attribute = /\s(?:name|key|id|property|Name|Key)=["']([\w. -]{2,64})["']/.exec(tag)?.[1];
  if (attribute !== undefined) return attribute;
  const name = /^[\w.:-]+/.exec(tag)?.[0] ?? '';
  if (!neutral.test(name)) return name;
  return (
    /<(?:key|name|Key|Name|k|string)>([\w. -]{2,64})<\/\w+>\s{0,40}$/.exec(before)?.[1] ??
    /<\w{1,20}(?: [^<>]{0,60})? (?:name|key|id)="([\w. -]{2,64})"[^<>]{0,60}>\s{0,40}$/.exec(
      before,
    )?.[1] ??
    /<([\w.-]{2,64})>\s{0,40}$/.exec(before)?.[1] ??
    ''
  );
}

const named =
  /(?:name|key|id|type|field|property|parameter|param|label|variable|secret|env|header|ParameterKey|OptionName)["']?\s{0,4}(?:[=:]\s{0,4}|(?=["']))["']?([\w. /-]{2,64}?)["']?[\s,;>{]{1,40}(?:["']?[\w-]{1,24}["']?\s{0,12}[=:]\s{0,12}["']?[\w./ -]{0,40}["']?[\s,;]{1,40}){0,3}(?:-\s)?["']?$/iy;
const nameWords =
  /(?<![A-Za-z])(?:name|key|id|type|field|property|parameter|param|label|variable|secret|env|header|ParameterKey|OptionName)(?![a-z])/gi;

/** `name: DB_PASSWORD` / `value: ...` in one element, object or block, at the sign behind `value`. */
export function detectNamedValue(scan: Scan, at: number, value: Name): void {
  const content = valueAfter(scan.text, at + 1, value);
  if (!content || isTooPlain(scan.text, content)) return;
  const before = scan.text.slice(Math.max(0, value.start - 200), value.start);
  const name =
    nameIn(before) ??
    blockAround(before) ??
    /["']?([\w.-]{2,64})["']?\s{0,4}:\s{0,4}\{[^{}]{0,120}$/.exec(before)?.[1] ??
    /(password)[^\n]{0,60}\n?\s{0,4}New $/i.exec(before)?.[1];
  const behind = name ?? nameBehind(scan.text, content.end);
  const found = behind === undefined ? undefined : secretName(behind);
  if (found) addIfSecret(scan, found, content);
  else if (inStore.test(before)) {
    addIfSecret(scan, { sort: 'password', kind: 'secret' }, content);
  } else if (wholeKey.test(scan.text.slice(content.start, content.end))) {
    scan.add('key', content.start, content.end, Rank.name);
  }
}

/** No secret whatever it is called: a short word of code, before all that is told of it is read. */
function isTooPlain(text: string, { start, end, style }: Value): boolean {
  if (end - start < 4) return true;
  return style === 'bare' && end - start < 8 && endOfRun(text, start, letters, end) === end;
}

/** What stands in a store of secrets (`https://x.vault.azure.net/secrets/db`), or is drawn as a password. */
const inStore =
  /\/secrets\/[\w-]{1,80}(?:\/[\w-]{1,60})?["'][^]{0,100}$|"random_(?:password|string|bytes)"[^]{0,160}$/;
/** 64 bytes in base64, with nothing around that says what of. */
const wholeKey = /^(?=[^+/]{0,60}[+/])[A-Za-z0-9+/]{86}==?$/;

/** `"value": "x", "name": "TOKEN"`, `SET value = 'x' WHERE name = 'token'`. */
function nameBehind(text: string, end: number): string | undefined {
  const name =
    /["'\s,}]{1,40}(?:where\s{1,4}|and\s{1,4})?["'`]?(?:name|key|id|label|variable|setting|option|config_?key|option_name)["'`]?\s{0,4}[=:]\s{0,4}["']([\w. -]{2,64})["']/iy;
  name.lastIndex = end;
  return name.exec(text)?.[1];
}

/** The name of the block that a value lies in: `DbPassword:` some lines above `Default: ...`. */
function blockAround(before: string): string | undefined {
  const lines = before.split('\n');
  const indent = lines.pop()?.length ?? 0;
  if (indent === 0) return undefined;
  for (const line of lines.reverse().slice(0, 6)) {
    const [, blanks = '', name] = /^([ \t]*)["']?([\w.-]{2,64})["']?:[ \t]*\{?$/.exec(line) ?? [];
    if (name !== undefined && blanks.length < indent) return name;
  }
  return undefined;
}

/** Of the words that can introduce it, the first behind which it is the name of a secret. */
function nameIn(before: string): string | undefined {
  for (const word of before.matchAll(nameWords)) {
    named.lastIndex = word.index;
    const name = named.exec(before)?.[1];
    if (name !== undefined && secretName(name)) return name;
  }
  return undefined;
}

/** `| DB_PASSWORD | hunter2 |`: a row of a table, at the bar between the two. */
export function detectCell(scan: Scan, at: number): void {
  const { text } = scan;
  if (!mayEndCell(text, at)) return;
  const before = /[|│]\s{1,20}[`*"]{0,2}([\w. -]{2,64}?)[`*"]{0,2}\s{1,40}$/.exec(
    text.slice(Math.max(0, at - 100), at),
  )?.[1];
  const found = before === undefined ? undefined : secretName(before);
  if (!found) return;
  const cell = /[|│]\s{1,40}(`?)([^|│\s`]{4,400})\1\s{1,60}[|│]/y;
  const match = scan.match(cell, at);
  const content = match?.[2];
  if (!match || content === undefined) return;
  const start = at + match[0].indexOf(content);
  addIfSecret(scan, found, { start, end: start + content.length, style: 'quoted' });
}

const cellSigns = charSet('`*"');

/** Blanks, signs of Markdown, and before them what can be the end of a secret's name. */
function mayEndCell(text: string, at: number): boolean {
  const low = Math.max(0, at - 100);
  let end = at;
  while (end > low && isSpace(text.charCodeAt(end - 1))) end -= 1;
  if (end === at || end === low) return false;
  end = startOfRun(text, end, cellSigns, end - 2);
  return (tailOf(text, startOfRun(text, end, cellChars, low), end) & SECRET) !== 0;
}

const cellChars = charSet('A-Za-z0-9_. -');
