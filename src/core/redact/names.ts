import { codeAt } from './chars.js';
/**
 * What a name says of the value that it is given:
 * - `password`: chosen by people, can be short
 * - `secret`: anything from a word to a key
 * - `token`: made by a machine, long
 * - `key`: as a token, but the word has other senses, so the value must look random
 * - `pin`: digits
 * - `groups`: of capitals and digits, as licences are written
 * - `phrase`: words
 * - `blob`: the name says nothing; the value must be long and of all classes of characters
 */
export type SecretSort =
  'password' | 'secret' | 'token' | 'key' | 'pin' | 'groups' | 'phrase' | 'blob';

export interface SecretName {
  readonly sort: SecretSort;
  /** What a finding is called. */
  readonly kind: string;
}

const sorts: readonly (readonly [SecretSort, string, string])[] = [
  [
    'password',
    'password',
    'password passwd passwort passwords pass pwd pw psw pswd passcode kennwort',
  ],
  [
    'password',
    'password',
    'contrasena contraseña clave senha wachtwoord haslo hasło heslo parola sifre',
  ],
  [
    'password',
    'password',
    'şifre lösenord losenord adgangskode salasana motdepasse mdp пароль userpassword assword jelszo jelszó kodeord passord lozinka geslo κωδικός',
  ],
  [
    'password',
    'password',
    'psk passwordsalt requirepass masterauth storepass keypass sshpass rootpw bindpw unlockcode dbpass dbpwd userpass mypass mailpass smtppass adminpass rootpass loginpass wifipass mqttpass pincode',
  ],
  ['groups', 'license-key', 'license licence serial'],
  ['pin', 'pin', 'pin pincode otp cvv cvc'],
  ['phrase', 'seed-phrase', 'mnemonic seedphrase'],
  ['password', 'passphrase', 'passphrase passphrases'],
  ['secret', 'secret', 'secret secrets credential credentials cred creds pepper salt'],
  ['secret', 'secret', 'authpass community keymaterial macaroon'],
  ['token', 'token', 'token tokens bearer jwt pat authtoken accesstoken refreshtoken idtoken'],
  ['token', 'token', 'authorization auth webhooksecret sessionkey sas sastoken hmac'],
  ['token', 'session', 'phpsessid jsessionid sessiontoken'],
  [
    'token',
    'api-key',
    'apikey apikeys apitoken privkey wif appkey authkey accesskey secretkey privatekey',
  ],
  ['token', 'api-key', 'masterkey signingkey encryptionkey licensekey accountkey clientkey'],
  ['token', 'api-key', 'sharedaccesskey primarykeyvalue subscriptionkey adminkey servicekey'],
  ['token', 'one-time-code-seed', 'totp mfa otpsecret seed'],
  ['key', 'key', 'key keys sk ak refresh sec dek kek ksk zsk tsig'],
  [
    'key',
    'key',
    'schlüssel schluessel llave chave chiave klucz ключ sleutel nyckel nøgle avain jeton токен geheimnis secreto segredo segreto sekret',
  ],
];

export const byWord = new Map(
  sorts.flatMap(([sort, kind, words]) =>
    words.split(' ').map((name): [string, SecretName] => [name, { sort, kind }]),
  ),
);

/** `dbpassword` and `githubtoken` are one word; `compass` and `monkey` are not meant. */
export const endings = [
  'password passwd passphrase passcode pwd secret token apikey accesskey secretkey privatekey authkey',
  'credentials masterkey signingkey encryptionkey kennwort passwort',
].flatMap((line) => line.split(' '));

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Mean a secret as parameters of a URL only. */
export const queryNames = words(
  'sig signature code auth hmac hdnts samlresponse ticket sid sk appid key',
);

/** In `name: TOKEN, value: ...` the name of what is named beside it. */
export const valueNames = words(
  'value default defaultvalue stringvalue content val plaintext plain cleartext raw data body parametervalue optionvalue result',
);
export const isValueName = (name: string): boolean =>
  valueNames.has(name.toLowerCase().replace('_', ''));

export const compounds = [
  'material',
  'phrase',
  'words',
  'word',
  'passe',
  'str',
  'wd',
  'id',
  'session',
  'sid',
  'response',
  'cookie',
  'code',
  'signing',
  'api',
  'private',
];

/** May stand behind the telling word without changing what is said. */
export const trailing = words(
  `value val plain plaintext raw cleartext base64 b64 hex string str text data prod production dev
  development stage staging test testing sandbox live old new current previous prev next primary
  secondary backup default main base global local eu us v1 v2 v3 v4 confirm confirmation here
  const env temp tmp gen result 2fa seed encoded bytes content contents encrypted`,
);

