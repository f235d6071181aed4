import { charSet, endOfRun, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import { isUuid, looksRandom } from './randomness.js';
import type { Scan } from './scan.js';
import { isThingId } from './tokens.js';
import { isFillIn } from './values.js';

const schemeChars = charSet('A-Za-z0-9+.-');
const urlStops = charSet(' \t\r\n"\'`<>\\');
const MAX_URL = 600;

/** At the colon of `://`: a password before the host, a secret in the path of a webhook. */
export function detectUrl(scan: Scan, colon: number): void {
  const { text } = scan;
  let start = startOfRun(text, colon, schemeChars, colon - 24);
  // The letter of an escape is none of the scheme.
  if (text[start - 1] === '\\' && /[nrt]/.test(text[start] ?? '')) start += 1;
  if (start === colon) return;
  const from = colon + 3;
  if (scan.isLookedOver('url', start)) return;
  let end = from;
  const stop = Math.min(text.length, from + MAX_URL);
  while (end < stop && urlStops[text.charCodeAt(end)] !== 1) end += 1;
  if (!scan.mayLook('url', start, end)) return;
  const scheme = text.slice(start, colon).toLowerCase();
  const host = detectUserInfo(scan, scheme, from, end);
  detectPath(scan, start, host, end);
}

/** Returns where the host begins. */
function detectUserInfo(scan: Scan, scheme: string, from: number, end: number): number {
  const { text } = scan;
  const rest = text.slice(from, end);
  // Unescaped "/", "?" and "#" in passwords are met in the URLs of databases only.
  const isWeb = /^(?:https?|wss?|file|vscode|git|data|blob|app|s3|gs)$/.test(scheme);
  const authority = isWeb ? rest.search(/[/?#]/) : rest.search(/@[^@]*$/);
  const area = authority < 0 ? rest : rest.slice(0, authority + (isWeb ? 0 : 1));
  const at = area.lastIndexOf('@');
  if (at <= 0) return from;
  const colon = area.indexOf(':');
  const user = colon < 0 || colon > at ? area.slice(0, at) : area.slice(0, colon);
  if (colon >= 0 && colon < at) {
    const password = area.slice(colon + 1, at);
    if (isPassword(password, user)) {
      scan.add('url-password', from + colon + 1, from + at, Rank.structure);
    }
  }
  if (looksRandom(user, 16) && !isFillIn(user)) {
    scan.add('url-user', from, from + user.length, Rank.structure);
  }
  return from + at + 1;
}

/** Not what examples say, and not the name of the user again. */
function isPassword(password: string, user: string): boolean {
  if (password.length < (/\d/.test(password) ? 4 : 5) || isFillIn(password) || password === user) {
    return false;
  }
  if (/^[/{$<]|^\d{1,5}\//.test(password) || /\s/.test(password)) return false;
  return !/^(?:pass|passw(?:or)?d|pw|pwd|secret|token|admin|root|guest|user|postgres|mysql|test|x-oauth-basic|key|p)$/i.test(
    password,
  );
}

/** Parts of paths behind which the address itself is the secret; API paths hold ids of all kinds. */
const hookPart =
  /\/(?:[\w.-]{0,40}hooks?[\w.-]{0,40}|bot|robot|triggers?|catch|with\/key|magic|magic-?links?|reset(?:[_-]password)?|password[_-]?reset|invit(?:e|es|ation|ations)|verify(?:-email)?|confirm(?:ation)?|activate|unsubscribe|one-?time|secret|login|private|ical|calendar|cal|feed[_-]?token)(?=[/?\d]|$)/i;
const hookHost =
  /(?:^|\.)(?:hooks?\d?|webhooks?|maker|hc-ping|outlook|rpc|mainnet|eth|logic)[\w-]{0,30}\.|ping\.|webhook|infura|alchemy|quiknode|pipedream/i;

/** Where a part that looks drawn at random stands behind one that says "hook" and the like, all is one secret. */
function detectPath(scan: Scan, url: number, host: number, end: number): void {
  const { text } = scan;
  const path = endOfHost(text, host, end);
  const rest = text.slice(path, end).split(/[?#]/, 1)[0] ?? '';
  if (rest === '') return;
  const hook = hookPart.exec(rest);
  if (!hook && !hookHost.test(text.slice(host, path))) return;
  let at = hook ? hook.index + hook[0].length : 0;
  for (const part of rest.slice(at).split('/')) {
    if (isPathSecret(part)) {
      const end = trimmedEnd(text, path + at, path + rest.length);
      scan.add('webhook', url, end, Rank.structure);
      return;
    }
    at += part.length + 1;
  }
}

const isPathSecret = (part: string): boolean =>
  !isFillIn(part) &&
  !isThingId(part) &&
  (isUuid(part) ||
    /^\d{8,}:[\w-]{30,}$/.test(part) ||
    looksRandom(part.replace(/[.,;:!?)\]}]+$/, ''), 14));

const hostChars = charSet('A-Za-z0-9.:[]_-');
const endOfHost = (text: string, from: number, end: number): number =>
  endOfRun(text, from, hostChars, end);

function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /[.,;:!?)\]}|]/.test(text[at - 1] ?? '')) at -= 1;
  return at;
}
