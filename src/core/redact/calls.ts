import { isSureArgument } from './assignments.js';
import { Rank } from './finding.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isAppPassword, isFillIn, isHarmless } from './values.js';

const signIn =
  /[\w.]{0,40}\s?=?\s?\(\s{0,8}(?:[^()"'\n]{0,80},\s{0,8})?["']([^"'\n]{1,80})["']\s{0,4},\s{0,8}["']([^"'\n]{4,120})["']/y;

/** `auth=("user", "password")`, `login("user", "password")`, `new NetworkCredential(...)`. */
const detectSignIn: Detector = (scan, at) => {
  const match = scan.match(signIn, at);
  const [, user, secret] = match ?? [];
  if (!match || user === undefined || secret === undefined) return;
  if (/\s/.test(secret) && !isAppPassword(secret)) return;
  if (isHarmless(secret) || !(isAppPassword(secret) || isSureArgument(scan, secret))) return;
  const end = at + match[0].length - 1;
  scan.add('password', end - secret.length, end, Rank.name);
};

const cryptoCall =
  /[\w.]{2,40}\(\s{0,8}(?:[^()"'\n]{0,80},\s{0,8})?(?:["'][\w-]{2,20}["'],\s{0,8})?b?["'`]([^"'`\s]{12,200})["'`]/iy;

/** `Fernet("...")`, `createHmac("sha256", "...")`, `jwt.sign(payload, "...")`. */
const detectCryptoCall: Detector = (scan, at) => {
  const match = scan.match(cryptoCall, at);
  const secret = match?.[1];
  if (!match || secret === undefined || isHarmless(secret) || !isSureArgument(scan, secret)) return;
  const end = at + match[0].length - 1;
  scan.add('key', end - secret.length, end, Rank.name);
};

/** What a pattern finds in its first group, unless it is there to be replaced. */
const plainly =
  (kind: string, pattern: RegExp): Detector =>
  (scan: Scan, at: number) => {
    const match = scan.match(pattern, at);
    const secret = match?.[1];
    if (!match || secret === undefined || isFillIn(secret) || /^[$<{]/.test(secret)) return;
    const start = at + match[0].lastIndexOf(secret);
    scan.add(kind, start, start + secret.length, Rank.structure);
  };

const wifi = /WIFI:[^\n]{0,100}?;?P:((?:\\.|[^;\n\\]){4,64});/y;
const mask = /add-mask::([^\s"']{4,300})/y;
const literal = /from-literal[= ]["']?[\w.-]{1,64}=["']?([^\s"']{4,300})/y;
const oracle = /oracle:(?:thin|oci8?):[\w$#]{1,40}\/([^@\s"'/]{3,100})@/y;
const hereString = /<<<\s{0,2}["']?([^\s"'$]{6,300})/y;
const groups =
  /(?:app(?:lication)?|app-specific|google|gmail|apple|icloud)[ -](?:specific )?password[^\n]{0,30}?\s["'`]?((?:[a-z]{4}[ -]){3}[a-z]{4})(?![a-z])/iy;

/** `login --stdin <<< "..."`, at the third sign. */
export const detectHereString: Detector = (scan, at) => {
  const before =
    scan.text
      .slice(Math.max(0, at - 120), at)
      .split('\n')
      .at(-1) ?? '';
  if (!/login|passw|stdin|token|sudo|secret|auth/i.test(before)) return;
  plainly('password', hereString)(scan, at);
};

export const callOpeners: readonly Opener[] = [
  ...openers(
    'fernet hmac createhmac aes jwt cipher secretbox jsonwebtoken cryptojs',
    detectCryptoCall,
    true,
  ),
  ...openers(
    'auth login basic credential usernamepassword networkcredential getconnection connect mysqli_connect pdo pg_connect sp_addlogin',
    detectSignIn,
    true,
  ),
  ...openers('WIFI:', plainly('password', wifi)),
  ...openers('add-mask::', plainly('secret', mask)),
  ...openers('from-literal', plainly('secret', literal)),
  ...openers('oracle:', plainly('password', oracle)),
  ...openers('app google gmail apple icloud', plainly('password', groups), true),
];
