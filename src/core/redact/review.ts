import type { Finding } from './finding.js';

/** Where in a session something was found, in words fit to show; what does not apply is absent. */
export interface ReviewPlace {
  /** A thread's title. */
  readonly thread?: string | undefined;
  /** Counted from 1. */
  readonly turn?: number | undefined;
  /** Path as it is stored. */
  readonly file?: string | undefined;
  /** What else it stands in: a title, a branch, the name of a terminal. */
  readonly field?: string | undefined;
}

export interface ReviewFinding {
  readonly kind: string;
  /** What would be masked: kept in memory for the time of the review only. */
  readonly value: string;
  /** Up to so many characters of the same line on both sides. */
  readonly before: string;
  readonly after: string;
  readonly where: ReviewPlace;
}

/** What a person decided: these values are shown, all others stay hidden. */
export interface ReviewDecisions {
  /** Goes into `keep` of an export, or into `allow` of a redactor. */
  readonly keep: readonly string[];
}

const MAX_FINDINGS = 5000;
const AROUND = 60;

/**
 * Gathers what a redactor finds, with the text around it, for a person to see before anything is written.
 * Give `observe` to a redactor, and set `place` before each piece that it gets.
 */
export class ReviewCollector {
  place: ReviewPlace = {};
  private readonly found: ReviewFinding[] = [];
  private left = 0;

  readonly observe = (text: string, findings: readonly Finding[]): void => {
    for (const finding of findings) {
      if (this.found.length < MAX_FINDINGS) this.found.push(excerpt(text, finding, this.place));
      else this.left += 1;
    }
  };

  /** In the order in which they were found. */
  get findings(): readonly ReviewFinding[] {
    return this.found;
  }

  /** How many more there are than are kept here; those stay hidden. */
  get more(): number {
    return this.left;
  }
}

function excerpt(text: string, { kind, start, end }: Finding, where: ReviewPlace): ReviewFinding {
  return {
    kind,
    value: text.slice(start, end),
    before:
      text
        .slice(Math.max(0, start - AROUND), start)
        .split('\n')
        .at(-1) ?? '',
    after: text.slice(end, end + AROUND).split('\n', 1)[0] ?? '',
    where,
  };
}
