import { detectAfterName } from './afterName.js';
import { detectArgument, detectAssignment, nameAt } from './assignments.js';
import { azureOpeners } from './azureKeys.js';
import { detectBase64 } from './base64Runs.js';
import { detectBelow } from './below.js';
import { blockOpeners, detectBlock } from './blocks.js';
import { base64Url, charSet, codeAt, endOfRun, word } from './chars.js';
import { callOpeners, detectHereString, detectSignIn } from './calls.js';
import { commandOpeners, detectFlag, detectQuotedFlag } from './commands.js';
import type { Lane, RankedFinding } from './finding.js';
import { detectCrypt, hashOpeners } from './hashes.js';
import { detectCustomHeader, headerOpeners } from './headers.js';
import { manifestOpeners } from './manifests.js';
import { detectCell, detectElement, detectNamedValue } from './markup.js';
import { cardOpeners } from './cards.js';
import { detectVariable } from './envVariables.js';
import { detectGroups, groupedOpeners } from './grouped.js';
import { isValueName, mayEndSecretName } from './names.js';
import { OTHER, SECRET, tailOf } from './nameTails.js';
import { detectNearby } from './nearby.js';
import { detectPair, detectRun } from './pairs.js';
import { printedOpeners } from './printed.js';
import { directiveOpeners } from './directives.js';
import { detectForeign, mayBeForeign, phraseOpeners } from './phrases.js';
import { detectNamed, proseOpeners } from './prose.js';
import { detectSurely, proximityOpeners } from './proximity.js';
import { OpenerTable, Scan } from './scan.js';
import { detectTilde, shapeOpeners } from './shapes.js';
import { lockedOpeners } from './lockedWith.js';
import { detectMarked } from './tokens.js';
import { sqlOpeners } from './sql.js';
import { detectSpaced } from './spaced.js';
import { detectUrl } from './urls.js';
import { vendorOpeners } from './vendorTokens.js';

const table = new OpenerTable([
  ...vendorOpeners,
  ...azureOpeners,
  ...shapeOpeners,
  ...blockOpeners,
  ...hashOpeners,
  ...headerOpeners,
  ...callOpeners,
  ...commandOpeners,
  ...manifestOpeners,
  ...proseOpeners,
  ...directiveOpeners,
  ...phraseOpeners,
  ...printedOpeners,
  ...sqlOpeners,
  ...proximityOpeners,
  ...lockedOpeners,
  ...groupedOpeners,
  ...cardOpeners,
]);

const NOTHING = 0;
const WORD = 1;
const SIGN = 2;
const ESCAPE = 3;

const charTypes = new Uint8Array(128);
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_') {
  charTypes[char.charCodeAt(0)] = WORD;
}
for (const char of '=:,(|>-$~<"\'') charTypes[char.charCodeAt(0)] = SIGN;
charTypes['\\'.charCodeAt(0)] = ESCAPE;
/** What may stand behind a name that is worth a look; assignments are met at their signs. */
const endsName = new Uint8Array(128);
for (const char of ' \t\r\n"\'`)]}*|,;<{') endsName[char.charCodeAt(0)] = 1;

/** Characters between two looks at the clock. */
export const STRIDE = 8192;
const MIN_RUN = 22;
const MAX_NAME = 48;

/** What boxes are drawn with. */
const BAR = 0x2502;
const isEscape = charSet('nrtbf');

export interface Clock {
  /** Throws `OutOfTime` when the time is used up. */
  check(): void;
}

/** How deep texts inside encoded texts are looked at. */
export type Depth = 0 | 1;

/**
 * Walks once over a text and lets detectors look at the places where something can begin: words,
 * signs of assignment, runs of token characters. The walk is linear and each look is bounded, so no
 * text takes more than its length.
 *
 * Nearly all places hold nothing, so a rule first asks for what it cannot do without, by characters in
 * place (`codeAt`, `endOfRun`, `tailOf`): only then it cuts texts out and tries patterns. A word that a rule
 * names secrets by goes into the lists of `names.ts`, from which the quick looks are made.
 */
export function detect(
  text: string,
  lane: Lane,
  clock: Clock,
  depth: Depth = 1,
): readonly RankedFinding[] {
  const scan = new Scan(text, lane);
  const { length } = text;
  let runEnd = 0;
  let nextCheck = STRIDE;
  for (let at = 0; at < length;) {
    const code = text.charCodeAt(at);
    const type = code < 128 ? charTypes[code] : code === BAR || mayBeForeign(code) ? SIGN : NOTHING;
    if (type === WORD) {
      let end = at + 1;
      let next = 0;
      while (end < length && word[(next = text.charCodeAt(end))] === 1) end += 1;
      if (end === length) next = 0;
      if (at >= runEnd) {
        runEnd = next === DASH ? endOfRun(text, end, base64Url) : end;
        if (runEnd - at >= MIN_RUN || endsName[next] === 1 || next === BAR || next === DASH) {
          startRun(scan, at, runEnd);
        }
        if (runEnd - at >= MIN_RUN && depth > 0) {
          detectBase64(scan, at, (inner) => detect(inner, lane, clock, 0).length > 0);
        }
      }
      table.run(scan, at);
      if (at >= nextCheck) {
        clock.check();
        nextCheck = at + STRIDE;
      }
      at = end;
      continue;
    }
    if (type === SIGN) detectSign(scan, at, code);
    else if (type === ESCAPE && isEscape[codeAt(text, at + 1)] === 1) {
      // The letter of an escape is none of the word behind it.
      at += 1;
    }
    at += 1;
  }
  return scan.found;
}