/** Before `key`: the ones that open something. */
const keyOpeners = words(
  `api secret private access auth admin app application account master encryption encrypt decryption
  signing sign signature license licence service server client consumer shared storage subscription
  write read ingest ingestion deploy deployment session cookie jwt hmac crypto cipher aes des
  wireguard preshared root webhook integration host bot security function
  functions project publish personal developer dev live prod production test sandbox rest sdk send
  sending tracking telemetry data user team org organization org node wallet signer validator deployer
  recovery activation product serial vault transit unseal fernet nextauth secure logged nonce database
  db rpc feed connection hub bus iot maps gateway device room management agent worker rails setup otp`,
);

/** Anywhere before a telling word: something else is meant. */
const disarming = words(
  `public publishable placeholder example hash hashed digest count counts limit max min num number total
  page cursor continuation cancellation cancel pagination next prev sync is has show hide toggle forgot`,
);

/** Right before `key`, in any style: open nothing. */
const plainKeys = words(
  `partition sort primary foreign cache row object idempotency registry i18n translation site
  const let var restore hash gpg pgp ssh rsa dsa ecdsa ed25519 verify verifying recv`,
);

/** Right before `key`: a key of a list, a table or a keyboard. */
const harmlessKeys = words(
  `partition sort primary foreign cache row group object idempotency registry react query i18n
  translation message lookup map unique natural candidate composite range search feature column route
  state list tree menu event hot arrow tab escape dict json shift ctrl meta alt up down left right press
  code the a any each this that no of for same first last in by with hash index label field property
  prop attribute config option setting settings env param header metadata context theme color style
  locale string number symbol path file folder gpg pgp ssh
  socket site restore save fallback lock dir bucket blob item entry node element id name type kind
  sub parent child shortcut dedupe deduplication join shard topic s3 r2
  redis legend command cmd set get has is delete`,
);

/** The last three letters of every name that is looked at: nearly all other names fail here. */
const lastLetters = new Int32Array((1 << 15) / 32);
const anyLetter: readonly number[] = Array.from({ length: 32 }, (_, letter) => letter);
const letterSlot = (a: number, b: number, c: number): number =>
  ((a & 31) << 10) | ((b & 31) << 5) | (c & 31);
for (const name of [
  ...byWord.keys(),
  ...trailing,
  ...compounds,
  ...endings,
  ...queryNames,
  ...valueNames,
]) {
  const [c = 0, b, a] = Array.from(name.replace(/\d+$/, ''), (letter) =>
    letter.charCodeAt(0),
  ).reverse();
  // Anything can stand before a word of one or two letters.
  for (const first of a === undefined ? anyLetter : [a]) {
    for (const second of b === undefined ? anyLetter : [b]) {
      const slot = letterSlot(first, second, c);
      lastLetters[slot >> 5] = (lastLetters[slot >> 5] ?? 0) | (1 << (slot & 31));
    }
  }
}

const MAX_DIGITS = 3;

/** Whether the name that ends before `end` is worth a look. */
export function mayEndSecretName(text: string, end: number): boolean {
  let at = end - 1;
  // `TOKEN_2`, `base64`: of short numbers only the letters before count.
  while (at >= end - MAX_DIGITS && isDigitOrBar(codeAt(text, at))) at -= 1;
  const last = codeAt(text, at);
  // Foreign letters are looked at: there are few.
  if (last < 65 || last > 122) return last > 122 || (at < end - MAX_DIGITS && last > 57);
  const slot = letterSlot(codeAt(text, at - 2), codeAt(text, at - 1), last);
  return ((lastLetters[slot >> 5] ?? 0) & (1 << (slot & 31))) !== 0;
}

const isDigitOrBar = (code: number): boolean => (code > 47 && code < 58) || code === 95;

const parts = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+|\p{Lo}+/gu;
const remembered = new Map<string, SecretName | null>();

const foreignPasswords = words(
  `passwort kennwort contrasena contraseña senha wachtwoord haslo hasło heslo sifre şifre lösenord losenord
  adgangskode salasana motdepasse пароль jelszo jelszó kodeord passord lozinka geslo κωδικός`,
);

/** Code is written in English: another language's word for password stands in notes, before data. */
export const isForeignPassword = (name: string): boolean =>
  foreignPasswords.has(name.toLowerCase());

/** What a name such as `DB_PASSWORD`, `clientSecret` or `x-api-key` promises; undefined: no secret. */
export function secretName(name: string): SecretName | undefined {
  const before = remembered.get(name);
  if (before !== undefined) return before ?? undefined;
  const found = judge(name);
  // Names repeat; a hostile text must not fill the memory with them.
  if (remembered.size > 5000) remembered.clear();
  remembered.set(name, found ?? null);
  return found;
}

