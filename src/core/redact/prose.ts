import { addIfSecret, quotedValue, type Value } from './assignments.js';
import { charSet, endOfRun } from './chars.js';
import { Rank } from './finding.js';
import { looksRandom } from './randomness.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isHarmless, isSecretValue } from './values.js';

const blanks = charSet(' \t');
const wordStops = charSet(' \t\r\n');
const MAX_WORDS = 8;

/** Words that say what something is. */
const linkers = new Set(
  `is was are be = : -> => → ist lautet heißt war est sera es era será é foi è sono jest är er on
  je olarak это 是 为 為`.split(/\s+/),
);
/** What passwords are said to be without being told. */
const said =
  /^(?:required|invalid|incorrect|wrong|missing|empty|null|weak|strong|valid|correct|optional|expired|hidden|encrypted|hashed|stored|sent|used|set|not|the|an?|in|on|too|also|always|never|only|being|passed|provided|needed|checked|never|generated|kept|plain|text|same|different|unknown|available|unique|case-sensitive|shown|masked|read|written|saved|loaded|defined|undefined|string|your|my|their|here|there|below|above|that|this|what|why|how|as|at|by|for|from|it|just|still|then|and|or)$/i;

const passwordWords =
  'password passwords passwd passphrase passcode pass pwd pw pin passwort kennwort contraseña contrasena clave senha wachtwoord hasło haslo heslo parola lösenord adgangskode salasana şifre mot';
const isPasswordWord = (word: string): boolean => passwordWords.split(' ').includes(word);

