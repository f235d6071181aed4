import { addIfSecret } from './assignments.js';
import { charSet, codeAt, startOfRun, startOfWord, word as inWord } from './chars.js';
import { Rank } from './finding.js';
import { secretName } from './names.js';
import { isDrawn } from './letters.js';
import { isMadeOfWords } from './madeOfWords.js';
import { readsAsPassword } from './passwordLook.js';
import { isHex, isUuid, looksRandom } from './randomness.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isHarmless, isSecretValue, isStrong } from './values.js';
import { isVerb, walkWords, type Word } from './walkWords.js';

/** What passwords are said to be without being told. */
const sayings =
  /^(?:required|invalid|incorrect|wrong|missing|empty|null|weak|strong|valid|correct|optional|expired|hidden|encrypted|hashed|stored|sent|used|set|not|the|an?|in|on|too|also|always|never|only|being|passed|provided|needed|checked|generated|kept|plain|text|same|different|unknown|available|unique|case-sensitive|shown|masked|read|written|saved|loaded|defined|undefined|string|your|my|their|here|there|below|above|that|this|what|why|how|as|at|by|for|from|it|just|still|then|and|or)$/i;

const passwordWords =
  'password passwords passwd passphrase passcode pass pwd pw pin passwort kennwort contraseña contrasena clave senha wachtwoord hasło haslo heslo parola lösenord lösenordet adgangskode adgangskoden kodeord passord passordet salasana salasanasi şifre parolası şifresi jelszó jelszava lozinka geslo slaptažodis parool wachtwoorden hasła mật mdp mot';
