import { Rank } from './finding.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isDrawn } from './letters.js';
import { isHarmless, isStrong } from './values.js';

const seed =
  /(?:mnemonic|seed|recovery|backup|secret)(?:[ _-]{0,2}(?:phrase|words|code|recovery phrase))?[^\n]{0,40}?(?:is|:|=|are)\s{0,4}["'`]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/iy;
const codes =
  /(?:recovery|backup|one-time|scratch|2fa)[ _-](?:codes?|keys?)[^\n]{0,40}?[:=]\s{0,6}(?:\d{1,2}[.)] |[-*] )?["'`[]{0,2}((?:[A-Za-z0-9]{4,10}-?[A-Za-z0-9]{4,10}["'`]?[\s,]{1,4}(?:\d{1,2}[.)] |[-*] )?["'`]?){0,15}[A-Za-z0-9]{4,10}-?[A-Za-z0-9]{4,10})/iy;

/** What people are told to write down: the words of a wallet, codes for when a phone is lost. */
const detectPhrase: Detector = (scan, at) => {
  scan.addMatch('seed-phrase', seed, at, Rank.prose);
  const list = scan.match(codes, at)?.[1];
  if (list !== undefined && /\d/.test(list) && scan.lane === 'share') {
    scan.addMatch('recovery-codes', codes, at, Rank.prose);
  }
};

export const phraseOpeners: readonly Opener[] = [
  ...openers('mnemonic seed recovery backup secret one-time scratch 2fa', detectPhrase, true),
  // Begins with a Latin letter, so it is met as a word.
  ...['Mật', 'mật'].map((literal): Opener => ({ literal, detect: detectForeign })),
];

const foreign =
  /(?:密码|密碼|口令|暗号|暗證|パスワード|合言葉|暗証番号|비밀번호|암호|[Пп]арол[ьяи]|كلمة (?:المرور|السر)|رمز عبور|סיסמ[הא]|รหัสผ่าน|पासवर्ड|[Κκ]ωδικός|[Mm]ật khẩu(?: là)?|[şŞ]ifre\p{L}{0,4})/uy;
/** A table, since texts of these scripts ask for every letter. */
const firstLetters = new Uint8Array(1 << 16);
for (const letter of '密 口 暗 パ 合 비 암 п П ş Ş κ Κ प \u0643 \u0631 \u05e1 \u0e23'.split(' ')) {
  firstLetters[letter.charCodeAt(0)] = 1;
}
export const mayBeForeign = (code: number): boolean => firstLetters[code] === 1;

const MAX_BETWEEN = 30;
const told = /[:=\-–—>\s"'`]{0,6}([!-~]{4,64})/y;

/** The word for password in scripts without spaces or with their own letters, and what it is near. */
export function detectForeign(scan: Scan, at: number): void {
  const keyword = scan.match(foreign, at)?.[0];
  if (keyword === undefined || !scan.mayLook('foreign', at, at + MAX_BETWEEN)) return;
  const from = endOfForeign(scan.text, at + keyword.length);
  const match = scan.match(told, from);
  const secret = match?.[1]?.replace(/["'`,;.)]{1,4}$/, '');
  if (!match || secret === undefined || isHarmless(secret)) return;
  const min = scan.lane === 'save' ? 8 : 4;
  if (
    secret.length < min ||
    (!/\d/.test(secret) && !isDrawn(secret) && !isStrong(secret)) ||
    /^[\d.,~-]{1,5}$/.test(secret) ||
    /[(){}[\]<>]/.test(secret)
  ) {
    return;
  }
  const start = from + match[0].length - (match[1] ?? '').length;
  scan.add('password', start, start + secret.length, Rank.prose);
}

/** Where the words in that script end: at the first ASCII character that is no space. */
function endOfForeign(text: string, from: number): number {
  let at = from;
  const stop = Math.min(text.length, from + MAX_BETWEEN);
  while (at < stop && (text[at] === ' ' || text.charCodeAt(at) > 127)) at += 1;
  return at;
}
