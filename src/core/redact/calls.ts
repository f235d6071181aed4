import { isSureArgument } from './assignments.js';
import { Rank } from './finding.js';
import { charSet, codeAt, endOfRun, isSpace, startOfRun } from './chars.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isAppPassword, isFillIn, isHarmless, isSecretValue, isStrong } from './values.js';

const signIn =
  /[( ]\s{0,8}(?:[^()"'\n]{0,80},\s{0,8})?(?:["'][^"'\n]{1,120}["']\s{0,4},\s{0,8})?["'][^"'\n]{1,80}["']\s{0,4},\s{0,8}(?:[A-Z][a-z]{2,12}\()?["'`]([^"'`\n]{4,120})["'`]/y;
const signsIn =
  /auth|login|log_?on|connect|cred|sign_?in|sqli$|^pdo$|user|account|authenticate|begin$|addlogin|pymysql|client$|session$/i;
const calleeChars = charSet('A-Za-z0-9_');
const known = new Map<string, boolean>();

/**
 * `auth=("user", "password")`, `login("user", "password")`, `new PDO(dsn, "user", "password")`, at the
 * parenthesis: behind what signs somebody in, the text behind another is the password.
 */
export function detectSignIn(scan: Scan, at: number): void {
  const { text } = scan;
  if (!mayHoldTexts(text, at + 1)) return;
  const before = codeAt(text, at - 1);
  const end =
    before === EQUALS || isSpace(before)
      ? at - (/\s?=\s?$/.exec(text.slice(Math.max(0, at - 3), at))?.[0].length ?? 0)
      : at;
  const own = text.slice(startOfRun(text, end, calleeChars, end - 40), end);
  const callee =
    own === 'new'
      ? (/\w{1,40}(?=\]?::new$)/.exec(text.slice(Math.max(0, end - 50), end))?.[0] ?? own)
      : own;
  if (!isSignIn(callee)) return;
  const match = scan.match(signIn, at);
  const secret = match?.[1];
  if (!match || secret === undefined) return;
  if (/\s/.test(secret) && !isAppPassword(secret)) return;
  if (!isSureArgument(scan, secret) && !isSecretValue(secret, 'password', 'quoted', 'save')) return;
  if (isHarmless(secret)) return;
  const close = at + match[0].length - 1;
  scan.add('password', close - secret.length, close, Rank.name);
}

const EQUALS = 61;
const afterArgument = charSet('"\'()\n');

/** Whether a text is the first argument or one right behind a comma: what calls seldom have. */
function mayHoldTexts(text: string, from: number): boolean {
  let at = from;
  while (at < from + 9 && isSpace(codeAt(text, at))) at += 1;
  if (isPlainQuote(codeAt(text, at))) return true;
  const stop = Math.min(text.length, at + 90);
  while (at < stop && afterArgument[codeAt(text, at)] !== 1) at += 1;
  return isPlainQuote(codeAt(text, at));
}

const isPlainQuote = (code: number): boolean => code === 34 || code === 39;

function isSignIn(callee: string): boolean {
  const before = known.get(callee);
  if (before !== undefined) return before;
  const is = callee.length > 2 && signsIn.test(callee);
  if (known.size > 2000) known.clear();
  known.set(callee, is);
  return is;
}

const unparenthesised: Detector = (scan, at) => {
  const end = endOfRun(scan.text, at, calleeChars, at + 40);
  if (scan.text[end] !== ' ') return;
  const match = scan.match(signIn, end);
  const secret = match?.[1];
  if (!match || secret === undefined || /\s/.test(secret) || isHarmless(secret)) return;
  const close = end + match[0].length - 1;
  if (isSureArgument(scan, secret)) scan.add('password', close - secret.length, close, Rank.name);
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
  (kind: string, pattern: RegExp, isSure: (secret: string) => boolean = () => true): Detector =>
  (scan: Scan, at: number) => {
    const match = scan.match(pattern, at);
    const secret = match?.[1];
    if (!match || secret === undefined || isFillIn(secret) || /^[$<{]/.test(secret)) return;
    if (!isSure(secret)) return;
    const start = at + match[0].lastIndexOf(secret);
    scan.add(kind, start, start + secret.length, Rank.structure);
  };

const wifi = /WIFI:[^\n]{0,100}?;?P:((?:\\.|[^;\n\\]){4,64});/y;
const mask = /add-mask::([^\s"']{4,300})/y;
const literal = /from-literal[= ]["']?[\w.-]{1,64}=["']?([^\s"']{4,300})/y;
const oracle = /oracle:(?:thin|oci8?):[\w$#]{1,40}\/([^@\s"'/]{3,100})@/y;
const hereString = /<<<\s{0,2}["']?([^\s"'$]{6,300})/y;
const userpwd =
  /(?:CURLOPT_)?(?:PROXY)?USERPWD["']?\s{0,4}[,=:]>?\s{0,4}["'][^"':\n]{0,80}:([^"'\n]{4,200})["']/iy;
const dsn = /[\w.-]{1,40}:([^\s@"'`/]{4,100})@(?:tcp|unix)\(/y;
const sent = /send(?:_user|line)?\s{1,4}(?:--\s)?["']([^"'\n\\]{4,100})\\{1,2}[rn]/y;
const signed = /HS(?:256|384|512)["']?,\s{0,8}["']([^"'\n]{8,200})["']/y;
/** Behind "Password:" in base64, as SMTP asks (RFC 4954). */
const answered = /UGFzc3dvcmQ6\r?\n(?:[CS]: )?([A-Za-z0-9+/]{6,300}={0,2})/y;
const encodedPair =
  /(?:btoa|b64encode|base64_encode|encodeToString|strict_encode64|urlsafe_b64encode|encodeBase64(?:String)?)\(\s{0,4}[bfr]?["'`][\w.@+-]{1,60}:([^"'`\s]{4,100})["'`]/y;
const stored =
  /set_?password\(\s{0,4}\\?["'][^"'\n]{1,80}["']\s{0,4},\s{0,4}\\?["'][^"'\n]{1,80}["']\s{0,4},\s{0,4}\\?["']([^"'\n]{4,120})\\?["']/iy;
const charArray = /toCharArray/y;
const inline = /auth-user-pass>\r?\n[^\n]{1,80}\n([^\n]{4,200})/y;

/** `expect "password:"`, then `send "...\r"` */
const detectSent: Detector = (scan, at) => {
  if (/pass(?:word|phrase|code)|assword/i.test(scan.text.slice(Math.max(0, at - 120), at))) {
    plainly('password', sent)(scan, at);
  }
};

/** `"...".toCharArray()`: Java's way to hold passwords. */
const detectChars: Detector = (scan, at) => {
  const before = /"([^"\n]{4,100})"\.$/.exec(scan.text.slice(Math.max(0, at - 104), at));
  const secret = before?.[1];
  if (!before || secret === undefined || !scan.match(charArray, at)) return;
  if (isFillIn(secret) || !isSecretValue(secret, 'password', 'quoted', scan.lane)) return;
  scan.add('password', at - 2 - secret.length, at - 2, Rank.structure);
};
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
    'fernet hmac createhmac aes jwt jwts cipher secretbox jsonwebtoken cryptojs signwith privatekey cookieparser cookiesession cookie-session',
    detectCryptoCall,
    true,
  ),
  ...openers('basic_auth http_basic authenticate', unparenthesised),
  ...openers('curlopt_ userpwd proxyuserpwd', plainly('password', userpwd), true),
  ...openers('root: app: admin: user: mysql: dev: test: api: web: db:', plainly('password', dsn)),
  ...openers('send', detectSent),
  ...openers(
    'HS256 HS384 HS512',
    plainly('key', signed, (secret) => isStrong(secret)),
  ),
  ...openers('UGFzc3dvcmQ6', plainly('password', answered)),
  ...openers(
    'btoa b64encode base64_encode encodeToString strict_encode64 urlsafe_b64encode encodeBase64',
    plainly('password', encodedPair),
  ),
  ...openers('set_password setpassword', plainly('password', stored), true),
  ...openers('toCharArray', detectChars),
  ...openers('auth-user-pass>', plainly('password', inline)),
  ...openers('WIFI:', plainly('password', wifi)),
  ...openers('add-mask::', plainly('secret', mask)),
  ...openers('from-literal', plainly('secret', literal)),
  ...openers('oracle:', plainly('password', oracle)),
  ...openers('app google gmail apple icloud', plainly('password', groups), true),
];