const passwordWordSet = new Set(passwordWords.split(' '));
const passwordKeyword = /[A-Za-zÀ-ỹ]{2,20}(?: ?phrase| word| de passe| code| khẩu)?(?![\w(.[=-])/y;

/** The word itself, then "is", "for staging is" and the like, then the password. */
const detectPassword: Detector = (scan, at) => {
  const keyword = scan.match(passwordKeyword, at)?.[0];
  if (keyword === undefined || !passwordWordSet.has(firstWord(keyword))) return;
  detectBefore(scan, at, 'password');
  detectServing(scan, at);
  detectWords(scan, at + keyword.length);
  walkWords(scan, at, at + keyword.length, (word) => {
    if (isToldPassword(scan, keyword, word)) {
      scan.add('password', word.value.start, word.value.end, Rank.prose);
    }
  });
};

const toldWords =
  /(?: is| was|:| =)[ \t]{1,4}["'`]?((?:[a-z]{3,10} ){3,6}[a-z]{3,10})(?=["'`.,;]{0,2}(?:\s|$))/y;

/** "the password is correct horse battery staple" */
function detectWords(scan: Scan, from: number): void {
  const code = scan.text.charCodeAt(from);
  if (scan.lane === 'save' || (code !== SPACE && code !== COLON)) return;
  const content = scan.match(toldWords, from)?.[1];
  if (content !== undefined && isSecretValue(content, 'password', 'line', scan.lane)) {
    scan.addMatch('passphrase', toldWords, from, Rank.prose);
  }
}

const COLON = 58;

const firstWord = (text: string): string => text.toLowerCase().split(' ', 1)[0] ?? '';

const isPointing = (linker: string): boolean => isVerb(linker) || /[>→]$/.test(linker);

/** Words with another sense: only "is" tells which. */
const vague = /^(?:pass|pin|clave|parola|mot)$/i;

function isToldPassword(scan: Scan, keyword: string, word: Word): boolean {
  const { value, index, linker } = word;
  const { lane } = scan;
  const content = scan.text.slice(value.start, value.end);
  const isVague = vague.test(keyword);
  const isLinked =
    linker !== undefined &&
    (!isVague ||
      (isPointing(linker) && (index === 1 || readsAsPassword(content) || isMadeOfWords(content))));
  const isNext = lane === 'share' && index === 0 && (!isVague || isMadeOfWords(content));
  if (!isLinked && !isNext) return false;
  if (isMarkup(scan, word) || sayings.test(content) || isHarmless(content)) return false;
  // The last word of a question.
  if (/^\p{L}+[?!]{1,3}$/u.test(content) && value.style === 'bare') return false;
  if (!isLinked) return isSecretValue(content, 'password', 'bare', lane) || isMadeOfWords(content);
  if (isSecretValue(content, 'password', 'line', lane)) return true;
  if (/^(?:pin|passcode)/i.test(keyword) && /^\d{4,8}$/.test(content)) return true;
  const isQuotedWord = value.style === 'quoted' && /^[\w-]{6,40}$/.test(content);
  return lane === 'share' && isVerb(linker) && isQuotedWord;
}

const isMarkup = ({ text }: Scan, { value }: Word): boolean =>
  value.style !== 'quoted' && isNotation(text.slice(value.start, value.end));

/** Code, a path, a mention; a password can begin with the same signs, but then it is no word behind. */
const isNotation = (content: string): boolean =>
  /[(){}[\]<>"'`\\]|:\/\/|^[/~]|^--/.test(content) ||
  (/^[@*#-]/.test(content) && (content.includes('/') || !isStrong(content.slice(1))));

const keyKeyword =
  /(?:(?:api|access|secret|private|signing|license|licence|encryption|master|admin|app|auth|bot|session|deploy|service|client|account)[ -](?:secret )?(?:access )?(?:keys?|tokens?|secrets?)|tokens?|secrets?|credentials?|key|PAT)(?![\w-])/iy;

const nouns: ReadonlySet<string> = new Set(['token', 'secret', 'credential', 'key', 'PAT']);

/**
 * At one of the first words of `keyKeyword`. Nearly all of them are met in code, where nothing that
 * makes them a key follows; one look at what stands behind the word tells.
 */
const detectKeyAt = (literal: string): Detector => {
  const isNoun = nouns.has(literal);
  return (scan, at) => {
    const { text } = scan;
    const end = at + literal.length;
    const next = codeAt(text, end);
    const isApart = next === SPACE || next === DASH;
    const isFollowed = isApart && keyInitials[codeAt(text, end + 1)] === 1;
    const isAlone = isNoun && inWord[codeAt(text, (next | 32) === S ? end + 1 : end)] !== 1;
    if (isFollowed || isAlone) detectKey(scan, at);
  };
};

/** Of "secret", "access", "key" and "token". */
const keyInitials = charSet('aAkKsStT');
const SPACE = 32;
const DASH = 45;
const S = 115;

/** As for passwords, for what only machines make. */
const detectKey: Detector = (scan, at) => {
  const keyword = scan.match(keyKeyword, at)?.[0];
  if (keyword === undefined) return;
  detectBefore(scan, at, 'token');
  const isPlain = keyword === 'key' && !isKeyOfSomething(scan.text, at);
  walkWords(scan, at, at + keyword.length, (word) => {
    if (isPlain && !/[>→]$/.test(word.linker ?? '') && !isPlainlyKey(scan, word)) return;
    if (isToldKey(scan, word)) scan.add('token', word.value.start, word.value.end, Rank.prose);
  });
};

/** Whether one of `verbs` can stand in the sentence before: a blank behind an "s" or a "t". */
function mayBeSaid(text: string, at: number): boolean {
  const low = Math.max(1, at - 50);
  for (let end = at - 1; end >= low; end -= 1) {
    const code = codeAt(text, end);
    if (endsSentence[code] === 1) return false;
    if (code !== SPACE) continue;
    const letter = codeAt(text, end - 1);
    if (letter === S || letter === S + 1) return true;
  }
  return false;
}

const endsSentence = charSet('\n.:;=');
/** "is the" and the like, in what stands before a keyword, with the rest of the sentence up to it. */
const verbs =
  /[ \t](?:is|was|ist|est|es|as)[ \t](?:the|my|our|your|an?|his|her|their)(?![\w-])(?=[^\n.:;=]{0,40}$)/g;
const VERB_AND_REST = 60;
const isBracket = charSet('"\'`()');
const isCloser = charSet('"\'`)');

/** "hunter2! is the password". */
function detectBefore(scan: Scan, at: number, sort: 'password' | 'token'): void {
  const { text } = scan;
  // The quick look first: keywords are many, and sentences that end in one few.
  if (!mayBeSaid(text, at)) return;
  const from = Math.max(0, at - VERB_AND_REST);
  const near = text.slice(from, at);
  verbs.lastIndex = 0;
  for (let verb = verbs.exec(near); verb; verb = verbs.exec(near)) {
    const end = startOfRun(text, from + verb.index, isCloser, from + verb.index - 2);
    const start = startOfWord(text, end, isBracket, end - 200);
    if (end - start < 6) continue;
    if (!scan.mayLook('before', at, at + 20)) return;
    const content = text.slice(start, end);
    const isSure = sort === 'password' ? isStrong(content) : looksRandom(content);
    if (isSure && !/[(){}[\]<>\\]|:\/\//.test(content)) {
      addIfSecret(scan, { sort, kind: sort }, { start, end, style: 'bare' });
    }
    return;
  }
}

const isQuote = charSet('"\'`');
const serving = / as (?:the |a |my |your |our )?["'`]?$/;

/** "try X as password", "with X as the password" */
function detectServing(scan: Scan, at: number): void {
  const { text } = scan;
  const last = codeAt(text, at - 1);
  if (last !== SPACE && isQuote[last] !== 1) return;
  const from = Math.max(0, at - 12);
  const verb = serving.exec(text.slice(from, at));
  if (!verb || !scan.mayLook('before', at, at + 20)) return;
  const end = startOfRun(text, from + verb.index, isQuote, from + verb.index - 1);
  const start = startOfWord(text, end, isQuote, end - 64);
  if (end - start >= 8 && isServed(text.slice(start, end))) {
    scan.add('password', start, end, Rank.prose);
  }
}

/** Nothing but a password ends in digits and is used as one. */
const isServed = (content: string): boolean => readsAsPassword(content) || isMadeOfWords(content);

const wordChars = charSet('A-Za-z0-9_.-');

const signsInWith =
  /(?:authenticat|authori[sz]|log|sign|connect)\w{0,6} (?:\w{1,12} )?(?:with|using|by) $/i;

/** "the together.ai key ...", not "the cache key ...". */
function isKeyOfSomething(text: string, at: number): boolean {
  if (text[at - 1] !== ' ') return false;
  if (signsInWith.test(text.slice(Math.max(0, at - 50), at))) return true;
  const before = text.slice(startOfRun(text, at - 1, wordChars, Math.max(0, at - 41)), at - 1);
  return before.length > 1 && secretName(`${before.replaceAll('.', ' ')} key`) !== undefined;
}

/** "my key is ...": of a plain key only what is like nothing else. */
function isPlainlyKey({ text, lane }: Scan, { value, linker }: Word): boolean {
  if (/public|sha-?\d|finger|hash/i.test(text.slice(Math.max(0, value.start - 40), value.start))) {
    return false;
  }
  const content = text.slice(value.start, value.end);
  if (lane === 'save' || linker === undefined || /^(?:SHA|MD5)/.test(content)) return false;
  return !isHex(content) && looksRandom(content, 24);
}

function isToldKey(scan: Scan, word: Word): boolean {
  const { value, index, linker } = word;
  const content = scan.text.slice(value.start, value.end);
  if (isMarkup(scan, word) || /^(?:SHA\d{1,3}|MD5):/.test(content)) return false;
  if (linker === undefined && index > (scan.lane === 'save' ? 0 : 1)) return false;
  const min = linker === undefined ? (isHex(content) ? 32 : 20) : 16;
  if (!isUuid(content) && !looksRandom(content.slice(content.lastIndexOf('|') + 1), min)) {
    return false;
  }
  return isSecretValue(content, 'token', value.style, scan.lane);
}

/** `the GITEA_TOKEN is ...`, `client_secret ...`: the name of a variable in a sentence, at its start. */
export function detectNamed(scan: Scan, start: number, end: number): void {
  const found = secretName(scan.text.slice(start, end));
  if (!found) return;
  walkWords(scan, start, end, (word) => {
    const { linker, index, value } = word;
    if ((linker === undefined && index > 0) || isMarkup(scan, word)) return;
    const content = scan.text.slice(value.start, value.end);
    if (sayings.test(content)) return;
    const isSure = linker !== undefined || looksRandom(content);
    if (isSure || found.sort === 'password') {
      addIfSecret(scan, found, { ...value, style: linker === undefined ? 'bare' : 'line' });
    }
  });
}

const credentials =
  /(?:credentials?|creds|zugangsdaten|identifiants|login|log in|log into|logged in|sign in|user(?:name)?)[^\n]{0,60}?[\s:"'`(]([\w.+-]{2,40}(?:@[\w.-]{3,60})?)\s{0,2}(?:\/|\||:|\band\b|\bwith\b|\bpw\b|\bpass\b:?|,)\s{0,2}["'`]?([^\s"'`,/|]{6,64})/iy;

/** "log in with admin / S3cret!" */
const detectCredentials: Detector = (scan, at) => {
  if (scan.lane === 'save') return;
  const match = scan.match(credentials, at);
  const secret = match?.[2]?.replace(/[.,;)]{1,3}$/, '');
  if (!match || secret === undefined) return;
  if (
    (!isMadeOfWords(secret) &&
      (!isStrong(secret) ||
        (!/[!@#$%^&*?]/.test(secret) && !looksRandom(secret, 8) && !isDrawn(secret)))) ||
    /[(){}[\]<>=]|\/\/|@[\w-]+\.[a-z]+$/.test(secret)
  ) {
    return;
  }
  const start = at + match[0].length - (match[2] ?? '').length;
  const value = { start, end: start + secret.length, style: 'bare' } as const;
  addIfSecret(scan, { sort: 'password', kind: 'password' }, value);
};

const account = /(?:root|admin|administrator) ?\/ ?([^\s"'`,/|]{6,64})(?=[\s.,)"'`]|$)/iy;

/** "root / X" */
const detectAccount: Detector = (scan, at) => {
  if (scan.lane === 'save' || /[\w/.-]/.test(scan.text[at - 1] ?? ' ')) return;
  const match = scan.match(account, at);
  const secret = match?.[1]?.replace(/[.)]{1,3}$/, '');
  if (!match || secret === undefined || isHarmless(secret)) return;
  if (!isMadeOfWords(secret) && !readsAsPassword(secret)) return;
  const start = at + match[0].length - (match[1] ?? '').length;
  scan.add('password', start, start + secret.length, Rank.prose);
};

const keyWords =
  'api access secret private signing license licence encryption master admin app auth bot session deploy service client account token credential key';

export const proseOpeners: readonly Opener[] = [
  ...openers(passwordWords, detectPassword, true),
  ...keyWords
    .split(' ')
    .map((literal): Opener => ({ literal, anyCase: true, detect: detectKeyAt(literal) })),
  ...openers('PAT', detectKeyAt('PAT')),
  ...openers(
    'credential creds login log sign user zugangsdaten identifiants accès',
    detectCredentials,
    true,
  ),
  ...openers('root admin administrator', detectAccount, true),
];
