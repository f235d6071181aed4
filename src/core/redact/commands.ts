import { valueAfter, type Value } from './assignedValue.js';
import { addIfSecret } from './assignments.js';
import { charSet, endOfRun } from './chars.js';
import { Rank } from './finding.js';
import { secretName } from './names.js';
import { isMadeOfWords } from './madeOfWords.js';
import { readsAsPassword } from './passwordLook.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';
import { isHarmless } from './values.js';

const blanks = charSet(' \t');
const flagChars = charSet('A-Za-z0-9_-');

/** `--password X`, `-AccessToken X`, `-storepass X`, at the first dash; `=` is met by assignments. */
export function detectFlag(scan: Scan, at: number): void {
  const { text } = scan;
  const end = endOfRun(text, at + 1, flagChars, at + 42);
  if (end - at === 2 && text[end] === ' ') detectShortFlag(scan, at, end);
  if (end - at < 4 || !/[ "'\n\r]/.test(text[end] ?? '')) return;
  const found = secretName(text.slice(at + 1, end));
  if (!found) return;
  const from = text[end] === ' ' ? end : endOfArgument(scan, end);
  const value = from === undefined ? undefined : argumentAt(text, from);
  if (value && text[value.start] !== '-') addIfSecret(scan, found, value);
}

/** Where the flag's argument begins in the next item of a list: YAML, arrays, `default=` of parsers. */
function endOfArgument(scan: Scan, end: number): number | undefined {
  const match = scan.match(nextItem, end);
  return match ? end + match[0].length : undefined;
}

const nextItem =
  /["']?(?:,\s{0,40}(?:[a-z]\w{1,20}=[^"',\n]{0,30},\s{0,8}){0,2}(?:default=)?(?=["'])|\r?\n[ \t]{0,40}- (?=[^-]))/y;

/** `-p X` of any program, where `X` is no port, path or pattern. */
function detectShortFlag(scan: Scan, at: number, end: number): void {
  const letter = scan.text[at + 1] ?? '';
  if (!/[pPwaksuU]/.test(letter)) return;
  const value = argumentAt(scan.text, end);
  if (!value) return;
  const argument = scan.text.slice(value.start, value.end);
  // Who it is stands in front: `-u ann:X`, `-U ann%X`.
  const user = /^[\w.@\\-]{1,60}[:%](?=.{8})/.exec(argument)?.[0].length ?? 0;
  if (user === 0 && /[uU]/.test(letter)) return;
  const given = argument.slice(user);
  if (
    readsAsPassword(given) ||
    (scan.lane === 'share' && /[pPw]/.test(letter) && isMadeOfWords(given))
  ) {
    scan.add('password', value.start + user, value.end, Rank.prose);
  }
}

/** An argument of a shell: a person typed it as data, whether quoted or not. */
function argumentAt(text: string, from: number): Value | undefined {
  const value = valueAfter(text, endOfRun(text, from, blanks, from + 20));
  return value && { ...value, style: value.style === 'bare' ? 'line' : value.style };
}

