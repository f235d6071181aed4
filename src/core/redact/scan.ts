import { codeAt } from './chars.js';
import { Rank, type Lane, type RankedFinding } from './finding.js';

const MAX_LOOKS = 4;

interface Look {
  end: number;
  count: number;
}

/** Thrown where the time that a text may take is used up. */
export class OutOfTime extends Error {}

/** One look at one text; detectors add what they find. */
export class Scan {
  readonly found: RankedFinding[] = [];
  /** The last `<` that the walk has met. */
  lessAt = -1;

  constructor(
    readonly text: string,
    readonly lane: Lane,
  ) {}

  /** Made by the first look: nearly all short texts ask for none. */
  private looks: Map<string, Look> | undefined;

  /**
   * Whether a detector may look closely at a stretch. Hostile text makes stretches overlap
   * (`password=password=...`); a few looks at each are enough, and keep the work linear.
   */
  mayLook(detector: string, at: number, end: number): boolean {
    const last = this.looks?.get(detector);
    if (last === undefined || at >= last.end) {
      this.begin(detector, last, end);
      return true;
    }
    last.count += 1;
    return last.count <= MAX_LOOKS;
  }

  /** Whether {@link mayLook} would say no, for detectors whose stretch takes time to measure. */
  isLookedOver(detector: string, at: number): boolean {
    const last = this.looks?.get(detector);
    return last !== undefined && at < last.end && last.count >= MAX_LOOKS;
  }

  /** Whether nobody has looked there yet; from here on, somebody has. */
  isFirstLook(detector: string, at: number, end: number): boolean {
    const last = this.looks?.get(detector);
    if (last !== undefined && at < last.end) return false;
    this.begin(detector, last, end);
    return true;
  }

  private begin(detector: string, last: Look | undefined, end: number): void {
    if (last === undefined) (this.looks ??= new Map()).set(detector, { end, count: 1 });
    else {
      last.end = end;
      last.count = 1;
    }
  }

  /** Says that a look went as far as this, so that what begins within is looked at seldom. */
  lookedTo(detector: string, end: number): void {
    const last = this.looks?.get(detector);
    if (last && last.end < end) last.end = end;
  }

  add(kind: string, start: number, end: number, rank: Rank): void {
    if (end > start) this.found.push({ kind, start, end, rank });
  }

  /** The match of a sticky pattern right at an index. */
  match(pattern: RegExp, at: number): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    return pattern.exec(this.text) ?? undefined;
  }

  /** Adds the last group of a sticky pattern that ends with this group, or all of the match. */
  addMatch(kind: string, pattern: RegExp, at: number, rank: Rank = Rank.structure): boolean {
    const match = this.match(pattern, at);
    if (!match) return false;
    const secret = match.at(-1) ?? match[0];
    const end = at + match[0].length;
    this.add(kind, end - secret.length, end, rank);
    return true;
  }
}

/** Looks at the text from where its literal stands. */
export type Detector = (scan: Scan, at: number) => void;

export interface Opener {
  /** At least three characters, the first a letter or a digit. */
  readonly literal: string;
  readonly anyCase?: boolean;
  readonly detect: Detector;
}

const SIZE = 1 << 15;

/** Letters of either case fall together; what else does is told apart by comparing. */
const slot = (a: number, b: number, c: number): number =>
  ((a | 32) * 1369 + (b | 32) * 37 + (c | 32)) & (SIZE - 1);

/** The openers that begin with the same three characters. */
interface Bucket {
  readonly openers: Opener[];
  /** A bit for each fourth character that one of them has, all bits when one has none. */
  fourths: number;
}

/** Finds, at the start of a word, which openers stand there: one look at a table rules nearly all out. */
export class OpenerTable {
  private readonly slots = new Uint16Array(SIZE);
  /** Which slots are taken: small enough to stay near the processor. */
  private readonly taken = new Int32Array(SIZE / 32);
  private readonly buckets: Bucket[] = [{ openers: [], fourths: 0 }];

  constructor(openers: readonly Opener[]) {
    for (const opener of openers) {
      const { literal } = opener;
      const index = slot(literal.charCodeAt(0), literal.charCodeAt(1), literal.charCodeAt(2));
      if (this.slots[index] === 0) {
        this.slots[index] = this.buckets.push({ openers: [], fourths: 0 }) - 1;
      }
      this.taken[index >> 5] = (this.taken[index >> 5] ?? 0) | (1 << (index & 31));
      const bucket = this.buckets[this.slots[index] ?? 0];
      bucket?.openers.push(opener);
      if (bucket) bucket.fourths |= fourthOf(literal);
    }
  }

  run(scan: Scan, at: number): void {
    const { text } = scan;
    const index = slot(codeAt(text, at), codeAt(text, at + 1), codeAt(text, at + 2));
    if (((this.taken[index >> 5] ?? 0) & (1 << (index & 31))) !== 0) this.runSlot(scan, at, index);
  }

  private runSlot(scan: Scan, at: number, index: number): void {
    const { text } = scan;
    const bucket = this.buckets[this.slots[index] ?? 0];
    if (!bucket || (bucket.fourths & (1 << (codeAt(text, at + 3) & 31))) === 0) return;
    for (const opener of bucket.openers) if (startsWith(text, at, opener)) opener.detect(scan, at);
  }
}

/** Letters of either case share a bit; letters of other scripts have no case in their bits. */
const fourthOf = (literal: string): number => {
  const code = literal.charCodeAt(3);
  return code < 128 ? 1 << (code & 31) : -1;
};

/** Character by character: nearly always the first few tell. */
function startsWith(text: string, at: number, { literal, anyCase = false }: Opener): boolean {
  if (at + literal.length > text.length) return false;
  for (let index = 0; index < literal.length; index += 1) {
    const code = text.charCodeAt(at + index);
    const wanted = literal.charCodeAt(index);
    if (code === wanted) continue;
    if (!anyCase) return false;
    if (wanted > 127) return text.slice(at, at + literal.length).toLowerCase() === literal;
    if (code + 32 !== wanted || wanted < 97 || wanted > 122) return false;
  }
  return true;
}

/** The same detector behind each of the words. */
export const openers = (literals: string, detect: Detector, anyCase = false): readonly Opener[] =>
  literals.split(' ').map((literal) => ({ literal, detect, anyCase }));
