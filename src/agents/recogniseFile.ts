import { beginningOf, headBytes } from './fileForm.js';
import { headRecords } from './fileHead.js';
import type { Source } from './source.js';

/** A first line may hold pictures, and a damaged beginning must not hide what follows it. */
const longestHead = 8 * 1024 * 1024;
const linesAtOnce = 40;
const mostLooks = 64;

/** Whose a file is, by its content; undefined when it is nobody's that we know. */
export async function recogniseFile(
  path: string,
  head: Buffer,
  sources: readonly Source[],
): Promise<Source | undefined> {
  const whose = (text: string): Source | undefined =>
    sources.find((source) => source.recognises?.(text) === true);
  const first = whose(head.toString('utf8'));
  const isAll = head.length < headBytes;
  if (first !== undefined && (first.hasKin !== true || isAll)) return first;
  const longer = isAll ? head : await beginningOf(path, longestHead);
  const text = longer.toString('utf8');
  const whole = isAll ? undefined : whose(text);
  if (whole !== undefined || first !== undefined) return whole ?? first;
  const lines = text.split('\n');
  for (let at = linesAtOnce; at < lines.length && at < linesAtOnce * mostLooks; at += linesAtOnce) {
    const found = whose(lines.slice(at, at + linesAtOnce).join('\n'));
    if (found !== undefined) return found;
  }
  return undefined;
}

const mostKeys = 12;

/** The first keys of a file's JSON, to say what was found in it. */
export function keysIn(head: Buffer): readonly string[] {
  const text = head.toString('utf8').replace(/^\uFEFF?\s*\[/, '');
  const keys = new Set(headRecords(text).flatMap((record) => Object.keys(record)));
  return [...keys]
    .slice(0, mostKeys)
    .map((key) => key.replace(/[^\p{L}\p{N}_$.-]/gu, '?').slice(0, 40));
}
