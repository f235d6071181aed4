import type { Folded } from './fold.js';
import { fold } from './fold.js';
import type { Needle, Range } from './needle.js';
import { findNeedle } from './needle.js';

/** Places of one needle that are worth showing. */
const MOST_PLACES = 8;

/** Places of all needles in a text; undefined when one of them is not in it. */
export function matchText(
  text: string,
  needles: readonly Needle[],
  folded: Folded = fold(text),
): readonly Range[] | undefined {
  const ranges: Range[] = [];
  for (const needle of needles) {
    const found = findNeedle(text, folded, needle, MOST_PLACES);
    if (found.length === 0) return undefined;
    ranges.push(...found);
  }
  return ranges;
}
