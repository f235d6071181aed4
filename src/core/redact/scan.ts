import { Rank, type Lane, type RankedFinding } from './finding.js';

const MAX_LOOKS = 4;

/** Thrown where the time that a text may take is used up. */
export class OutOfTime extends Error {}

/** One look at one text; detectors add what they find. */
export class Scan {
  readonly found: RankedFinding[] = [];

  constructor(
    readonly text: string,
    readonly lane: Lane,
  ) {}

  private readonly looks = new Map<string, { end: number; count: number }>();

  /**
   * Whether a detector may look closely at a stretch. Hostile text makes stretches overlap
   * (`password=password=...`); a few looks at each are enough, and keep the work linear.
   */
  mayLook(detector: string, at: number, end: number): boolean {
    const last = this.looks.get(detector);
    if (last === undefined || at >= last.end) {
      this.looks.set(detector, { end, count: 1 });
      return true;
    }
    last.count += 1;
    return last.count <= MAX_LOOKS;
  }

  /** Whether nobody has looked there yet; from here on, somebody has. */
  isFirstLook(detector: string, at: number, end: number): boolean {
    const last = this.looks.get(detector);
    if (last !== undefined && at < last.end) return false;
    this.looks.set(detector, { end, count: 1 });
    return true;
  }

  /** Says that a look went as far as this, so that what begins within is looked at seldom. */
  lookedTo(detector: string, end: number): void {
    const last = this.looks.get(detector);
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
  (((a | 32) * 1369 + (b | 32) * 37 + (c | 32)) & (SIZE - 1)) >>> 0;

/** Finds, at the start of a word, which openers stand there: one look at a table rules nearly all out. */
export class OpenerTable {
  private readonly slots = new Uint16Array(SIZE);
  private readonly buckets: Opener[][] = [[]];

  constructor(openers: readonly Opener[]) {
    for (const opener of openers) {
      const { literal } = opener;
      const index = slot(literal.charCodeAt(0), literal.charCodeAt(1), literal.charCodeAt(2));
      if (this.slots[index] === 0) this.slots[index] = this.buckets.push([]) - 1;
      this.buckets[this.slots[index] ?? 0]?.push(opener);
    }
  }

  run(scan: Scan, at: number): void {
    const { text } = scan;
    const bucket =
      this.slots[slot(text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2))] ?? 0;
    if (bucket === 0) return;
    for (const opener of this.buckets[bucket] ?? []) {
      if (startsWith(text, at, opener)) opener.detect(scan, at);
    }
  }
}

const startsWith = (text: string, at: number, { literal, anyCase }: Opener): boolean =>
  anyCase === true
    ? text.slice(at, at + literal.length).toLowerCase() === literal
    : text.startsWith(literal, at);

/** The same detector behind each of the words. */
export const openers = (literals: string, detect: Detector, anyCase = false): readonly Opener[] =>
  literals.split(' ').map((literal) => ({ literal, detect, anyCase }));
