import { decodeText } from './encoded.js';
import { isCommonPassword } from './commonPasswords.js';
import { isDrawn } from './letters.js';
import { isMadeOfWords } from './madeOfWords.js';
import { isFiller, isHex, isUuid, looksRandom, makeupOf } from './randomness.js';
import type { Lane } from './finding.js';
import type { SecretSort } from './names.js';

/**
 * How a value stands in the text:
 * - `quoted`: between quotation marks, so it is data
 * - `line`: all of the rest of a line of settings (`NAME=value`, `name: value`)
 * - `bare`: anything else, so it may be code
 */
export type Style = 'quoted' | 'line' | 'bare';

const MIN_TOKEN = 16;

/** Whether a value can be the secret that a name of this sort promises. */
export function isSecretValue(value: string, sort: SecretSort, style: Style, lane: Lane): boolean {
  if (value.length > 4096 || isHarmless(value)) return false;
  if (sort === 'phrase') return isWordList(value);
  if (sort === 'groups') return isGrouped(value);
  if (sort === 'pin') return lane === 'share' && style !== 'bare' && /^\d{4,8}$/.test(value);
  if (sort === 'password' && isAppPassword(value)) return true;
  if (/\s/.test(value)) return sort === 'password' && style !== 'bare' && isPassphrase(value, lane);
  if (sort === 'blob') return isBlob(value);
  if (style === 'bare' ? isCode(value) : style === 'line' && isExpression(value)) return false;
  if (sort !== 'password' && /[[\](){}<>;"'`\\]/.test(value)) return false;
  if (isUuid(value)) return sort !== 'key' || lane === 'share';
  if (looksRandom(value, MIN_TOKEN) || hasRandomPart(value)) return true;
  if (value.length >= MIN_TOKEN && /^[A-Za-z\d]+$/.test(value) && isDrawn(value)) return true;
  if (sort === 'password') return isPassword(value, style, lane);
  if (sort === 'secret' && isPassword(value, style, lane)) {
    return (isMixed(value) && !isName(value)) || (style !== 'bare' && isLongDrawn(value));
  }
  if (isGrouped(value)) return true;
  if (sort === 'key') return false;
  if (isUserAndPassword(value)) return true;
  if (lane === 'share' && style !== 'bare' && isMadeOfWords(value)) return true;
  const isLong = value.length >= (lane === 'save' ? 12 : 8);
  return isLong && isStrong(value) && /\d/.test(value) && isMixed(value) && !isName(value);
}

/**
 * Whether a number without quotation marks is a password: of enough digits, and under a name that does
 * not also count things (`"pass": 1043, "fail": 2`).
 */
export const isSecretNumber = (
  value: string,
  name: string,
  sort: SecretSort,
  lane: Lane,
): boolean =>
  (sort === 'password' || sort === 'pin') &&
  /^\d{4,20}$/.test(value) &&
  value.length >= (lane === 'save' ? 6 : 4) &&
  !/^pass(?:words)?$/i.test(name);

/** Four groups of four letters, as mail providers make them for one program. */
export const isAppPassword = (value: string): boolean =>
  /^(?:[a-z]{4}[ -]){3}[a-z]{4}$/.test(value);

/** `A1B2C-D3E4F-...`: as licences are written. */
const isGrouped = (value: string): boolean =>
  /^(?:[A-Z0-9]{4,8}-){3,7}[A-Z0-9]{4,8}$/.test(value) && /\d/.test(value) && /[A-Z]/.test(value);

const isBlob = (value: string): boolean =>
  (/^[\w.-]{1,20}:[A-Za-z0-9]{16,64}$/.test(value) && looksRandom(value.split(':')[1] ?? '', 16)) ||
  isLongBlob(value);

const isLongBlob = (value: string): boolean =>
  /^[A-Za-z0-9+/=_.:|-]{24,}$/.test(value) &&
  !/(?:^|[-_.])[0-9a-f]{32,}$/.test(value) &&
  /[a-z]/.test(value) &&
  /[A-Z]/.test(value) &&
  /\d/.test(value) &&
  value.split(/[.:|]/).some((part) => looksRandom(part, 20) && !isHex(part));

/** `MLY|123|0a1b...`: a random part behind others. */
const hasRandomPart = (value: string): boolean =>
  /[|:]/.test(value) && value.split(/[|:]/, 6).some((part) => looksRandom(part, 24));

/** What registries call `auth`: base64 of `user:password`. */
const isUserAndPassword = (value: string): boolean =>
  value.length >= 12 &&
  value.length % 4 === 0 &&
  /^[\w.@+-]{1,80}:[!-~]{3,}$/.test(decodeText(value) ?? '');

/** Passwords as people and generators make them: a digit or a mark among letters. */
function isPassword(value: string, style: Style, lane: Lane): boolean {
  if (value.length < (lane === 'save' ? 8 : 6)) {
    const isCommon = lane === 'share' && style !== 'bare' && isCommonPassword(value);
    return isCommon || isShortPassword(value, style, lane);
  }
  if (lane === 'share' && (isMadeOfWords(value) || (style !== 'bare' && isCommonPassword(value)))) {
    return true;
  }
  if (isStrong(value)) return style !== 'bare' || !isName(value);
  if (style === 'bare') {
    return lane === 'share' && ((isMixed(value) && !isName(value)) || isLongDrawn(value));
  }
  const { lower, upper, digits } = makeupOf(value);
  if (lower + upper === 0) return digits >= (lane === 'save' ? 8 : 6) && digits === value.length;
  if (isPassphrase(value, lane)) return true;
  if (lower === value.length) return lane === 'share' && isOwnWord(value);
  if (lower + upper === value.length && isDrawn(value)) return true;
  return hasMark(value) || /\d/.test(value.replace(typeDigits, ''));
}

/** In what is written about passwords, and in names of things that have to do with them. */
const aboutPasswords =
  /pass|secret|word|token|auth|login|log-?in|sign|user|field|input|form|label|text|error|invalid|required|reset|forgot|confirm|current|change|hash|string|type|value|enter|must|your|least|the$|^the|please|config|default|vault|manager|store|path|file|name|key|env|credential|provider|helper|service|button|link|page|route|module|component/i;
const joined = /^[A-Za-z]{3,12}(?:[-_. ][A-Za-z]{3,12}){2,8}\d{0,4}[!?.]?$/;

/** `correct-horse-battery-staple`: some words that speak of nothing near. */
const isPassphrase = (value: string, lane: Lane): boolean =>
  value.length >= 14 &&
  joined.test(value) &&
  !aboutPasswords.test(value) &&
  value.split(/[-_. ]/).length >= (lane === 'save' || value.includes(' ') ? 4 : 3) &&
  (!/[_.]/.test(value) || lane === 'share') &&
  !value.split(/[-_. ]/).some((word) => isGrammar.has(word.toLowerCase()));

/** Words of sentences: a phrase that is made to be remembered has none. */
const isGrammar: ReadonlySet<string> = new Set(
  `the and for are was were not but has had have its our his her from into been than who which with this
  that you can will all any should cannot does did may one two only also when then there here what how why
  use used using set get add new old see let per via add at of to in is on or by be as an it if no do a`.split(
    /\s+/,
  ),
);

/** `hGkqPwzRtmBx`: no digit, and no word either. */
const isLongDrawn = (value: string): boolean =>
  value.length >= 10 && /^[A-Za-z]+$/.test(value) && isDrawn(value);

/** `correcthorsebatterystaple`, `rmauxmaopvvd`: no word of a label. */
const isOwnWord = (value: string): boolean =>
  value.length >= 16
    ? !/pass|secret|word/.test(value)
    : value.length >= 10 && !aboutPasswords.test(value) && isOdd(value);

/** Of few vowels or of pairs that words do not have. */
const isOdd = (value: string): boolean =>
  isDrawn(value) || value.replace(/[aeiouy]/g, '').length >= value.length * 0.7;

/** `s3cr3t`, `fido12`: too short to be sure of, except where nothing else can stand. */
const isShortPassword = (value: string, style: Style, lane: Lane): boolean =>
  style !== 'bare' &&
  value.length >= (lane === 'share' ? 5 : 6) &&
  /[A-Za-z]/.test(value) &&
  /\d/.test(value.replace(typeDigits, ''));

/** Marks that names, versions and paths do not have. */
const marks = /[!@#$%^&*+?~|\\<>]/;
const hasMark = (value: string): boolean => marks.test(value);

/** A digit or a mark inside, not only at the end as in `sha256` or `Option2`. */
const isMixed = (value: string): boolean =>
  /\d[A-Za-z]|[!@#$%^&*+?~|\\].|[!@#$%^&*+?~]$/.test(value) && /[A-Za-z]/.test(value);

/** Many classes of characters, or letters and digits that take turns. */
export function isStrong(value: string): boolean {
  if (value.length < 8) return false;
  const { lower, upper, digits, switches } = makeupOf(value);
  const classes =
    Number(lower > 0) + Number(upper > 0) + Number(digits > 0) + Number(hasMark(value));
  if (classes >= 3 && (digits > 0 || switches > 1)) return true;
  if (lower + upper === value.length && switches >= 3) return true;
  return digits >= 2 && switches >= 3;
}

/** The digits of types and algorithms. */
const typeDigits =
  /(?:(?:sha|md|aes|rsa|utf)-?|base|int|float|char|bytes|ed|oauth|socks|http|ec|(?<![A-Za-z])[uifpxvs])\d+/gi;

/** `Uint8Array`, `sha256`, `x509Certificate`, `OAuth2Token`, `user1`, `v1.2.3`, `main-2024`. */
function isName(value: string): boolean {
  if (/^[A-Za-z]+$/.test(value) && makeupOf(value).switches >= 3) return false;
  if (!/^[A-Za-z0-9_.$-]+$/.test(value)) return false;
  return value
    .replace(typeDigits, '')
    .split(/[_.$-]|(?<=[a-z\d])(?=[A-Z])/)
    .every((part) => /^(?:[A-Za-z]*\d{0,4}|\d+)$/.test(part) && !looksRandom(part, 12));
}

/** Eleven or more lower-case words: what wallets ask to write down. */
const isWordList = (value: string): boolean =>
  /^\W{0,3}(?:[a-z]{3,10}[\s,]{1,3}){11,23}[a-z]{3,10}\W{0,3}$/.test(value);

/** Empty, typed to be replaced, or the name of a place where the secret lies. */
export function isHarmless(value: string): boolean {
  if (value.length < 4) return true;
  const head = value.slice(0, 200);
  return isPlaceholder(head) || isReference(head) || isFiller(head);
}

const wrapped =
  /^(?:<.*>?|\$\{.*|\$\(.*|\$\{?[A-Za-z_]+\w{0,2}\}?|\$\{?[A-Za-z_](?!\w*\d[a-z])\w*\}?|\$\d|%[\w.]+%|%[sdv]|\{\{.*|\{[\w.-]*\}?|\[.*\]|__\w+__|@{1,2}[\w.-]+@{1,2}|#\{.*|\(.*\)?|&lt;.*)$/;
const standIn =
  /(?:^|[^a-z])(?:your|yours|my-?(?:api|secret|token|password|access|auth|super)|example|placeholder|change-?(?:me|it|this)|replace(?:-?me|-?with)?|insert|dummy|fake|mock|foo|foobar|bar|sample|todo|fixme|redacted|masked|hidden|removed|withheld|omitted|truncated|secret-?here|enter|fill|tbd|none|null|nil|undefined|empty|default|unset|required|optional|string|boolean|number|true|false|here|goes|snip|elided|invalid|unknown|not-?set|abc123|123456789)(?:[^a-z]|$)/i;
const blanks = /^(?:[*•.x_\-=#?X ]+|.{0,8}(?:\*{3,}|•{3,}|…|\.{3}|[xX]{4,}).{0,8})$/;

/** Written to be replaced. */
export const isFillIn = (value: string): boolean =>
  isPlaceholder(value.slice(0, 200)) || isFiller(value);

/** Say themselves what should stand in their place. */
const names =
  /^(?:password|passwd|passw|pass|pwd|passphrase|secret|token|api[_-]?key|credentials?)$/i;

export function isPlaceholder(value: string): boolean {
  if (
    names.test(value) ||
    wrapped.test(value) ||
    blanks.test(value) ||
    /[xX]{6,}|\*{4,}|\[REDACTED|\[WITHHELD/.test(value)
  ) {
    return true;
  }
  if (/EXAMPLE|PLACEHOLDER|CHANGE_?ME|INSERT_|REPLACE_?ME|(?:^|_)YOUR_/.test(value)) return true;
  // A random string can hold "foo" or "bar" between two other characters.
  return standIn.test(value.replaceAll('_', '-')) && !looksRandom(value, 24);
}

const references =
  /^(?:process\.env|import\.meta|os\.(?:environ|getenv)|getenv|env[.[(]|ENV[[.]|System\.|config[.[(]|settings[.[]|secrets?[.[]|vars?[.[]|local\.|data\.|module\.|self\.|this\.|props\.|args?[.[]|options?[.[]|params?[.[]|ctx\.|req\.|request\.|op:\/\/|vault:|arn:|ref\+|ssm:|sm:\/\/|gcp:|awskms:|azurekms:|keychain:|env:|file:|secretref:|projects\/|ENC\[|!Ref|!Sub|!GetAtt|!vault|\{cipher\}|AgA|@Microsoft\.KeyVault|https?:\/\/|\.{0,2}\/[\w.-]+\/|\.\/|~\/|[A-Za-z]:\\|\/(?:run|etc|var|home|usr|mnt|opt|tmp|secrets?|dev|Users)\/)/;

const isReference = (value: string): boolean =>
  (references.test(value) && !(/^\/[^.]*[+=]/.test(value) && looksRandom(value, 24))) ||
  (/^[&*!][A-Za-z_]\w*$/.test(value) && !isStrong(value)) ||
  /^0(?:x[0-9a-f]{1,8}|b[01]+)$/i.test(value) ||
  /^\d{4}-\d\d-\d\d(?:$|[T ]\d\d:\d\d)/.test(value) ||
  /^\/[\^([]/.test(value) ||
  (/^\/?(?:[\w.@-]+\/){2,}[\w.@-]*$/.test(value.slice(0, 100)) &&
    !looksRandom(value.replaceAll('/', ''), MIN_TOKEN));

/** Types, calls, names with dots: `z.string()`, `Option<Vec<u8>>`, `user.password1`. */
const isCode = (value: string): boolean =>
  /^[!^]|[a-z]\|[A-Z]|[(){}[\]]|=>|::|->|\?[?.]|\|\||&&|<[A-Z]|\$\{|^[!&*@]?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+(?:$|[^\w$.])/.test(
    value,
  ) && !looksRandom(value.replace(/[^A-Za-z0-9]/g, ''), 24);

/** A call or a path of names, where a value of settings could stand too. */
const isExpression = (value: string): boolean =>
  /\?\.|=>|^[A-Za-z_][\w.]*\(|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:$|[^\w.])/.test(value) &&
  !looksRandom(value.replace(/[^A-Za-z0-9]/g, ''), 18);
