import { codeAt } from './chars.js';
import { quotedValue, type Value } from './assignedValue.js';
import { addIfSecret, isSureArgument } from './assignments.js';
import { detectAnswer } from './below.js';
import { detectColumn } from './columns.js';
import { secretName, type SecretName } from './names.js';
import { readsAsPassword } from './passwordLook.js';
import { looksRandom } from './randomness.js';
import type { Scan } from './scan.js';

/** `process.env.NAME || "x"`, `ENV["NAME"] ?? "x"`, `environ.get('NAME') or 'x'`. */
const otherwise = /["'`]?[)\]}]{0,2}\s{0,4}(?:\|\||\?\?=?|\?:|or|else|\/\/=?|\{)\s{1,4}(?=["'`])/y;
/** `{ get; set; } = "x"` of C#, `${NAME:-x}` of shells. */
const accessors =
  /\s{0,4}\{\s{0,4}(?:(?:private|protected|internal)?\s{0,4}(?:get|set|init);\s{0,4}){1,2}\}\s{0,4}=\s{0,4}(?=")/y;
/** "`NAME` is `x`", "Set `NAME` to `x`" */
const told =
  /[`"'*]{1,3}\s(?:(?:is|to|as|are|was|now|with|equals|should|be|->|→|=>)\s){1,2}(?:[`"'*]{1,3}|(?=[^\s`"'*]{12}))([^\s`"'*]{4,400})/y;
/** `<td>name</td><td>x</td>`, `<dt>name</dt><dd>x</dd>` */
const cell =
  /:?<\/(?:t[dh]|dt|th|b|strong|label|span)>:?\s{0,40}<(?:t[dh]|dd|code|span|kbd|samp|b|i)(?: [^<>\n]{0,60})?>(?:<(?:code|b|span|kbd)>)?([^<>\s]{4,400})</y;
/** `Name    REG_SZ    x` of the registry, `/v Name /t REG_SZ /d "x"`. */
const registry =
  /\s{1,40}(?:REG_\w{2,9}\s{1,12}|\/t\s{1,4}\w{2,12}\s{1,4}\/d\s{1,4}"?)([^\s"]{4,400})/y;
/** `#define NAME "x"`, `"NAME" "x"`. */
const besides = /["'`]?[ \t]{1,40}(?=["'])/y;
/** Under `Name  Value` and its rule of dashes, and wherever columns stand apart. */
const column = /["'`]?(?:[ \t]{2,60}|[ \t]{0,8}\t[ \t]{0,8})([^\s|]{6,400})[ \t]{0,40}(?=\r?\n|$)/y;
/** `fill("#password", ...)` of drivers of browsers: what is typed into the field of that name. */
const typed =
  /["'`\]]{1,3}\s{0,2}\)\s{0,4}\.(?:fill|type|send_keys|sendKeys|setValue|set_value|typeText|pressSequentially|enter|clear\(\)\.type)\(\s{0,4}["'`]([^"'`\n]{4,200})(?=["'`])/y;
/** The answer of Redis: the name, then its value, in a numbered list. */
const numbered = /"\r?\n[ \t]{0,8}\d{1,2}\) "([^"\n]{4,400})(?=")/y;
const form = /"\r?\n(?:[\w-]{2,40}:[^\n]{0,200}\r?\n){0,3}\r?\n([^\r\n]{4,300})/y;

/** At the end of the name of a secret, where no sign gives it a value: what follows in another way. */
export function detectAfterName(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  if (isAssignment(text, end)) return;
  const found = secretName(text.slice(start, end));
  if (!found || !scan.mayLook('after', start, end + 20)) return;
  const code = codeAt(text, end);
  if (code === LF || code === CR) {
    detectAnswer(scan, found, end);
    if (isHeadStart(text, start)) detectColumn(scan, start);
    return;
  }
  if (isSeparator[code] === 1 || endsCell(text, start, end)) detectColumn(scan, start);
  const fallback = scan.match(otherwise, end) ?? scan.match(accessors, end);
  if (fallback) {
    add(scan, found, quotedValue(text, end + fallback[0].length));
    return;
  }
  detectGroup(
    scan,
    found,
    end,
    told,
    (content) => looksRandom(content) || readsAsPassword(content),
  );
  detectGroup(scan, found, end, cell);
  detectGroup(scan, found, end, typed);
  detectGroup(scan, found, end, registry);
  if (code === QUOTE) {
    detectGroup(scan, found, end, form);
    detectGroup(scan, found, end, numbered);
  }
  detectBeside(scan, found, start, end);
  detectGroup(
    scan,
    found,
    end,
    column,
    (content) => looksRandom(content) || readsAsPassword(content),
  );
}

const LF = 10;
const CR = 13;
const QUOTE = 34;
const isSeparator = new Uint8Array(128);
for (const sign of '\t|,;"`') isSeparator[sign.charCodeAt(0)] = 1;

/** `"name": x` and `name = x` are met at their signs. */
function isAssignment(text: string, end: number): boolean {
  const after = codeAt(text, end + 1);
  return after === COLON || (after === EQUALS && codeAt(text, end) !== LF);
}

const COLON = 58;
const EQUALS = 61;

/** Before a bar, or last in a line that has some. */
const endsCell = (text: string, start: number, end: number): boolean =>
  /^ {1,40}(?:[|│]|\r?\n)/.test(text.slice(end, end + 44)) &&
  (isHeadStart(text, start) || !/^ {1,40}\r?\n/.test(text.slice(end, end + 44)));
const isHeadStart = (text: string, start: number): boolean =>
  /[\t|│,;"`]\s{0,40}$/.test(text.slice(Math.max(0, start - 42), start));

function detectGroup(
  scan: Scan,
  found: SecretName,
  end: number,
  pattern: RegExp,
  isSure: (content: string) => boolean = () => true,
): void {
  const match = scan.match(pattern, end);
  const content = match?.[1];
  if (!match || content === undefined || !isSure(content)) return;
  const close = end + match[0].lastIndexOf(content) + content.length;
  add(scan, found, { start: close - content.length, end: close, style: 'quoted' });
}

function detectBeside(scan: Scan, found: SecretName, start: number, end: number): void {
  const { text } = scan;
  const match = scan.match(besides, end);
  const value = match && quotedValue(text, end + match[0].length);
  if (!value) return;
  const isDefined = /(?:#\s{0,4}define|const|setenv)\s{1,8}$/.test(
    text.slice(Math.max(0, start - 20), start),
  );
  if (isDefined || isSureArgument(scan, text.slice(value.start, value.end))) {
    add(scan, found, value);
  }
}

function add(scan: Scan, found: SecretName, value: Value | undefined): void {
  if (value) addIfSecret(scan, found, value);
}
