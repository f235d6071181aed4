import {
  alphanumeric,
  base64Url,
  charSet,
  codeAt,
  digits,
  endOfRun,
  hex,
  startOfRun,
} from './chars.js';
import { Rank } from './finding.js';
import { isMadeOfWords } from './madeOfWords.js';
import { readsAsPassword } from './passwordLook.js';
import { detectAzureKey } from './azureKeys.js';
import { isFillIn } from './values.js';
import { isHex, isUuid, looksRandom } from './randomness.js';
import type { Scan } from './scan.js';

const uuidLength = 36;

/**
 * `id:secret`, at the colon: Telegram (digits, then `AA`), Asana and others (long digits), Ghost and
 * many a webhook (24 hex digits), fal (UUID).
 */
export function detectPair(scan: Scan, at: number): void {
  const { text } = scan;
  if (isPgpassStart(text, at)) detectPgpass(scan, at);
  if (scan.lane === 'share') detectAddressed(scan, at);
  detectRelay(scan, at);
  if (scan.lane === 'share') detectAtHost(scan, at);
  if (hex[codeAt(text, at - 1)] !== 1 || alphanumeric[codeAt(text, at + 1)] !== 1) return;
  const end = endOfRun(text, at + 1, base64Url, at + 140);
  const secret = text.slice(at + 1, end);
  if (secret.length < 32 || secret.length > 128 || !looksRandom(secret, 30)) return;
  const start = idBefore(text, at, secret);
  if (start !== undefined) scan.add('id-and-secret', start, end, Rank.structure);
}

const passwordChars = charSet('A-Za-z0-9!@#$%^&*+?~_=.-');

/** A line of users and their passwords. */
const isUserList = (before: string, secret: string): boolean =>
  /(?:^|\n)[ \t]{0,12}(?:root|admin|administrator|ubuntu|user|deploy|guest|[a-z]{2,12})$/.test(
    before,
  ) && isMadeOfWords(secret);

const lone = /(?:^|\n)[ \t]{0,12}(?!SHA|sha|md5|MD5)[A-Za-z_][\w.-]{1,30}$/;
const MAX_LONE = 24;

/** `user@example.com:X`, `user:X` alone in a line; where a path of a remote can stand too, so it has to read as nothing else. */
function detectAddressed(scan: Scan, at: number): void {
  const { text } = scan;
  const end = endOfRun(text, at + 1, passwordChars, at + 66);
  if (end - at < 11 || text[end] === '/') return;
  const before = text.slice(Math.max(0, at - 84), at);
  const isLone = end - at <= MAX_LONE && /\s|^$/.test(text[end] ?? '') && lone.test(before);
  if (!isLone && !/[\w.+-]@[\w-]{1,40}\.[\w.-]{2,40}$/.test(before)) return;
  const secret = text.slice(at + 1, end);
  const isSure = readsAsPassword(secret) || (isUserList(before, secret) && !isFillIn(secret));
  if (isSure) scan.add('password', at + 1, end, Rank.prose);
}

