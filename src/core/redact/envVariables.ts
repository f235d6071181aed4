import { base64, charSet, codeAt, endOfRun, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import { isHex, isUuid, looksRandom, makeupOf } from './randomness.js';
import type { Scan } from './scan.js';
import { isThingId } from './tokens.js';
import { isHarmless } from './values.js';

const nameChars = charSet('A-Z0-9_');
const valueChars = charSet('A-Za-z0-9_+/.:~|-');
const MIN_VALUE = 24;
const MAX_VALUE = 200;

/** Names of variables whose random values are no secrets. */
const open =
  /(?:^|_)(?:PUBLIC|PUB|PUBLISHABLE|SITE|IDS?|UUID|GUID|SHA\d*|HASH|COMMIT|REV|REVISION|BUILD|VERSION|DIGEST|INTEGRITY|CHECKSUM|CERT|CERTIFICATE|CA|FINGERPRINT|THUMBPRINT|URL|URI|ETAG|NAME|NONCE|IV|CACHE|IMAGE|TAG|ICON|LOGO|PNG|SVG|WASM|ADDRESS|ADDR|HOST|PATH|DIR|SIGNATURE|CURSOR|DATA|BASE64|TRACE|SPAN|REQUEST|INSTANCE|ARN|BUCKET|ALPHABET|CHARSET|REGEX|PATTERN|LS_COLORS|REF|RUN|JOB|SID)(?:_|$)/;

/**
 * `CEDAR_MASTER=X`, at the sign: a variable in capitals at the start of a line or of a command whose value is
 * drawn at random is a secret whatever its name, unless the name says what else it is.
 */
export function detectVariable(scan: Scan, at: number): void {
  const { text } = scan;
  if (nameChars[codeAt(text, at - 1)] !== 1) return;
  const quote = text[at + 1] === '"' || text[at + 1] === "'" ? 1 : 0;
  const from = at + 1 + quote;
  const end = endOfRun(text, from, valueChars, from + MAX_VALUE);
  if (end - from < MIN_VALUE || end - from >= MAX_VALUE) return;
  const start = startOfRun(text, at, nameChars, at - 64);
  const name = text.slice(start, at);
  if (name.length < 4 || !/^[A-Z]/.test(name) || open.test(name)) return;
  if (!/[\s"'`\n;]|^$/.test(text[start - 1] ?? '') || !/[\s"'`;=\\&]|^$/.test(text[end] ?? '')) {
    return;
  }
  const value = text.slice(from, end);
  if (isDrawnValue(value, scan) && !isHarmless(value) && !isThingId(value)) {
    scan.add('secret', from, end, Rank.name);
  }
}

function isDrawnValue(value: string, { lane }: Scan): boolean {
  if (isUuid(value) || isHex(value) || /^\/|\/\//.test(value)) return false;
  const part = value
    .split(/[.:|~]/)
    .reduce((longest, next) => (next.length > longest.length ? next : longest));
  const { lower, upper, digits } = makeupOf(part);
  if (lower < 3 || upper < 3 || digits < 2) return false;
  const isOne = endOfRun(part, 0, base64) === part.length || /^[\w-]+$/.test(part);
  return isOne && looksRandom(part, lane === 'save' ? 28 : 20);
}
