import { detectAfterName } from './afterName.js';
import { detectArgument, detectAssignment, nameAt } from './assignments.js';
import { azureOpeners } from './azureKeys.js';
import { detectBase64 } from './base64Runs.js';
import { detectBelow } from './below.js';
import { blockOpeners, detectBlock } from './blocks.js';
import { base64Url, charSet, endOfRun, word } from './chars.js';
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
const STRIDE = 8192;
const MIN_RUN = 22;
const MAX_NAME = 48;

/** What boxes are drawn with. */
const BAR = 0x2502;
const escapes = 'nrtbf';

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
 */
export function detect(
  text: string,
  lane: Lane,
  clock: Clock,
  depth: Depth = 1,
): readonly RankedFinding[] {
  const scan = new Scan(text, lane);
  const isDeep = depth > 0;
  const findInside = (inner: string): boolean => detect(inner, lane, clock, 0).length > 0;
  let runEnd = 0;
  let nextCheck = STRIDE;
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    const type = code < 128 ? charTypes[code] : NOTHING;
    if (type === WORD) {
      if (at >= runEnd) {
        runEnd = endOfRun(text, at, base64Url);
        startRun(scan, at, runEnd);
        if (isDeep && runEnd - at >= MIN_RUN) detectBase64(scan, at, findInside);
      }
      table.run(scan, at);
      if (at >= nextCheck) {
        clock.check();
        nextCheck = at + STRIDE;
      }
      at = endOfRun(text, at + 1, word, runEnd);
      continue;
    }
    if (type === SIGN) detectSign(scan, at, code);
    else if (type === ESCAPE) {
      // The letter of an escape is none of the word behind it.
      if (escapes.includes(text[at + 1] ?? '-')) at += 1;
    } else if (code === BAR) detectCell(scan, at);
    else if (code > 127 && mayBeForeign(code)) detectForeign(scan, at);
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
  if (text.charCodeAt(at + 1) === DASH && (text.charCodeAt(at) | 32) === X) {
    detectCustomHeader(scan, at);
  }
  const next = text.charCodeAt(end);
  const isName = (endsName[next] === 1 || next === BAR) && text.charCodeAt(end - 1) !== DASH;
  if (isName && end - at < MAX_NAME && mayEndSecretName(text, end)) {
    if (next === SPACE) {
      if (isVariable(text, at, end)) detectNamed(scan, at, end);
      detectSpaced(scan, at, end);
    }
    detectAfterName(scan, at, end);
  }
}

/** `GITEA_TOKEN`, `client_secret`: not a plain word, and ends as secrets' names do. */
const isVariable = (text: string, start: number, end: number): boolean =>
  /_|[a-z][A-Z]/.test(text.slice(start, end));

const [DASH, X, SPACE] = [45, 120, 32];
const [DOUBLE, DOLLAR, SINGLE, OPEN, COMMA, COLON] = [34, 36, 39, 40, 44, 58];
const [LESS, EQUALS, GREATER, PIPE, TILDE] = [60, 61, 62, 124, 126];

function detectSign(scan: Scan, at: number, sign: number): void {
  const { text } = scan;
  switch (sign) {
    case EQUALS:
      detectSetting(scan, at);
      detectVariable(scan, at);
      return;
    case COLON:
      if (text.startsWith('//', at + 1)) {
        detectUrl(scan, at);
        return;
      }
      detectPair(scan, at);
      detectSurely(scan, at);
      if (breaks[text.charCodeAt(at + 1)] === 1) detectBelow(scan, at, nameAt(text, at)?.name);
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
      detectArgument(scan, at);
      detectSignIn(scan, at);
      return;
    case PIPE:
      detectCell(scan, at);
      return;
    case GREATER:
      detectElement(scan, at);
      return;
    case DASH:
      if (text.startsWith('---', at + 1)) detectBlock(scan, at);
      else if (beforeFlag[text.charCodeAt(at - 1)] === 1 || at === 0) {
        detectFlag(scan, at);
        if (/["']/.test(text[at - 1] ?? '')) detectQuotedFlag(scan, at);
      }
      return;
    case LESS:
      if (text.startsWith('<<', at + 1)) detectHereString(scan, at);
      return;
    case DOLLAR:
      detectCrypt(scan, at);
      return;
    case TILDE:
      detectTilde(scan, at);
      return;
  }
}

const beforeFlag = charSet(' \t\r\n"\'([');
const breaks = charSet(' \r\n*');

function detectSetting(scan: Scan, at: number): void {
  const name = nameAt(scan.text, at);
  if (!name) return;
  if (isValueName(name.name)) detectNamedValue(scan, at, name);
  else detectAssignment(scan, at, name);
}
