import { Rank } from './finding.js';
import { openers, type Detector, type Opener } from './scan.js';
import { isHarmless, isStrong } from './values.js';

const spaced = (head: string): RegExp =>
  new RegExp(`(?:${head})[ \\t]{1,8}["']?([^\\s"';]{4,200})`, 'iy');

/** Settings of servers and statements of SQL that put the secret right behind their words. */
const settings = spaced(
  [
    'identified\\s{1,3}(?:with\\s{1,3}[\\w"`]{2,40}\\s{1,3})?(?:by|as)(?:\\s{1,3}password)?(?=\\s{1,3}["\'])',
    'enable\\s{1,2}(?:secret|password)(?:\\s{1,2}\\d)?',
    'password\\s{1,2}[057]',
    'key-string(?:\\s{1,2}\\d)?',
    '(?:tacacs|radius)-server\\s{1,2}key(?:\\s{1,2}\\d)?',
    'snmp-server\\s{1,2}community',
    'PSK(?:\\s{1,2}is)?',
    'isakmp\\s{1,2}key(?:\\s{1,2}\\d)?',
    'message-digest-key\\s{1,2}\\d{1,3}\\s{1,2}md5(?:\\s{1,2}\\d)?',
    '(?:ascii-text|plain-text|hexadecimal)',
    '(?:auth|priv)\\s{1,2}(?:sha|md5|aes|des)(?:\\s{1,2}(?:128|192|256))?',
    'NickServ\\s{1,3}identify',
    '(?:encrypted\\s{1,2})?password(?=\\s{1,3}["\'])',
    'ConvertTo-SecureString(?:\\s{1,2}-String)?',
    'add-(?:generic|internet)-password[^\\n]{0,120}?-w',
  ].join('|'),
);

const detectSetting: Detector = (scan, at) => {
  const secret = scan.match(settings, at)?.[1];
  if (secret === undefined || isHarmless(secret) || !/[\d!@#$%^&*]/.test(secret)) return;
  scan.addMatch('password', settings, at);
};

/** Lines of which nothing else begins so: `.netrc`, `redis.conf`. */
const lines = spaced(
  'requirepass|masterauth|(?:machine\\s{1,3}\\S{1,100}\\s{1,6})?login\\s{1,3}\\S{1,100}\\s{1,6}password|machine\\s{1,3}\\S{1,100}\\s{1,6}password',
);

const detectLine: Detector = (scan, at) => {
  if (!/(?:^|\n)[# \t]{0,8}$/.test(scan.text.slice(Math.max(0, at - 9), at))) return;
  const secret = scan.match(lines, at)?.[1];
  if (secret !== undefined && !isHarmless(secret)) scan.addMatch('password', lines, at);
};

const imap = /LOGIN ["']?[\w.@+-]{1,80}["']? ["']?([^\s"']{6,200})/y;

const detectImap: Detector = (scan, at) => {
  const secret = scan.match(imap, at)?.[1];
  if (secret !== undefined && !isHarmless(secret) && isStrong(secret)) {
    scan.addMatch('password', imap, at);
  }
};

/** Lines of FTP, IRC, POP3 and SMTP. */
const protocol =
  /(?:PASS|AUTH(?: PLAIN| LOGIN| [a-z][\w-]{1,30})?) :?([^\s"']{6,300})(?=\s{0,4}(?:$|\n))/y;

const detectProtocol: Detector = (scan, at) => {
  if (!/(?:^|[\n:>*]\s{0,3})$/.test(scan.text.slice(Math.max(0, at - 4), at))) return;
  const match = scan.match(protocol, at);
  const secret = match?.[1];
  if (!match || secret === undefined || isHarmless(secret) || !/\d/.test(secret)) return;
  const end = at + match[0].length;
  scan.add('password', end - secret.length, end, Rank.structure);
};

/** At the prompt of an FTP client. */
const ftp = /ftp> user \S{1,60} (\S{4,100})(?=\s|$)/y;

export const directiveOpeners: readonly Opener[] = [
  ...openers('PASS AUTH', detectProtocol),
  ...openers('LOGIN', detectImap),
  { literal: 'ftp> user', detect: (scan, at) => void scan.addMatch('password', ftp, at) },
  ...openers('requirepass masterauth machine login', detectLine),
  ...openers(
    'isakmp message-digest-key ascii-text plain-text hexadecimal auth priv identified enable password key-string tacacs radius snmp-server psk nickserv encrypted convertto-securestring add-generic add-internet',
    detectSetting,
    true,
  ),
];
