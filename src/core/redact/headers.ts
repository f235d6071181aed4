import { Rank } from './finding.js';
import { isHex, isUuid, looksRandom } from './randomness.js';
import { openers, type Opener, type Scan } from './scan.js';
import { decodeText } from './encoded.js';
import { isHarmless, isStrong } from './values.js';

const bearer = /bearer(?:["']?[:=,]?\s{1,4}|%20|\+)["']?([A-Za-z0-9_.~+/=:|-]{8,4096})/iy;
const basic = /basic(?:\s{1,4}|%20)([A-Za-z0-9+/_-]{8,1024}={0,2})/iy;
const digest = /digest\s[^\n]{0,600}?response="?([0-9a-f]{32,64})/iy;
const signed = /AWS4-[A-Z0-9-]{4,30}[^\n]{0,600}?Signature=([0-9a-f]{64})/y;
const hawk = /hawk\s[^\n]{0,400}?mac="([A-Za-z0-9+/=_-]{20,200})(?=")/iy;
const oauth = /oauth_signature["']?[=:]\s{0,2}["']?([A-Za-z0-9%+/=_.~-]{16,600})/iy;
const scheme =
  /authorization["']?\s{0,4}[:=,]\s{0,4}["']?[A-Za-z][\w-]{1,30}\s{1,4}(?:[a-z]{2,12}=)?["']?([^\s"',;]{12,4096})/iy;

/** What an HTTP client proves itself with. */
export const headerOpeners: readonly Opener[] = [
  ...openers('bearer', detectBearer, true),
  ...openers('basic', detectBasic, true),
  ...openers('digest', (scan, at) => void scan.addMatch('digest-response', digest, at), true),
  ...openers('hawk', (scan, at) => void scan.addMatch('request-signature', hawk, at), true),
  ...openers('oauth_signature', (scan, at) => void scan.addMatch('request-signature', oauth, at)),
  ...openers('AWS4-', (scan, at) => void scan.addMatch('request-signature', signed, at)),
  ...openers('authorization', detectScheme, true),
  ...openers('cookie', detectCookies, true),
];

function detectBearer(scan: Scan, at: number): void {
  if (!scan.mayLook('bearer', at, at + 40)) return;
  const match = scan.match(bearer, at);
  const token = match?.[1]?.replace(/[.:]{1,9}$/, '');
  if (!match || token === undefined) return;
  scan.lookedTo('bearer', at + match[0].length);
  if (isHarmless(token)) return;
  if (!isUuid(token) && !looksRandom(token) && !isLonger(scan, token)) return;
  const start = at + match[0].length - (match[1] ?? '').length;
  scan.add('bearer-token', start, start + token.length, Rank.structure);
}

const isLonger = ({ lane }: Scan, token: string): boolean =>
  isStrong(token) && token.length >= (lane === 'save' ? 12 : 8);

const custom = /x-[\w-]{3,40}["']?\s{0,2}[:,]\s{0,2}["']?([^\s"',;<&\\]{16,400})/iy;
const tracing =
  /(?:id(?:-\d)?|trace|hash|etag|nonce|span|version|cache|digest|ray|cursor|agent|sha\d*|checksum|timestamp|source|url)["']?\s{0,2}[:=]/i;

/** Headers that vendors made up (`x-acme-team: ...`) are there to prove something, or to trace it. */
export function detectCustomHeader(scan: Scan, at: number): void {
  if (!scan.mayLook('custom header', at, at + 40)) return;
  const match = scan.match(custom, at);
  const token = match?.[1];
  if (!match || token === undefined || tracing.test(match[0])) return;
  const isArgument = /(?:-H|--header)[ =]{0,2}["']$/.test(
    scan.text.slice(Math.max(0, at - 12), at),
  );
  if (!looksRandom(token, 20) || isHarmless(token) || (isHex(token) && !isArgument)) return;
  const end = at + match[0].length;
  scan.add('header', end - token.length, end, Rank.structure);
}

/** Base64 of `user:password`. */
function detectBasic(scan: Scan, at: number): void {
  const match = scan.match(basic, at);
  const encoded = match?.[1];
  if (!match || encoded === undefined) return;
  const decoded = decodeText(encoded);
  if (decoded === undefined || !/^[^:\s]{0,100}:[^\s]/.test(decoded)) return;
  const end = at + match[0].length;
  scan.add('basic-credentials', end - encoded.length, end, Rank.structure);
}

function detectScheme(scan: Scan, at: number): void {
  if (!scan.mayLook('scheme', at, at + 40)) return;
  const match = scan.match(scheme, at);
  const token = match?.[1];
  if (!match || token === undefined) return;
  scan.lookedTo('scheme', at + match[0].length);
  if (isHarmless(token) || (!looksRandom(token) && !isUuid(token))) return;
  const end = at + match[0].length;
  scan.add('authorization', end - token.length, end, Rank.structure);
}

const cookieHeader = /(?:set-)?cookies?["']?\s{0,3}[:=,]\s{0,3}["']?(?=[\w.-]{1,64}=)/iy;
const pair = /;?\s{0,3}([\w.-]{1,64})=([^;,\s"']{0,2048})/y;
const MAX_COOKIES = 4096;
const ordinary =
  /^(?:_ga.*|_gid|_fbp|_gcl.*|_hj.*|lang(?:uage)?|locale|theme|path|expires|max-age|domain|samesite|version|tz|timezone|consent|.*consent.*|currency|country|utm_.*)$/i;
const session =
  /sess|sid$|^sid|auth|token|jwt|login|remember|identity|ticket|secret|key|csrf|xsrf/i;

/** A session's cookie is as good as its password. */
function detectCookies(scan: Scan, at: number): void {
  const header = scan.match(cookieHeader, at);
  if (!header) return;
  let from = at + header[0].length;
  const stop = from + MAX_COOKIES;
  if (!scan.mayLook('cookies', at, stop)) return;
  while (from < stop) {
    const match = scan.match(pair, from);
    if (!match) return;
    from += match[0].length;
    const [, name = '', value = ''] = match;
    if (isCookieSecret(name, value)) scan.add('cookie', from - value.length, from, Rank.structure);
  }
}

function isCookieSecret(name: string, value: string): boolean {
  if (ordinary.test(name) || isHarmless(value)) return false;
  if (isUuid(value) || looksRandom(value)) return true;
  return session.test(name) && value.length >= 10 && /\d/.test(value) && /[A-Za-z]/.test(value);
}
