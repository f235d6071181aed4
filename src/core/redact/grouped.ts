import { endOfRun, charSet } from './chars.js';
import { Rank } from './finding.js';
import { isHex } from './randomness.js';
import { openers, type Detector, type Opener, type Scan } from './scan.js';

const groupChars = charSet('A-Z0-9-');
const even = /^(?:[A-Z]{2,4}-)?([A-Z0-9]{5,8})(?:-[A-Z0-9]{5,8}){3,7}$/;

/** `A1B2C-D3E4F-G5H6I-J7K8L`: groups of one length, as licences are written and little else. At a run. */
export function detectGroups(scan: Scan, start: number, end: number): void {
  const { text } = scan;
  if (
    end - start > 80 ||
    text[start - 1] === '/' ||
    endOfRun(text, start, groupChars, end) !== end
  ) {
    return;
  }
  const run = text.slice(start, end);
  const length = even.exec(run)?.[1]?.length;
  const groups = run.split('-').slice(-4);
  if (length === undefined || groups.some((group) => group.length !== length)) return;
  if (isHex(groups.join('')) || !isMixed(run)) return;
  scan.add('license-key', start, end, Rank.structure);
}

const isMixed = (run: string): boolean =>
  (run.match(/\d/g)?.length ?? 0) >= 3 && (run.match(/[A-Z]/g)?.length ?? 0) >= 4;

const told =
  /(?:licen[cs]e|serial|activation|product|access|unlock|voucher|registration|pairing|recovery)(?:[ _-](?:key|code|number|no\.?))?(?: (?:for|of|to) [\w .-]{2,30}?)?(?: is|:| =|=|,)?[ \t]{1,4}["'`]?((?:[A-Z0-9]{4,8}-){2,7}[A-Z0-9]{4,8})(?![\w-])/iy;

const detectTold: Detector = (scan, at) => {
  const content = scan.match(told, at)?.[1];
  if (content === undefined || !/\d/.test(content) || !/[A-Z]/.test(content)) return;
  if (!/[G-Z]/.test(content)) return;
  scan.addMatch('license-key', told, at, Rank.prose);
};

export const groupedOpeners: readonly Opener[] = openers(
  'license licence serial activation product access unlock voucher registration pairing recovery',
  detectTold,
  true,
);
