import { base64, base64Url, endOfRun, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import { isDrawn } from './letters.js';
import { isFiller, isHex, looksRandom, makeupOf } from './randomness.js';
import type { Detector, Opener } from './scan.js';
import { isPlaceholder } from './values.js';
import { aiShapes } from './vendors/ai.js';
import { businessShapes } from './vendors/business.js';
import { cloudShapes } from './vendors/cloud.js';
import { codeShapes } from './vendors/code.js';
import type { Shape } from './vendors/shape.js';

const shapes = [...aiShapes, ...cloudShapes, ...codeShapes, ...businessShapes];

/** Tokens that tell their vendor. */
export const vendorOpeners: readonly Opener[] = shapes.map((shape) => ({
  literal: shape.mark,
  detect: detectShape(shape),
}));

function detectShape(shape: Shape): Detector {
  const { kind, mark, set, min, max } = shape;
  return (scan, at) => {
    const { text } = scan;
    const from = at + mark.length;
    let end = endOfRun(text, from, set, from + max + 1);
    if (end - from > max) return;
    // The end of a sentence is not part of a token.
    while (end > from && (text[end - 1] === '.' || text[end - 1] === ',')) end -= 1;
    if (end - from < min || isInsideBlob(text, at)) return;
    if (
      !scan.mayLook('vendor', at, end) ||
      isMadeUp(text.slice(from, from + 128).slice(0, end - from), shape)
    ) {
      return;
    }
    scan.add(kind, at, end, Rank.shape);
  };
}

/** Any few letters turn up inside encoded data; a token stands at its start or near it. */
function isInsideBlob(text: string, at: number): boolean {
  const before = text[at - 1] ?? '';
  if (/[/+]/.test(before)) {
    return looksRandom(text.slice(startOfRun(text, at, base64, at - 40), at - 1), 12);
  }
  if (before !== '-') return false;
  const start = startOfRun(text, at, base64Url, at - 40);
  return at - start > 32 || looksRandom(text.slice(start, at - 1), 12);
}

/** `sk-your-key-here`, `ghp_xxxxxxxx`, `sk-learn-and-more`. */
function isMadeUp(body: string, { mark, set }: Shape): boolean {
  if (isPlaceholder(body) || isFiller(body)) return true;
  const { digits, switches, upper, distinct } = makeupOf(body);
  // Tables of zeros and ones in base64.
  if (body.length >= 40 && distinct < (mark === 'AQE' ? 20 : 8)) return true;
  // Alphabets of capitals have few digits, and a mark of capitals is proof enough.
  const isCapitals = set[LOWER_A] !== 1 && mark === mark.toUpperCase();
  if (isCapitals || (digits > 0 && upper > 0 && switches > 2)) return false;
  // Words stand apart from each other; 24 letters in one piece are none.
  // The longer a mark, the less has to follow.
  if (body.length >= (mark.length > 4 ? 12 : 24) && isDrawn(body)) return false;
  if (body.length >= 30 && distinct >= 8 && isHex(body)) return false;
  return !looksRandom(body, 8);
}

const LOWER_A = 97;
