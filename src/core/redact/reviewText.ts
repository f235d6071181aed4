import type { ReviewFinding, ReviewPlace } from './review.js';
import type { Review, ReviewValue } from './reviewModel.js';

/** The words of the document, in the person's language. */
export interface ReviewWords {
  readonly title: (counts: Review['counts']) => string;
  /** What a reader must know of all of it: best effort. */
  readonly notice: readonly string[];
  readonly kind: (kind: string, values: number) => string;
  readonly place: (place: ReviewPlace) => string;
  readonly morePlaces: (count: number) => string;
  /** Findings that are hidden and not shown, since they are too many. */
  readonly unlisted: (count: number) => string;
}

/** A line of the document that something can be done on. */
export type ReviewMark =
  | { readonly line: number; readonly what: 'title' }
  | { readonly line: number; readonly what: 'kind'; readonly kind: string }
  | { readonly line: number; readonly what: 'value'; readonly value: ReviewValue }
  /** The characters from `from` to `to` of the line are the value. */
  | {
      readonly line: number;
      readonly what: 'found';
      readonly value: ReviewValue;
      readonly from: number;
      readonly to: number;
    };

export interface ReviewText {
  readonly text: string;
  readonly marks: readonly ReviewMark[];
}

const MAX_PLACES = 20;
const MAX_SHOWN = 200;

/** The review as text, a place a line, and what stands where in it. */
export function renderReview(review: Review, words: ReviewWords): ReviewText {
  const lines: string[] = [];
  const marks: ReviewMark[] = [];
  marks.push({ line: 0, what: 'title' });
  lines.push(words.title(review.counts), ...words.notice);
  if (review.unlisted > 0) lines.push(words.unlisted(review.unlisted));
  for (const { kind, values } of review.groups) {
    lines.push('');
    marks.push({ line: lines.length, what: 'kind', kind });
    lines.push(words.kind(kind, values.length));
    for (const value of values) {
      for (const [index, finding] of value.findings.slice(0, MAX_PLACES).entries()) {
        if (index === 0) marks.push({ line: lines.length, what: 'value', value });
        lines.push(`  ${words.place(finding.where)}`);
        const { text, from, to } = foundLine(finding);
        marks.push({ line: lines.length, what: 'found', value, from, to });
        lines.push(text);
      }
      const more = value.findings.length - MAX_PLACES;
      if (more > 0) lines.push(`  ${words.morePlaces(more)}`);
    }
  }
  return { text: `${lines.join('\n')}\n`, marks };
}

function foundLine(finding: ReviewFinding): {
  readonly text: string;
  readonly from: number;
  readonly to: number;
} {
  const before = `      ${plain(finding.before.trimStart())}`;
  const value = shortened(plain(finding.value));
  const text = `${before}${value}${plain(finding.after.trimEnd())}`;
  return { text, from: before.length, to: before.length + value.length };
}

/** A private key has many lines; its beginning tells what it is. */
const shortened = (value: string): string =>
  value.length <= MAX_SHOWN ? value : `${value.slice(0, MAX_SHOWN)}…`;

/** Line breaks, control characters and those that turn the direction of writing, made visible. */
const plain = (text: string): string =>
  text
    .replace(/\r?\n/g, '⏎')
    .replace(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, '·')
    .replace(/\p{Surrogate}/gu, '\ufffd');
