import { charSet, endOfRun } from './chars.js';
import { decodeText } from './encoded.js';
import { Rank } from './finding.js';
import { secretName, type SecretSort } from './names.js';
import { isHex, isUuid, looksRandom, makeupOf } from './randomness.js';
import type { Scan } from './scan.js';
import { isThingId } from './tokens.js';
import { isHarmless } from './values.js';
import { vendorNames } from './vendors/vendorNames.js';

const tokenChars = charSet('A-Za-z0-9_+/=~-');
const MIN = 20;
const MAX = 400;
const LOOK_BACK = 72;
/** How near a word has to be for what could be the hash of something. */
const CLOSE = 28;

/** Say that what is near is no secret, however it looks. */
const open =
  /hash|sha-?\d|md5|blake|crc|digest|integrity|checksum|commit|revision|\brev\b|etag|nonce|uuid|guid|public|publishable|cert|finger|image|cache|signature|version|\bid\b|_id\b|-id\b|Id\b|\bkid\b|cursor|trace|span|build|chunk|asset|module|resolved|blob|tree|object|thumb|data:|src=|href|font|svg|import|require|mapping|sourcemap|example|font|diff|index|address|wallet|block|transaction|tx\b|salt\b|iv\b|\bid=|node_modules|digest|etag|ref\b|refs\/|HEAD|next|page|encrypt|cipher|payload|slug|\bh1:/i;
const phrase =
  /(?:api|access|secret|private|auth|license|licence|signing|encryption|service|admin|deploy|session|client|account|bearer|personal access)[ _-]?(?:key|token|secret|code)s?\b|\bcredential|\bauthorization\b|jeton|(?<![a-z])clé|schlüssel|\bchave\b|\bllave\b|\bchiave\b|\bklucz|\bsleutel\b|\bnyckel|nøgle|\bavain|\banahtar|\bcheie|\bkulcs|\bkunci\b|khóa|κλειδί|מפתח|مفتاح|कुंजी|सीक्रेट|คีย์|키\b|키:|密钥|rotated|キー|ключ|токен|令牌|密钥|密鑰|トークン|鍵|토큰|\blog ?in\b|authtoken|\bpassword\b|\bpasswd\b|\btoken\b|\bsecret\b|\b(?:authenticat|authori[sz]|log)\w{0,6} (?:in )?(?:with|using|by)\b/i;

/**
 * What looks drawn at random and stands on one line behind a word that promises a secret or the name of
 * somebody who hands out keys, in whatever format. The last resort, so it wants the look to be plain.
 */
export function detectNearby(scan: Scan, start: number): void {
  const { text } = scan;
  if (/[/+.@#%\\&?]/.test(text[start - 1] ?? ' ') && !isNamed(text, start)) return;
  const end = endOfRun(text, start, tokenChars, start + MAX);
  if (
    end - start < MIN ||
    end - start >= MAX ||
    /[/@(\\%&[]|\.(?=\S)/.test(text.slice(end, end + 2))
  ) {
    return;
  }
  const token = text.slice(start, end);
  const weight = weightOf(token);
  if (weight === 0 || (scan.lane === 'save' && weight < 2) || !scan.mayLook('nearby', start, end)) {
    return;
  }
  const around = text.slice(Math.max(0, start - LOOK_BACK), start);
  const before = around.slice(around.lastIndexOf('\n') + 1);
  const close = before.slice(-CLOSE);
  if (open.test(before) || /:\/\/\S*$|data:\S*$/.test(before) || isData(token)) return;
  const isTold =
    scan.lane === 'save'
      ? tells(close) && !isCode(text, end)
      : isNamed(text, start) ||
        (weight === 2
          ? tells(before) ||
            namesVendor(before) ||
            isSetting(before, token) ||
            isSpoken(before, token) ||
            (token.length >= 28 && isLineOf(before, text, end)) ||
            isHandled(text, end)
          : tells(close) || namesVendor(close));
  if (!isTold || isHarmless(token) || isThingId(token)) return;
  const mark = /(?:\w{1,16}[.:]){1,3}$/.exec(text.slice(Math.max(0, start - 40), start));
  const from = mark && isNamed(text, start) ? start - mark[0].length : start;
  scan.add('likely-secret', from, end, Rank.prose);
}

/** In a sentence nothing else is that long: "... using X for the request". */
const isSpoken = (before: string, token: string): boolean =>
  token.length >= 36 && /(?:^|\s)[a-z]{2,12} ["'`(]?$/.test(before) && !/[/+]/.test(token);

/** `name: X`, all of a line of settings. */
const isLineOf = (before: string, text: string, end: number): boolean =>
  /^[ \t+-]{0,40}["']?[A-Za-z][\w.-]{1,40}["']?[ \t]{0,4}[:=][ \t]{1,4}$/.test(before) &&
  /^\s{0,4}(?:\n|$)/.test(text.slice(end, end + 6));

const handled = /^[^\n]{0,60}\b(?:revoke|rotat|leak|expos|compromis|regenerat|invalidat)/i;

/** "the old one was X, please revoke it" */
const isHandled = (text: string, end: number): boolean => handled.test(text.slice(end, end + 76));

/** An alphabet, or a text in base64, such as the cursors of listings. */
const isData = (token: string): boolean =>
  (token.length >= 32 && new Set(token).size === token.length) ||
  decodeText(token.slice(0, 12)) !== undefined;

/** `acme.secret.X` */
const isNamed = (text: string, start: number): boolean =>
  /(?:secret|token|key|\b(?:sk|pat|live|prod|test))[.:]$/.test(
    text.slice(Math.max(0, start - 8), start),
  );

/** `token.X(`, `X = `: a name of code. */
const isCode = (text: string, end: number): boolean =>
  /^\s{0,2}[=({[]/.test(text.slice(end, end + 3));

/** 2: like nothing but a token; 1: could be the hash of something; 0: could be anything. */
function weightOf(token: string): 0 | 1 | 2 {
  if (isUuid(token) || !looksRandom(token, MIN)) return 0;
  if (isHex(token)) return token.length >= 32 ? 1 : 0;
  const { lower, upper, digits } = makeupOf(token);
  if (lower > 2 && upper > 2 && digits > (token.length < 28 ? 1 : 0)) return 2;
  return token.length >= 24 && digits > 1 ? 1 : 0;
}

/** What is called so is seldom long and drawn at random. */
const weak: ReadonlySet<SecretSort> = new Set<SecretSort>(['key', 'pin', 'groups']);

function tells(before: string): boolean {
  if (phrase.test(before)) return true;
  return (before.match(/[A-Za-z][A-Za-z0-9_-]{2,40}/g) ?? []).some((word) => {
    const found = secretName(word);
    return found !== undefined && !weak.has(found.sort);
  });
}

/** `anything: "..."`, `Client::new("...")`: what is set to it is data, and nothing but keys are drawn of all characters that long. */
const isSetting = (before: string, token: string): boolean =>
  token.length >= 28 &&
  !token.startsWith('eyJ') &&
  /(?:[\w\])]{3}["'\]]{0,2}\s{0,4}(?:[:=]|=>|:=)\s{0,4}|\w\()["'`]$/.test(before) &&
  !/[/+]/.test(token);

/** `datadog: "..."`, `sumologic key ...`. */
function namesVendor(before: string): boolean {
  if (!/(?:[:=>(,|]|\b(?:is|key|token|with|code))["'`\s]{0,4}$/i.test(before)) return false;
  return (before.match(/[A-Za-z][a-z0-9]{2,30}|[A-Z]{3,30}/g) ?? []).some((word) =>
    vendorNames.has(word.toLowerCase()),
  );
}
