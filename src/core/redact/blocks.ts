import { charSet, endOfRun } from './chars.js';
import { Rank } from './finding.js';
import { openers, type Opener, type Scan } from './scan.js';

const MAX_BLOCK = 32 * 1024;
const begin =
  /-{4,5} ?BEGIN ((?:OpenVPN |[A-Z0-9 ]{0,40}?)(?:PRIVATE KEY|SECRET KEY|Static key V1|PRIVATE KEY BLOCK)[A-Z0-9 ]{0,12}) ?-{4,5}/y;
const body = charSet('A-Za-z0-9+/=:,.()\\ \t\r\n"-');

/** At the first dash of `-----BEGIN`: a private key up to its end, or as far as it goes when cut. */
export function detectBlock(scan: Scan, at: number): void {
  const match = scan.match(begin, at);
  if (!match) return;
  const { text } = scan;
  const from = at + match[0].length;
  // Up to the next block only: many beginnings without an end must not each look far.
  const window = text.slice(from, from + MAX_BLOCK).split('BEGIN ', 1)[0] ?? '';
  const close = /-{4,5} ?END [A-Za-z0-9 ]{0,60}-{4,5}/.exec(window);
  const content = window.slice(0, close?.index ?? endOfCut(window));
  if (!holdsKey(content)) return;
  scan.add('private-key', at, from + content.length + (close?.[0].length ?? 0), Rank.shape);
}

/** Of a key without its end: as far as it goes, at most to the end of the string of JSON that it is in. */
function endOfCut(window: string): number {
  const end = endOfRun(window, 0, body);
  const quote = window.slice(0, end).search(/\\{0,8}["'](?:\s{0,8}[,}\]:]|$)/);
  return quote < 0 ? end : quote;
}

/** Documents show the first and last line with dots between them. */
const holdsKey = (content: string): boolean =>
  /[A-Za-z0-9+/]{20}/.test(content) && !/[xX.]{12}/.test(content);

const putty = /PuTTY-User-Key-File-[^]{0,1500}?Private-Lines: (\d{1,3})\r?\n/y;
const jwk = /(?<![A-Za-z_])"?(?:d|k|p|q|dp|dq|qi)"?\s{0,4}:\s{0,4}"([A-Za-z0-9_-]{20,1400})"/g;
const jwkKind = /kty"?\s{0,3}:\s{0,3}"(?:RSA|EC|OKP|oct)"/y;

/** The lines of a key of PuTTY whose head was cut off, a key of minisign or signify. */
const privateLines = /Private-Lines: \d{1,3}\r?\n((?:[A-Za-z0-9+/=]{1,80}\r?\n){1,80})/y;
const minisign = /secret key[^\n]{0,80}\r?\n([A-Za-z0-9+/=]{60,400})/y;

const addLines = (scan: Scan, at: number, pattern: RegExp): void =>
  void scan.addMatch('private-key', pattern, at, Rank.shape);

/** Keys in their own formats. */
export const blockOpeners: readonly Opener[] = [
  ...openers('PuTTY-User-Key-File-', detectPutty),
  ...openers('kty', detectJwk),
  ...openers('Private-Lines:', (scan, at) => addLines(scan, at, privateLines)),
  { literal: 'secret key', detect: (scan, at) => addLines(scan, at, minisign) },
];

function detectPutty(scan: Scan, at: number): void {
  const match = scan.match(putty, at);
  if (!match) return;
  const from = at + match[0].length;
  const lines = scan.text.slice(from, from + MAX_BLOCK).split('\n', Number(match[1]));
  const other = lines.findIndex((line) => !/^[A-Za-z0-9+/=]{1,80}\r?$/.test(line));
  const key = lines.slice(0, other < 0 ? lines.length : other).join('\n');
  scan.add('private-key', from, from + key.length, Rank.shape);
}

/** The private members of a JSON Web Key, on either side of its kind (RFC 7517). */
function detectJwk(scan: Scan, at: number): void {
  if (!scan.match(jwkKind, at)) return;
  if (!scan.mayLook('jwk', at, at + 1000)) return;
  const from = Math.max(0, at - 1500);
  const near = scan.text.slice(from, at + 4000);
  for (const match of near.matchAll(jwk)) {
    const end = from + match.index + match[0].length - 1;
    scan.add('private-key', end - (match[1] ?? '').length, end, Rank.structure);
  }
}
