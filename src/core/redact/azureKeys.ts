import { base64, endOfRun, startOfRun } from './chars.js';
import { Rank } from './finding.js';
import { looksRandom } from './randomness.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';

/** Marks at fixed places before the end, as Microsoft documents them; the rest is drawn at random. */
const endMark =
  /(?:Az(?:Ca|Fu|Se)|A(?:St|Sb|MC|CR)[A-Za-z0-9]{2}|AIoT|APIM|AZDO|ACDb)[A-Za-z0-9+/]{4,6}$/;
/** Anywhere in it: keys of 2024 and later. */
const innerMark = /JQQJ99/;
const MAX_KEY = 90;

/** At a run of letters and digits that may hold the mark of one of Azure's keys. */
export function detectAzureKey(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  if (end - start > MAX_KEY) return;
  const isLong = end - start >= 52 && innerMark.test(text.slice(start, end));
  if (!isLong && !endsMarked(text, end)) return;
  addKey(scan, start, isLong);
}

/** All marks begin with a capital A eight to ten characters before the end. */
function endsMarked(text: string, end: number): boolean {
  const isNear = text[end - 10] === 'A' || text[end - 9] === 'A' || text[end - 8] === 'A';
  return isNear && endMark.test(text.slice(end - 12, end));
}

function addKey(scan: Scan, at: number, isMarked: boolean): void {
  const { text } = scan;
  const start = startOfRun(text, at, base64, at - MAX_KEY);
  const end = endOfRun(text, at, base64, start + MAX_KEY);
  const key = text.slice(start, end);
  const isLength = [43, 52, 56, 76, 84, 86].some((length) => Math.abs(key.length - length) <= 2);
  if (!isLength || !looksRandom(key, 40)) return;
  if (isMarked || endMark.test(key)) scan.add('azure-key', start, end, Rank.shape);
}

/** Behind a `+` that ends the random part: `...+AStxgEQVj==`. */
const detectAtMark: Detector = (scan, at) => {
  if (scan.text[at - 1] === '+') addKey(scan, at, false);
};

export const azureOpeners: readonly Opener[] = openers(
  'ASt ASb AMC ACR AIoT APIM ARm',
  detectAtMark,
);