/** The short flag of a program in an array of arguments: `["mysql", "-pX"]`, `["docker", "login", "-p", "X"]`. */
const quotedFlag =
  /["'](?:-[pPaw]|-pw|-passin)(?:["']\s{0,4},\s{0,8}["'](?:pass:)?)?([^"'\s]{4,200})["']/y;
const takesPassword =
  /["'](?:\S{0,60}\/)?(?:mysql\w*|mariadb\w*|sshpass|mongo\w*|docker|podman|redis-cli|7z|zip|unzip|ldap\w+|plink|pscp|az|sqlcmd|openssl|cqlsh)["'](?=\s*,)/;

/** At the dash behind a quotation mark. */
export function detectQuotedFlag(scan: Scan, at: number): void {
  const match = scan.match(quotedFlag, at - 1);
  const secret = match?.[1];
  if (!match || secret === undefined || isHarmless(secret) || !isArgument(scan, secret)) return;
  const before = scan.text.slice(Math.max(0, at - 200), at);
  if (!takesPassword.test(before.slice(before.lastIndexOf('[') + 1))) return;
  const end = at - 1 + match[0].length - 1;
  scan.add('password', end - secret.length, end, Rank.structure);
}

const quote = `["']?`;
const rest = `(?:[^\\n|;&\\\\]|\\\\[^]){0,300}?\\s`;
const flag = (flags: string, value = `([^\\s"'-][^\\s"']{2,200})`): string =>
  `${rest}(?:${flags})${quote}${value}`;

/** What programs take as a password by their own short flags and places. */
const commands: readonly (readonly [names: string, argument: string])[] = [
  ['mysql mysqldump mysqladmin mariadb mysqlimport mycli', flag('-p')],
  ['sshpass', flag('-p\\s{0,4}')],
  [
    'curl wget',
    flag('(?:-u|--user|--proxy-user|-U)[ =]{0,4}', `[^\\s"':]{0,100}:([^\\s"']{3,200})`),
  ],
  ['http https xh', flag('(?:-a|--auth)[ =]{1,4}', `[^\\s"':]{0,100}:([^\\s"']{3,200})`)],
  [
    'curl',
    flag('(?:-b|--cookie)\\s{1,4}', `(?:[^"'\\n]{0,200}; ?)?[\\w.-]{1,64}=([^;"'\\s]{16,2000})`),
  ],
  [
    'docker podman buildah skopeo helm oras nerdctl crane',
    flag('(?:-p|--password|--creds|--src-creds|--dest-creds)[ =]{1,4}(?:[\\w.@-]{1,60}:)?'),
  ],
  ['plink pscp psftp', flag('-pw\\s{1,4}')],
  ['redis-cli', flag('(?:-a|--pass)\\s{1,4}')],
  [
    'mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh rdesktop az sqoop hydra crackmapexec netexec nxc evil-winrm',
    flag('-p\\s{0,4}'),
  ],
  ['sqlcmd bcp ipmitool mosquitto_pub mosquitto_sub osql isql tsql zip unzip', flag('-P\\s{0,4}')],
  ['ldapsearch ldapadd ldapmodify ldapwhoami ldappasswd ldapdelete', flag('-w\\s{0,4}')],
  ['7z 7za 7zz rar unrar', flag('-p')],
  ['zip unzip', flag('-P\\s{0,4}')],
  ['openssl', flag('-(?:passin|passout|pass)\\s{1,4}(?:pass:)|-k\\s{1,4}')],
  ['xfreerdp wfreerdp mstsc', flag('/p:')],
  ['net', `\\s{1,4}use${rest}(?:/user:\\S{1,80}\\s{1,4})([^\\s"'/*-][^\\s"']{3,100})`],
  ['smbclient rpcclient net', flag('-U\\s{0,4}', `[^\\s"'%]{1,80}%([^\\s"']{3,200})`)],
  ['lftp ncftp', flag('-u\\s{0,4}', `[^\\s"',]{1,80},([^\\s"']{3,200})`)],
  [
    'htpasswd',
    `\\s{1,4}-[a-zA-Z]{0,5}b[a-zA-Z]{0,5}\\s[^\\n]{0,200}?\\s(\\S{4,200})(?=\\s*(?:$|\\n|[;|&]))`,
  ],
  ['snmpwalk snmpget snmpset snmpbulkwalk', flag('-[AXc]\\s{1,4}')],
  [
    'sqlplus expdp impdp rman',
    `\\s{1,4}(?:-\\S{1,8}\\s{1,4}){0,3}${quote}[\\w$#]{1,40}/([^\\s"'@/]{3,100})`,
  ],
  [
    'rabbitmqctl',
    `\\s{1,4}(?:add_user|change_password|authenticate_user)\\s{1,4}\\S{1,80}\\s{1,4}(\\S{4,200})`,
  ],
  [
    'mc',
    `\\s{1,4}alias\\s{1,4}set\\s{1,4}\\S{1,80}\\s{1,4}\\S{1,200}\\s{1,4}\\S{1,120}\\s{1,4}(\\S{6,200})`,
  ],
  ['vault', `\\s{1,4}login\\s{1,4}(?:-\\S{1,40}\\s{1,4}){0,4}(?:token=)?([^\\s=-]{12,200})`],
  ['wpa_passphrase', `\\s{1,4}\\S{1,80}\\s{1,4}(\\S{8,80})`],
  [
    'impacket-psexec impacket-secretsdump secretsdump.py psexec.py wmiexec.py',
    `[^\\n]{0,100}?[\\s/'"][\\w.-]{1,60}:([^\\s@"']{4,100})@`,
  ],
  ['nmcli', `[^\\n]{0,200}?\\spassword\\s{1,4}${quote}([^\\s"']{8,100})`],
  ['gpg gpg2', flag('--passphrase[ =]')],
  ['wandb', `\\s{1,4}login\\s{1,4}(?:--\\S{1,40}\\s{1,4}){0,3}([A-Za-z0-9_-]{20,200})`],
  [
    'bw',
    `\\s{1,4}(?:unlock|login)\\s{1,4}(?:\\S{1,60}\\s{1,4}){0,3}${quote}([^\\s"'-][^\\s"']{7,200})`,
  ],
  ['ssh-keygen', flag('-[NP]\\s{1,4}')],
  ['net', `\\s{1,4}user\\s{1,4}\\S{1,60}\\s{1,4}([^\\s"'/*-][^\\s"']{5,100})`],
  ['cmdkey runas schtasks', flag('/(?:pass|p):|/rp[: ]')],
  [
    'net',
    `\\s{1,4}use\\s{1,4}(?:\\S{1,3}\\s{1,4})?\\\\\\\\\\S{1,100}\\s{1,4}([^\\s"'/*-][^\\s"']{3,100})`,
  ],
  [
    'poetry composer',
    `\\s[^\\n]{0,80}?http-basic\\.\\S{1,80}\\s{1,4}\\S{1,80}\\s{1,4}(\\S{6,200})`,
  ],
  ['bundle', `\\s{1,4}config\\s[^\\n]{0,120}?\\s[\\w.@-]{1,60}:([^\\s/]{6,200})`],
  ['rootpw', `\\s{1,4}(?:--\\S{1,20}\\s{1,4}){0,3}([^\\s-]\\S{5,100})`],
  ['rclone', `\\s{1,4}obscure\\s{1,4}([^\\s-]\\S{5,100})`],
  ['radius-server tacacs-server', flag('key\\s{1,4}(?:\\d\\s{1,4})?')],
  ['gh glab', `\\s{1,4}secret\\s{1,4}set${rest}(?:-b|--body)[ =]${quote}([^\\s"']{4,300})`],
  [
    'aws az gcloud',
    `\\s[^\\n]{0,200}?(?:[sS]ecret|SecureString)[^\\n]{0,200}?\\s--(?:value|secret-string|secret-value)[ =]${quote}([^\\s"'{]{4,300})`,
  ],
];

const echoed =
  /(?:echo|printf|print)\s{1,4}(?:-[neE]{1,3}\s{1,4}){0,2}["']?([^\s"'|]{6,300})["']?\s{0,4}\|\s{0,4}[^\n|]{0,120}(?:password-stdin|secret create|secrets? set|cryptsetup|chpasswd|--passphrase|--with-token|--stdin|sudo -S|passwd|login|base64)/y;

/** `ENV NAME value`, `aws configure set name value`, `npm config set //host/:_authToken value`. */
const setting =
  /(?:ENV|setx|setenv|set|config|configure|secrets?|put|add|export)(?:[ \t]{1,4}(?:set|add|put|-[a-zA-Z]{1,3}|--[\w-]{2,20})){0,3}[ \t]{1,4}["']?([\w./:@-]{3,100})["']?[ \t]{1,4}/y;

const detectSetting: Detector = (scan, at) => {
  const match = scan.match(setting, at);
  const name = match?.[1]?.split(/[:/]/).at(-1);
  const found = name === undefined ? undefined : secretName(name);
  if (!match || !found || /^[a-z]+$/.test(name ?? '')) return;
  const value = argumentAt(scan.text, at + match[0].length);
  if (value) addIfSecret(scan, found, value);
};

function detectCommand(argument: string, name: string): Detector {
  const pattern = new RegExp(`${name.replaceAll('.', '\\.')}(?=\\s)${argument}`, 'y');
  const look = `command ${name}`;
  return (scan, at) => {
    const before = scan.text[at - 1] ?? ' ';
    if (/[\w.-]/.test(before) || !scan.mayLook(look, at, at + 300)) return;
    const match = scan.match(pattern, at);
    const secret = match?.[1]?.replace(/[),;`]{1,4}$/, '');
    if (!match || secret === undefined || isHarmless(secret) || !isArgument(scan, secret)) return;
    const start = at + match[0].length - (match[1] ?? '').length;
    const end = endOfQuoted(scan.text, match[0], start + secret.length);
    scan.add('password', start, end, Rank.structure);
  };
}

/** A quoted argument can hold spaces. */
function endOfQuoted(text: string, matched: string, end: number): number {
  const quote = /(["'])[^"']*$/.exec(matched)?.[1];
  const close = quote === undefined ? -1 : text.slice(end, end + 100).search(/["'\n]/);
  return close > 0 && text[end + close] === quote ? end + close : end;
}

/** A number may be a port, a word a folder; the save lane wants more. */
const isArgument = ({ lane }: Scan, value: string): boolean =>
  !/^\d{1,5}(?::\d{1,5})?$|^[\w-]{1,40}:\d{2,5}$|^[a-z]+\.[a-z]{2,4}$/.test(value) &&
  (lane === 'share' ? !/^[a-z]{1,5}$/.test(value) : /[^a-z-]/.test(value));

export const commandOpeners: readonly Opener[] = [
  ...commands.flatMap(([names, argument]) =>
    names.split(' ').map((name) => ({
      literal: name.length < 3 ? `${name} ` : name,
      detect: detectCommand(argument, name),
    })),
  ),
  ...openers('echo printf', (scan, at) => {
    const match = scan.match(echoed, at);
    const secret = match?.[1];
    if (!match || secret === undefined || isHarmless(secret)) return;
    const start = at + match[0].indexOf(secret);
    const from = start + (/^[\w.-]{1,40}:(?=.{4})/.exec(secret)?.[0].length ?? 0);
    if (!/[^a-zA-Z_ -]/.test(secret) || /^[\w.]+=/.test(secret)) return;
    scan.add('password', from, start + secret.length, Rank.structure);
  }),
  ...openers('ENV setx setenv set config configure secret secrets put add export', detectSetting),
];