const atHost =
  /:([^\s:/@"'`]{6,64})@(?:\d{1,3}(?:\.\d{1,3}){3}|[\w-]{2,40}(?:\.[\w-]{2,40}){1,5})(?![\w@-])/y;

/** `user:X@host`, without a scheme. */
function detectAtHost(scan: Scan, at: number): void {
  const { text } = scan;
  const end = endOfRun(text, at + 1, passwordChars, at + 66);
  if (end - at < 7 || text[end] !== '@' || base64Url[codeAt(text, at - 1)] !== 1) return;
  if (text.startsWith('mailto', at - 6)) return;
  const secret = scan.match(atHost, at)?.[1];
  if (secret === undefined || isFillIn(secret)) return;
  if (!readsAsPassword(secret) && !isMadeOfWords(secret)) return;
  scan.add('password', at + 1, at + 1 + secret.length, Rank.prose);
}

const relay = /(?:^|[\s\]])\S{0,80}:\d{2,5}[ \t]{1,8}[\w.@+-]{1,60}$/;
const userChars = charSet('A-Za-z0-9_.@+-');
const relayPassword = /:([^\s:/]{6,100})[ \t]{0,8}(?=\r?\n|$)/y;

/** `[smtp.example.com]:587 ann:X`, as Postfix keeps them. */
function detectRelay(scan: Scan, at: number): void {
  const { text } = scan;
  const user = startOfRun(text, at, userChars, at - 61);
  if (user === at || !/[\d*][ \t]$/.test(text.slice(Math.max(0, user - 2), user))) return;
  const secret = scan.match(relayPassword, at)?.[1];
  if (secret === undefined || isFillIn(secret) || !/\d.{0,3}$|[!@#$%^&*]/.test(secret)) return;
  if (relay.test(scan.text.slice(Math.max(0, at - 120), at))) {
    scan.addMatch('password', relayPassword, at);
  }
}

const isPgpassStart = (text: string, at: number): boolean =>
  text[at + 1] === '*' ||
  (digits[codeAt(text, at + 1)] === 1 && digits[codeAt(text, at + 2)] === 1);

const pgpass = /:(?:\d{2,5}|\*):[^:\s/]{1,64}:[^:\s/]{1,64}:((?:[^:\s\\"'`]|\\.){4,128})(?=\s|$)/y;

/** `host:port:database:user:password`. */
function detectPgpass(scan: Scan, at: number): void {
  const secret = scan.match(pgpass, at)?.[1];
  if (
    secret === undefined ||
    isFillIn(secret) ||
    !/[A-Za-z]/.test(secret) ||
    !/[\d!@#$%^&*]/.test(secret)
  ) {
    return;
  }
  if (
    !/[A-Za-z*]$|[A-Za-z][\w.-]{0,60}$|\d\.\d{1,3}$/.test(scan.text.slice(Math.max(0, at - 64), at))
  ) {
    return;
  }
  scan.addMatch('password', pgpass, at);
}

function idBefore(text: string, at: number, secret: string): number | undefined {
  const number = startOfRun(text, at, digits, at - 24);
  const isTelegram = secret.startsWith('AA') && at - number >= 8;
  if (isTelegram || (at - number >= 12 && at - number < 24)) return number;
  const hexStart = startOfRun(text, at, hex, at - 25);
  if (at - hexStart === 24 && isHex(secret) && secret.length === 64) return hexStart;
  const isUuidBefore = at >= uuidLength && isUuid(text.slice(at - uuidLength, at));
  return isUuidBefore ? at - uuidLength : undefined;
}

/** `x-y` runs whose parts have telling lengths: Mailchimp, Mailgun, Discord, New Relic, Azure. */
export function detectRun(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  const length = end - start;
  if (length >= 36 && length <= 50) {
    const run = text.slice(start, end);
    const isKnown =
      /^[0-9a-f]{32}-us\d{1,2}$/.test(run) ||
      /^[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}$/.test(run) ||
      /^[0-9a-fA-F]{36}NRAL$/.test(run);
    if (isKnown) scan.add('api-key', start, end, Rank.shape);
  }
  if (length === 32 && text[end] === '.' && isHex(text.slice(start, end))) {
    const to = endOfRun(text, end + 1, base64Url, end + 80);
    if (looksRandom(text.slice(end + 1, to), 16)) {
      scan.add('id-and-secret', start, to, Rank.structure);
    }
  }
  if (length === 40 && text.startsWith('YC', start) && looksRandom(text.slice(start, end), 40)) {
    scan.add('yandex-access-key', start, end, Rank.shape);
  }
  if (length === 24 && text.startsWith('s.', start - 2) && hasAll(text.slice(start, end))) {
    scan.add('vault-token', start - 2, end, Rank.shape);
  }
  detectParts(scan, start, end);
  detectAzureKey(scan, start, end);
  if (length >= 40 && text.startsWith('_mmk', end - 4)) {
    scan.add('maxmind-key', start, end, Rank.shape);
  }
  if (length >= 23 && length <= 28 && text[end] === '.') {
    scan.addMatch('discord-bot-token', discord, start, Rank.shape);
  }
}

/** `name.random.random`: tokens of many parts, most of which say nothing. */
function detectParts(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  if (text[start - 1] === '.' && end - start >= 32) detectLastPart(scan, start, end);
  if (text[end] !== '.' || end - start < 20) return;
  const to = endOfRun(text, end + 1, base64Url, end + 400);
  if (to - end < 13 || to - end > 390 || /[\w/]/.test(text[to] ?? ' ')) return;
  if (!hasAll(text.slice(start, end)) || !hasAll(text.slice(end + 1, to), 12)) return;
  if (/\b(?:pk|pub)\.$/.test(text.slice(Math.max(0, start - 5), start))) return;
  scan.add('token', start - markBefore(text, start), to, Rank.structure);
}

/** `name.id.random`, at the last. */
function detectLastPart(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  const first = startOfRun(text, start - 1, base64Url, start - 24);
  if (!/[\s"'`=:]|^$/.test(text[end] ?? '') || start - first < 11 || start - first > 23) return;
  if (!hasAll(text.slice(first, start - 1), 10) || !hasAll(text.slice(start, end))) return;
  scan.add('token', first - markBefore(text, first), end, Rank.structure);
}

const markBefore = (text: string, at: number): number =>
  /(?:[a-z][a-z0-9]{1,7}\.){1,2}$/.exec(text.slice(Math.max(0, at - 18), at))?.[0].length ?? 0;

const hasAll = (part: string, min = 20): boolean =>
  /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part) && looksRandom(part, min);

const discord = /[MNO][A-Za-z\d_-]{22,27}\.[A-Za-z\d_-]{6}\.[A-Za-z\d_-]{27,40}(?![A-Za-z\d_-])/y;