/** What frameworks call the cookie of a session; agents call ids of theirs `sessionId`. */
export const sessionCookies: readonly string[] =
  'ASP.NET_SessionId connect.sid sessionid csrftoken laravel_session ci_session _session_id'.split(
    ' ',
  );
const sessionCookieSet = new Set(sessionCookies);

function judge(name: string): SecretName | undefined {
  if (sessionCookieSet.has(name)) return { sort: 'key', kind: 'session' };
  const all = (name.match(parts) ?? []).map((part) => part.toLowerCase());
  let last = all.length - 1;
  while (last > 0 && isTrailing(all[last] ?? '')) last -= 1;
  // `OTP_SEED`, `WALLET_SEED`: behind other words a seed is one of its own.
  if (all.at(-1) === 'seed' && all.length > 1) last = all.length - 1;
  const part = all[last] ?? '';
  const before = last > 0 ? all[last - 1] : undefined;
  const found = byWord.get(part) ?? byEnding(part);
  if (!found) return compound(part, before);
  if (all.slice(0, last).some((other) => isDisarming(other, part))) return undefined;
  if (before === undefined && needsLook.has(part)) return { ...found, sort: 'key' };
  if (found.sort === 'key' && !needsLook.has(part)) {
    return judgeKey(found, before, name === name.toUpperCase());
  }
  return before === undefined && needsCompany.has(part) ? undefined : found;
}

/** What goes into a hash is a secret, as its salt. */
const isDisarming = (other: string, part: string): boolean =>
  disarming.has(other) && !(other === 'hash' && (part === 'salt' || part === 'secret'));

/** Variables of the environment are seldom keys of lists. */
function judgeKey(
  found: SecretName,
  before: string | undefined,
  isVariable: boolean,
): SecretName | undefined {
  if (before === undefined || plainKeys.has(before)) return undefined;
  if (harmlessKeys.has(before) && !isVariable) return undefined;
  return keyOpeners.has(before) ? { sort: 'token', kind: 'api-key' } : found;
}

const isTrailing = (part: string): boolean => trailing.has(part) || /^\d{1,3}$/.test(part);

/** Say little when they stand alone. */
const needsCompany = words('pat community credentials credential keys');
/** When they stand alone, only what looks random is one. */
const needsLook = words('tokens secrets seed sk ak refresh');

/** `pass phrase`, `mot de passe`, `seed words`. */
function compound(part: string, before: string | undefined): SecretName | undefined {
  const pair = `${before ?? ''} ${part}`;
  if (pair === 'pass phrase') return { sort: 'password', kind: 'passphrase' };
  if (pair === 'pass word' || pair === 'de passe') return { sort: 'password', kind: 'password' };
  if (/^(?:seed|recovery|backup|mnemonic|secret) (?:phrase|words)$/.test(pair)) {
    return { sort: 'phrase', kind: 'seed-phrase' };
  }
  if (pair === 'erlang cookie' || pair === 'node cookie') {
    return { sort: 'key', kind: 'secret' };
  }
  if (pair === 'token code' || pair === 'pin code') return { sort: 'pin', kind: 'pin' };
  if (pair === 'unlock code' || pair === 'security code') {
    return { sort: 'password', kind: 'code' };
  }
  if (pair === 'pass code') return { sort: 'password', kind: 'password' };
  if (/^(?:access|auth|authorization|activation|pairing|invite|recovery|backup) code$/.test(pair)) {
    return { sort: 'key', kind: 'code' };
  }
  if (/^(?:klucz|ключ|clé|cle|clave|chiave|chave|llave|cheie|anahtar) api$/.test(pair)) {
    return { sort: 'token', kind: 'api-key' };
  }
  if (/^(?:bw|bitwarden|op|fastlane|aws|vpn|okta) session$/.test(pair)) {
    return { sort: 'token', kind: 'session' };
  }
  if (pair === 'dkim private' || pair === 'rsa private') return { sort: 'token', kind: 'key' };
  if (pair === 'key material') return { sort: 'secret', kind: 'secret' };
  if (pair === 'saml response') return { sort: 'token', kind: 'saml-response' };
  if (pair === 'secret id') return { sort: 'token', kind: 'secret-id' };
  if (/^(?:jwt|token|cookie|request|webhook|hmac) signing$/.test(pair)) {
    return { sort: 'token', kind: 'api-key' };
  }
  if (pair === 'conn str' || pair === 'pass wd') return { sort: 'secret', kind: 'secret' };
  return undefined;
}

function byEnding(part: string): SecretName | undefined {
  const ending = endings.find((word) => part.endsWith(word));
  return ending === undefined ? undefined : byWord.get(ending);
}
