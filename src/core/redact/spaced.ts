import { valueAfter } from './assignedValue.js';
import { addIfSecret } from './assignments.js';
import { secretName } from './names.js';
import { isMadeOfWords } from './madeOfWords.js';
import type { Scan } from './scan.js';
import { isStrong } from './values.js';

const pair =
  /[ \t]{1,40}(?:"([^"\n]{4,300})"|'([^'\n]{4,300})'|([^\s"'=:;]{6,300}))[ \t]*;?(?=\r?\n|$)/y;

/**
 * `bindpw ...`, `auth-token "..."`: a line of settings that needs no sign, at the end of its name. Only
 * two words on a line are one, and prose of two words is not strong.
 */
export function detectSpaced(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  if (!/\s/.test(text[start - 1] ?? '\n')) return;
  const lineStart = text.slice(Math.max(0, start - 40), start);
  if (
    !/(?:^|\n)[ \t]{0,24}(?:(?:set|default|env|with|and)[ \t])?(?:[\w-]{2,20}[ \t]){0,2}$/.test(
      lineStart,
    )
  ) {
    return;
  }
  const found = secretName(text.slice(start, end));
  if (!found || found.sort === 'key' || found.sort === 'phrase') return;
  const match = scan.match(pair, end);
  const content = match?.[1] ?? match?.[2] ?? match?.[3];
  if (!match || content === undefined) return;
  const isMade = found.sort === 'password' && isMadeOfWords(content);
  if (!isStrong(content) && !isMade) return;
  const value = valueAfter(text, end);
  if (value) addIfSecret(scan, found, { ...value, style: 'line' });
}
