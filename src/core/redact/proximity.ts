import { charSet, codeAt, endOfRun, word } from './chars.js';
import { Rank } from './finding.js';
import { isMadeOfWords } from './madeOfWords.js';
import { isSurelyPassword, readsAsPassword } from './passwordLook.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isHarmless } from './values.js';

const AHEAD = 90;
const CLOSE = 32;
const pieceChars = charSet('A-Za-z0-9!@#$%^&*+?~_=.:/>-');
const telling = charSet('0-9!@#$%^&*?~');
const NEWLINE = 10;

/**
 * Words that read as passwords on the line behind a word that speaks of one. Where sentences and formats
 * are not known, this still finds what they hand over.
 */
const detectProximity: Detector = (scan, at) => {
  const { text, lane } = scan;
  // `ssh-rsa AAAA...` is a public key.
  if (text.startsWith('ssh-', at)) return;
  if (word[codeAt(text, at - 1)] === 1 || !scan.mayLook('proximity', at, at + AHEAD)) return;
  const stop = Math.min(text.length, at + AHEAD);
  for (let start = at; start < stop && codeAt(text, start) !== NEWLINE; start += 1) {
    // The letter of an escape is none of the word behind it.
    if (text[start] === '\\') start += 2;
    const end = endOfRun(text, start, pieceChars, stop + 1);
    // What is cut off at the end is not looked at.
    if (end - start >= 8 && end <= stop && hasTelling(text, start, end)) {
      const isNew =
        lane === 'share'
          ? scan.isFirstLook('piece', start, end)
          : scan.mayLook('piece', start, end);
      if (!isNew) {
        start = end - 1;
        continue;
      }
      // Right behind the word a bit less than certainty will do.
      addPiece(scan, start, text.slice(start, end), lane === 'share' || start - at < CLOSE);
    }
    start = Math.max(start, end - 1);
    // Encrypted by sops and the like.
    if (text.startsWith('ENC[', start - 2)) return;
  }
};

/** Nearly all words have no digit and no mark. */
function hasTelling(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (telling[text.charCodeAt(at)] === 1) return true;
  return false;
}

function addPiece(scan: Scan, at: number, piece: string, isLikelyEnough: boolean): void {
  const { lane } = scan;
  // `bob:secret`, `pw=secret`, `-psecret`, and the end of a sentence.
  const head = /^(?:[\w.-]{1,40}[:=/]{1,2}|[:=>#-]{1,2})(?=.{8})/.exec(piece)?.[0] ?? '';
  if (/^(?:SHA|MD5|sha|md5)/.test(head)) return;
  for (const skip of head === '' ? [0] : [0, head.length]) {
    const value = piece.slice(skip).replace(/[.,:;]{1,3}$/, '');
    const plain = /^[$@#&*%-](?=[A-Z])/.test(value) ? value.slice(1) : value;
    const isMade = lane === 'share' && isMadeOfWords(value);
    if (isMade || (isLikelyEnough ? readsAsPassword(plain) : isSurelyPassword(plain))) {
      scan.add('password', at + skip, at + skip + value.length, Rank.prose);
      return;
    }
  }
}

const passwordChars = charSet('A-Za-z0-9!@#$%^&*+?~_=.-');
const MARK = 2;
for (const mark of '!@#$^*?~') passwordChars[mark.charCodeAt(0)] = MARK;

/** `admin:X`, `"X"`: where no word tells, only what can be nothing else. At the sign in front. */
export function detectSurely(scan: Scan, at: number): void {
  const { text } = scan;
  const stop = Math.min(text.length, at + 66);
  let end = at + 1;
  let isMarked = false;
  while (end < stop) {
    const type = passwordChars[text.charCodeAt(end)] ?? 0;
    if (type === 0) break;
    if (type === MARK) isMarked = true;
    end += 1;
  }
  if (!isMarked || end - at < 11 || end - at > 65) return;
  if (end < text.length && !/["'`\s\\]/.test(text[end] ?? '')) return;
  const value = text.slice(at + 1, end);
  if (isSurelyPassword(value)) scan.add('password', at + 1, end, Rank.prose);
}

const codeWords =
  /(?:(?:verification|security|log ?in|sign-?in|one[- ]time|auth(?:entication)?|access|confirmation|2fa|mfa|otp|door|gate|alarm|pairing|reset)[ -](?:code|pin|passcode)|(?:otp|pin|passcode)(?: for [^\n.]{2,30}?)?(?= is| was|:))[^\n\w]{0,3}(?: is| was|:)?\s{0,3}["'`]?([A-Z0-9]{4,10}#?)(?![\w-])/iy;
const codeBefore =
  /(?:^|[\s"'`])(?:G-)?(\d{4,8})(?: is| as)(?: your| the| my)?(?: \w{2,20}){0,3} $/;

/** `PIN 4711`, `CVV 123` */
const number = /(?:PIN|CVV2?|CVC2?)[ :]{1,3}(\d{3,6})(?![\w.-])/y;

const detectNumber: Detector = (scan, at) => {
  if (
    scan.lane === 'share' &&
    (scan.match(number, at)?.[1]?.length ?? 0) >= (scan.text[at] === 'P' ? 4 : 3)
  ) {
    scan.addMatch('pin', number, at, Rank.prose);
  }
};

/** "Your verification code is 123456." */
const detectCode: Detector = (scan, at) => {
  if (scan.lane === 'save') return;
  const before = codeBefore.exec(scan.text.slice(Math.max(0, at - 70), at));
  if (
    before &&
    /^(?:verification|security|log|sign|one|auth|2fa|mfa|otp)/i.test(scan.text.slice(at, at + 12))
  ) {
    const start = Math.max(0, at - 70) + before.index + before[0].indexOf(before[1] ?? '');
    scan.add('one-time-code', start, start + (before[1] ?? '').length, Rank.prose);
  }
  const match = scan.match(codeWords, at);
  const code = match?.[1];
  if (!match || code === undefined || !/\d.*\d/.test(code) || isHarmless(code)) return;
  // Pins of processors have letters.
  if (/^pin/i.test(match[0]) && /\D/.test(code)) return;
  const end = at + match[0].length;
  scan.add('one-time-code', end - code.length, end, Rank.prose);
};

const words =
  'password passwords passwd passphrase passcode passwort kennwort zugangsdaten contraseña senha wachtwoord hasło heslo parola lösenord passord adgangskode salasana şifre jelszó creds credentials login wifi ssid psk pre-shared sudo luks unlock isakmp ssh rdp vpn ftp identifiants logins admin snmp chap secret authkey';

export const proximityOpeners: readonly Opener[] = [
  ...openers('PIN CVV CVC', detectNumber),
  ...openers(words, detectProximity, true),
  ...[
    'auth ',
    'auth:',
    'auth"',
    'pw:',
    'pw ',
    'pwd',
    'pass ',
    'pass:',
    'mot de passe',
    'log in',
    'sign in',
    'kata sandi',
  ].map((literal): Opener => ({ literal, anyCase: true, detect: detectProximity })),
  ...openers(
    'verification security login sign one-time auth access confirmation 2fa mfa otp door gate alarm pairing reset pin passcode',
    detectCode,
    true,
  ),
];