const passwordKeyword = /[A-Za-zÀ-ž]{2,20}(?: ?phrase| word| de passe| code)?(?![\w(.[-])/y;

/** The word itself, then "is", "for staging is" and the like, then the password. */
const detectPassword: Detector = (scan, at) => {
  const { text, lane } = scan;
  const keyword = scan.match(passwordKeyword, at)?.[0];
  if (keyword === undefined || !isPasswordWord(firstWord(keyword))) return;
  const isVague = vague.test(keyword);
  walk(scan, at, keyword.length, (value, index, linker) => {
    const content = text.slice(value.start, value.end);
    if (said.test(content) || isHarmless(content) || isMarkup(value, content)) return;
    const linked = linker !== undefined && (!isVague || (isVerb(linker) && index === 1));
    if (!linked && (lane === 'save' || index > 0 || isVague)) return;
    const isTold = isSecretValue(content, 'password', linked ? 'line' : 'bare', lane);
    const isWord =
      lane === 'share' &&
      linked &&
      isVerb(linker) &&
      value.style === 'quoted' &&
      /^[\w-]{6,40}$/.test(content);
    if (isTold || isWord || (linked && isPin(keyword, content))) {
      scan.add('password', value.start, value.end, Rank.prose);
    }
  });
};

/** Words with another sense: only "is" tells which. */
const vague = /^(?:pass|pin|clave|parola|mot)$/i;
const isVerb = (linker: string): boolean =>
  /^(?:is|was|ist|lautet|est|es|era|é|jest|är|er|on)$/i.test(linker);
const isMarkup = ({ style }: Value, content: string): boolean =>
  style !== 'quoted' && /^[@/*#~-]|[(){}[\]<>"'`\\]|:\/\//.test(content);

const firstWord = (text: string): string => text.toLowerCase().split(' ', 1)[0] ?? '';

const isPin = (keyword: string, content: string): boolean =>
  /^(?:pin|passcode)/i.test(keyword) && /^\d{4,8}$/.test(content);

/** As for passwords, for what only machines make. */
const detectKey: Detector = (scan, at) => {
  const { text, lane } = scan;
  const line = lineFrom(text, at);
  const keyword =
    /^(?:(?:api|access|secret|private|signing|license|licence|encryption|master|admin|app|auth|bot|session|deploy|service|client|account)[ -](?:secret )?(?:access )?(?:keys?|tokens?|secrets?)|tokens?|secrets?|credentials?)(?![\w-])/i.exec(
      line,
    )?.[0];
  if (keyword === undefined) return;
  walk(scan, at, keyword.length, (value, index, linker) => {
    const content = text.slice(value.start, value.end);
    const linked = linker !== undefined;
    if (isMarkup(value, content)) return;
    if (!linked && (lane === 'save' || index > 1)) return;
    if (!looksRandom(content, linked ? 16 : 20) || isHarmless(content)) return;
    if (isSecretValue(content, 'token', value.style, lane)) {
      scan.add('token', value.start, value.end, Rank.prose);
    }
  });
};

type Visit = (value: Value, index: number, linker: string | undefined) => void;

/** The words of the line behind a keyword: the first few, each with the linking word before it. */
function walk({ text }: Scan, keywordAt: number, length: number, visit: Visit): void {
  let at = keywordAt + length;
  let linker: string | undefined;
  const isChanged = /\b(?:set|chang|reset|updat|rotat)\w{0,6}[^\n]{0,30}$/i;
  let toLinks = isChanged.test(text.slice(Math.max(0, keywordAt - 50), keywordAt));
  for (let index = 0; index < MAX_WORDS; index += 1) {
    at = endOfRun(text, at, blanks, at + 20);
    const end = endOfWord(text, at);
    if (end === at || end - at > 200) return;
    const raw = text.slice(at, end);
    // A sign right behind the keyword makes an assignment, and is met as one.
    if (index === 0 && /^["'`]?[:=,.;)\]}]/.test(raw)) return;
    at = end;
    toLinks ||= /^(?:set|changed|reset|updated|rotated)$/i.test(raw);
    if (linkers.has(raw.toLowerCase()) || (toLinks && raw === 'to')) {
      linker = raw;
      continue;
    }
    visit(valueOf(text, end - raw.length, end), index, linker);
    if (linker !== undefined && !adverbs.test(raw)) return;
    if (/[.!?;]$/.test(raw)) return;
    if (/[:=]$/.test(raw)) linker = ':';
  }
}

const adverbs = /^(?:now|set|still|just|simply|currently|then|going|temporarily|again|always)$/i;

function endOfWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && at - from < 201 && wordStops[text.charCodeAt(at)] !== 1) at += 1;
  return at;
}

function valueOf(text: string, start: number, end: number): Value {
  const quoted = quotedValue(text, start);
  if (/["'`“‘«「]/.test(text[start] ?? '') && quoted && quoted.end - start < 200) return quoted;
  let from = start;
  while (from < end && /[("'`*“‘«「<]/.test(text[from] ?? '')) from += 1;
  let to = end;
  while (to > from && /[.,;:)"'`*”’»」>]/.test(text[to - 1] ?? '')) to -= 1;
  return { start: from, end: to, style: 'bare' };
}

const lineFrom = (text: string, at: number): string =>
  text.slice(at, at + 60).split('\n', 1)[0] ?? '';

const credentials =
  /(?:credentials?|creds|login|log in|log into|logged in|sign in|user(?:name)?)[^\n]{0,60}?[\s:"'`(]([\w.+-]{2,40}(?:@[\w.-]{3,60})?)\s{0,2}(?:\/|\||:|\band\b|,)\s{0,2}["'`]?([^\s"'`,/|]{6,64})/iy;

/** "log in with admin / S3cret!" */
const detectCredentials: Detector = (scan, at) => {
  if (scan.lane === 'save') return;
  const match = scan.match(credentials, at);
  const secret = match?.[2]?.replace(/[.,;)]{1,3}$/, '');
  if (!match || secret === undefined) return;
  if (!/[!@#$%^&*?]/.test(secret) || !/\d/.test(secret) || /[(){}[\]<>=]|\/\//.test(secret)) return;
  const start = at + match[0].length - (match[2] ?? '').length;
  addIfSecret(
    scan,
    { sort: 'password', kind: 'password' },
    { start, end: start + secret.length, style: 'bare' },
  );
};

const seed =
  /(?:mnemonic|seed|recovery|backup|secret)(?:[ _-]{0,2}(?:phrase|words|code|recovery phrase))?[^\n]{0,40}?(?:is|:|=|are)\s{0,4}["'`]?((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/iy;
const codes =
  /(?:recovery|backup|one-time|scratch|2fa)[ _-](?:codes?|keys?)[^\n]{0,40}?[:=]\s{0,6}["'`[]{0,2}((?:[A-Za-z0-9]{4,10}-?[A-Za-z0-9]{4,10}["'`]?[\s,]{1,4}["'`]?){0,15}[A-Za-z0-9]{4,10}-?[A-Za-z0-9]{4,10})/iy;

const detectWords: Detector = (scan, at) => {
  scan.addMatch('seed-phrase', seed, at, Rank.prose);
  const match = scan.match(codes, at);
  const list = match?.[1];
  if (match && list !== undefined && /\d/.test(list) && scan.lane === 'share') {
    const end = at + match[0].length;
    scan.add('recovery-codes', end - list.length, end, Rank.prose);
  }
};

/** Settings of servers and statements of SQL that put the secret right behind a word. */
const directives =
  /(?:requirepass|masterauth|identified\s{1,3}by(?:\s{1,3}password)?(?=\s{1,3}["'])|enable\s{1,2}(?:secret|password)(?:\s{1,2}\d)?|password\s{1,2}[057]|key-string(?:\s{1,2}\d)?|(?:tacacs|radius)-server\s{1,2}key(?:\s{1,2}\d)?|snmp-server\s{1,2}community|:\s{0,2}PSK|NickServ\s{1,3}identify|login\s{1,3}\S{1,60}\s{1,6}password|machine\s{1,3}\S{1,100}\s{1,6}login\s{1,3}\S{1,100}\s{1,6}password|machine\s{1,3}\S{1,100}\s{1,6}password|(?:encrypted\s{1,2})?password(?=\s{1,3}['"])|ConvertTo-SecureString(?:\s{1,2}-String)?|(?:add-generic|add-internet)-password[^\n]{0,120}?-w)[ \t]{1,8}["']?([^\s"';]{4,200})/iy;

const detectDirective: Detector = (scan, at) => {
  const { text } = scan;
  const match = scan.match(directives, at);
  const secret = match?.[1];
  if (!match || secret === undefined || isHarmless(secret)) return;
  if (
    /^(?:requirepass|masterauth)/i.test(match[0]) &&
    !/(?:^|\n)[# \t]*$/.test(text.slice(Math.max(0, at - 8), at))
  ) {
    return;
  }
  if (
    !/[\d!@#$%^&*]/.test(secret) &&
    !/^(?:requirepass|masterauth|machine|login)/i.test(match[0])
  ) {
    return;
  }
  const end = at + match[0].length;
  scan.add('password', end - secret.length, end, Rank.structure);
};

/** Lines of FTP, IRC, POP3 and SMTP. */
const protocol = /(?:PASS|AUTH (?:PLAIN|LOGIN))[ ]:?([^\s"']{6,300})(?=\s*(?:$|\n))/y;
const detectProtocol: Detector = (scan, at) => {
  const match =
    /(?:^|[\n:>*]\s{0,3})$/.test(scan.text.slice(Math.max(0, at - 4), at)) &&
    scan.match(protocol, at);
  const secret = match ? match[1] : undefined;
  if (!match || secret === undefined || isHarmless(secret) || !/\d/.test(secret)) return;
  const end = at + match[0].length;
  scan.add('password', end - secret.length, end, Rank.structure);
};

const keyWords =
  'api access secret private signing license licence encryption master admin app auth bot session deploy service client account token credential';

export const proseOpeners: readonly Opener[] = [
  ...openers('PASS AUTH', detectProtocol),
  ...openers(passwordWords, detectPassword, true),
  ...openers(keyWords, detectKey, true),
  ...openers('credential creds login log sign user', detectCredentials, true),
  ...openers('mnemonic seed recovery backup secret one-time scratch 2fa', detectWords, true),
  ...openers(
    'requirepass masterauth identified enable password key-string tacacs radius snmp-server psk nickserv login machine encrypted convertto-securestring add-generic add-internet',
    detectDirective,
    true,
  ),
];

const foreign =
  /(?:密码|密碼|口令|暗号|パスワード|合言葉|暗証番号|비밀번호|암호|пароль|пароля|пароли|كلمة المرور|סיסמה|รหัสผ่าน|Пароль)(?:[^\s:：=「」『』"'`A-Za-z0-9]{0,12}|\s[^\s:：=A-Za-z0-9]{1,16}){0,3}?\s{0,2}(?:[:：=]|は|是|为|為|को|—|-|это|는|은)?\s{0,3}["'`「『“«]?([!-~]{4,64})/y;

/** The word for password in scripts without spaces or with their own letters. */
export function detectForeign(scan: Scan, at: number): void {
  const match = scan.match(foreign, at);
  const secret = match?.[1]?.replace(/["'`,;.)]{1,4}$/, '');
  if (!match || secret === undefined || isHarmless(secret)) return;
  const min = scan.lane === 'save' ? 8 : 4;
  if (secret.length < min || !/\d/.test(secret) || /[(){}[\]<>]/.test(secret)) return;
  const start = at + match[0].length - (match[1] ?? '').length;
  scan.add('password', start, start + secret.length, Rank.prose);
}

const firstLetters = new Set(Array.from('密口暗パ合비암пПكסร', (letter) => letter.charCodeAt(0)));
export const mayBeForeign = (code: number): boolean => firstLetters.has(code);
