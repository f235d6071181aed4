import { base64, endOfRun } from './chars.js';
import { decodeText, isTextEncoded } from './encoded.js';
import { Rank } from './finding.js';
import { isHex } from './randomness.js';
import type { Scan } from './scan.js';

const MIN = 24;
const MAX = 64 * 1024;
const HEAD = 24;

/** Where a run of base64 is a text that holds secrets, all of it is one. `find` looks at the text. */
export function detectBase64(scan: Scan, start: number, find: (text: string) => boolean): void {
  const { text } = scan;
  // Nearly every run of words fails here: no text begins with other than these when encoded.
  if (endOfRun(text, start, base64, start + MIN) < start + MIN) return;
  if (!isTextEncoded(text, start, HEAD) || isHex(text.slice(start, start + HEAD))) return;
  const end = endOfRun(text, start, base64, start + MAX);
  if (end - start >= MAX) return;
  const decoded = decodeText(text.slice(start, end - ((end - start) % 4 === 1 ? 1 : 0)));
  if (decoded === undefined || !find(decoded)) return;
  const padded = text.startsWith('==', end) ? end + 2 : text[end] === '=' ? end + 1 : end;
  scan.add('base64-secret', start, padded, Rank.structure);
}