/** At the start of a run of letters, digits, `_` and `-`. */
function startRun(scan: Scan, at: number, end: number): void {
  const { text } = scan;
  if (end - at >= MIN_RUN) {
    detectRun(scan, at, end);
    detectMarked(scan, at);
    detectGroups(scan, at, end);
    detectNearby(scan, at);
  }
  if (codeAt(text, at + 1) === DASH && (codeAt(text, at) | 32) === X) {
    detectCustomHeader(scan, at);
  }
  const next = codeAt(text, end);
  if ((endsName[next] !== 1 && next !== BAR) || codeAt(text, end - 1) === DASH) return;
  if (end - at >= MAX_NAME || !mayEndSecretName(text, end)) return;
  if ((tailOf(text, at, end) & SECRET) === 0) return;
  if (next === SPACE) {
    if (isVariable(text, at, end)) detectNamed(scan, at, end);
    detectSpaced(scan, at, end);
  }
  detectAfterName(scan, at, end);
}

/** `GITEA_TOKEN`, `client_secret`: not a plain word, and ends as secrets' names do. */
const isVariable = (text: string, start: number, end: number): boolean =>
  /_|[a-z][A-Z]/.test(text.slice(start, end));

const LF = 10;
const CR = 13;
const SPACE = 32;
const DOUBLE = 34;
const DOLLAR = 36;
const SINGLE = 39;
const OPEN = 40;
const CLOSE = 41;
const COMMA = 44;
const DASH = 45;
const SLASH = 47;
const COLON = 58;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;
const X = 120;
const PIPE = 124;
const TILDE = 126;

function detectSign(scan: Scan, at: number, sign: number): void {
  const { text } = scan;
  const next = codeAt(text, at + 1);
  switch (sign) {
    case EQUALS:
      detectSetting(scan, at);
      detectVariable(scan, at);
      return;
    case COLON:
      if (next === SLASH && codeAt(text, at + 2) === SLASH) {
        detectUrl(scan, at);
        return;
      }
      detectPair(scan, at);
      detectSurely(scan, at);
      if (endsLine(text, at + 1)) detectBelow(scan, at, nameAt(text, at)?.name);
      detectSetting(scan, at);
      return;
    case DOUBLE:
    case SINGLE:
      detectSurely(scan, at);
      return;
    case COMMA:
      detectArgument(scan, at);
      return;
    case OPEN:
      // A call of nothing.
      if (next === CLOSE) return;
      detectArgument(scan, at);
      detectSignIn(scan, at);
      return;
    case PIPE:
    case BAR:
      detectCell(scan, at);
      return;
    case GREATER:
      detectElement(scan, at);
      return;
    case DASH:
      detectDash(scan, at, next);
      return;
    case LESS:
      scan.lessAt = at;
      if (next === LESS && codeAt(text, at + 2) === LESS) detectHereString(scan, at);
      return;
    case DOLLAR:
      detectCrypt(scan, at);
      return;
    case TILDE:
      detectTilde(scan, at);
      return;
    default:
      detectForeign(scan, at);
  }
}

function detectDash(scan: Scan, at: number, next: number): void {
  const { text } = scan;
  if (next === DASH && codeAt(text, at + 2) === DASH && codeAt(text, at + 3) === DASH) {
    detectBlock(scan, at);
    return;
  }
  const before = codeAt(text, at - 1);
  if (at > 0 && beforeFlag[before] !== 1) return;
  detectFlag(scan, at);
  if (before === DOUBLE || before === SINGLE) detectQuotedFlag(scan, at);
}

const beforeFlag = charSet(' \t\r\n"\'([');

/** Whether a line ends there, with a few blanks at most. */
function endsLine(text: string, from: number): boolean {
  let at = from;
  while (at < from + 8 && blanks[codeAt(text, at)] === 1) at += 1;
  const code = codeAt(text, at);
  return code === LF || (code === CR && codeAt(text, at + 1) === LF);
}

const blanks = charSet(' \t');

function detectSetting(scan: Scan, at: number): void {
  const name = nameAt(scan.text, at);
  if (!name) return;
  if ((name.tail & OTHER) !== 0 && isValueName(name.name)) detectNamedValue(scan, at, name);
  else detectAssignment(scan, at, name);
}
