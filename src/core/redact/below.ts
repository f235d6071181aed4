import { addIfSecret } from './assignments.js';
import type { SecretName } from './names.js';
import { secretName } from './names.js';
import { readsAsPassword } from './passwordLook.js';
import { looksRandom } from './randomness.js';
import type { Scan } from './scan.js';
import { isHarmless } from './values.js';

const MAX_LIST = 30;
/** Line breaks, at most one empty line, the sign of a block of code. */
const gap = /[ \t]{0,8}\r?\n(?:[ \t]{0,8}\r?\n)?(?:[ \t]{0,8}```\w{0,12}\r?\n)?/y;
const alone =
  /(?:[ \t]{0,40}[>*•-][ \t]{1,4}|[ \t]{0,40})["'`]{0,3}([^\s"'`]{4,400})["'`]{0,3},?[ \t]{0,8}(?=\r?\n|$)/y;
const next = /\r?\n/y;
const spoken =
  /pass(?:word|phrase|code|wd)|secret|token|credential|(?:api|access|auth|license|licence|encryption|decryption|signing|master|root|unseal|recovery|private|setup)[ _-]?key|passwor?t|kennwort|contraseña|mot de passe|senha|密码|パスワード/i;

/**
 * What stands alone on the line below a name or a sentence about a secret that a colon ends, and in the
 * lines of a list there. At the colon.
 */
export function detectBelow(scan: Scan, at: number, name: string | undefined): void {
  const { text } = scan;
  const from = endOfGap(scan, at + 1);
  if (from === undefined || !scan.mayLook('below', at, from + 20)) return;
  const found = name === undefined ? undefined : secretName(name);
  const line = found ? '' : lineBefore(text, at);
  if (!found && !spoken.test(line)) return;
  let start = from;
  for (let count = 0; count < MAX_LIST; count += 1) {
    const match = scan.match(alone, start);
    const content = match?.[1];
    if (!match || content === undefined || isKey(content)) return;
    const end = start + match[0].lastIndexOf(content) + content.length;
    addAlone(scan, found, end - content.length, end);
    next.lastIndex = start + match[0].length;
    if (!next.test(text)) return;
    start = next.lastIndex;
  }
}

/** `> config.token`, `$ echo $DB_PASSWORD`: what a console answers on the next line. At the name's end. */
export function detectAnswer(scan: Scan, found: SecretName, end: number): void {
  if (scan.lane === 'save' && found.sort === 'key') return;
  const from = endOfGap(scan, end);
  if (from === undefined || !scan.mayLook('below', end, from + 20)) return;
  const match = scan.match(alone, from);
  const content = match?.[1];
  if (!match || content === undefined || isKey(content)) return;
  const close = from + match[0].lastIndexOf(content) + content.length;
  const isQuoted = /["'`]/.test(scan.text[close] ?? '');
  if (isQuoted || isPrompted(scan.text, end)) addAlone(scan, found, close - content.length, close);
  else addAlone(scan, undefined, close - content.length, close);
}

const prompted =
  /(?:^|\n)[^\n$#>%❯]{0,40}[$#>%❯] ?(?:echo |printenv |print |puts |Write-(?:Output|Host) )?["']?\$?(?:env:|\{)?\w{2,60}$/;

/** Only the name stands behind a prompt: a shell was asked for its value. */
const isPrompted = (text: string, end: number): boolean =>
  prompted.test(text.slice(Math.max(0, end - 120), end));

function endOfGap(scan: Scan, at: number): number | undefined {
  const match = scan.match(gap, at);
  return match ? at + match[0].length : undefined;
}

const lineBefore = (text: string, at: number): string => {
  const before = text.slice(Math.max(0, at - 160), at);
  return before.slice(before.lastIndexOf('\n') + 1);
};

/** Of a mapping that goes on below, a call, a block. */
const isKey = (content: string): boolean => /[:={([,]$|^[-#/*<]|^\w+[:=]/.test(content);

function addAlone(scan: Scan, found: SecretName | undefined, start: number, end: number): void {
  const content = scan.text.slice(start, end);
  if (found) {
    if (found.sort !== 'password' || /[\d!@#$%^&*?]/.test(content)) {
      addIfSecret(scan, found, { start, end, style: 'line' });
    }
    return;
  }
  if (isHarmless(content) || !(looksRandom(content) || readsAsPassword(content))) return;
  addIfSecret(scan, { sort: 'password', kind: 'secret' }, { start, end, style: 'line' });
}
