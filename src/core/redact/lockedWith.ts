import { Rank } from './finding.js';
import { isMadeOfWords } from './madeOfWords.js';
import { readsAsPassword } from './passwordLook.js';
import { openers, type Detector, type Opener } from './scan.js';
import { isSecretValue } from './values.js';

const locked =
  /(?:(?:en|de)crypt(?:ed|s)?|protect(?:ed)?|(?:un)?lock(?:ed|s)?|secured?|log(?:s|ged)? ?in|sign(?:s|ed)? in)(?: (?:it|them|that|in|as|the (?:archive|file|zip|vault|key|box)|[\w.@-]{2,40}|https?:\/\/\S{4,100})){0,3}(?: using| with| by| via)(?: the)?(?: password| passphrase| code| pin| key)? ["'`(]?([^\s"'`,;]{6,64})/iy;

/** "it is encrypted with X", "unlock the vault with X": in a sentence only what reads as a password. */
const detectLocked: Detector = (scan, at) => {
  const match = scan.match(locked, at);
  const content = match?.[1]?.replace(/[.)!?]{1,3}$/, '');
  if (!match || content === undefined || scan.lane === 'save') return;
  if (/[(){}[\]<>=/]/.test(content)) return;
  if (!readsAsPassword(content) && !isMadeOfWords(content)) return;
  if (!isSecretValue(content, 'password', 'line', scan.lane)) return;
  const start = at + match[0].lastIndexOf(match[1] ?? '');
  scan.add('password', start, start + content.length, Rank.prose);
};

export const lockedOpeners: readonly Opener[] = openers(
  'encrypt decrypt protect lock unlock secure log sign',
  detectLocked,
  true,
);
