import { codeAt } from './chars.js';
import { detect, type Clock } from './detect.js';
import { unescaped } from './encoded.js';
import { mergeFindings, Rank, type Finding, type Lane, type RankedFinding } from './finding.js';
import type { KnownValues } from './knownValues.js';

/** A rule of the user's own: what the pattern matches, or its first group, is a secret. */
export interface CustomRule {
  readonly kind: string;
  /** With the flag `g`. */
  readonly pattern: RegExp;
}

export interface Rules {
  readonly lane: Lane;
  readonly knownValues?: KnownValues | undefined;
  readonly custom?: readonly CustomRule[] | undefined;
}

/** JSON in JSON in JSON is met in logs; deeper is not. */
const MAX_LEVELS = 3;

/** Secrets in a text and in what its escapes stand for, in order, apart from each other. */
export function findAll(text: string, rules: Rules, clock: Clock): readonly Finding[] {
  let found = look(text, rules, clock);
  let view = unescaped(text);
  // Nearly all texts.
  if (!view && found.length === 0) return nothing;
  const all = [...found];
  let startOf = (offset: number): number => offset;
  let endOf = startOf;
  for (let depth = 0; view && depth < MAX_LEVELS; depth += 1) {
    const { text: level, ...places } = view;
    const [outerStart, outerEnd] = [startOf, endOf];
    startOf = (offset) => outerStart(places.startOf(offset));
    endOf = (offset) => outerEnd(places.endOf(offset));
    found = look(level, rules, clock);
    for (const finding of found) {
      all.push({ ...finding, start: startOf(finding.start), end: endOf(finding.end) });
    }
    view = depth + 1 < MAX_LEVELS ? unescaped(level) : undefined;
  }
  if (all.length === 0) return nothing;
  return mergeFindings(all).map(({ kind, start, end }) => ({ kind, start, end }));
}

const nothing: readonly never[] = [];

function look(text: string, rules: Rules, clock: Clock): readonly RankedFinding[] {
  const { lane, knownValues, custom } = rules;
  const known = knownValues?.find(text) ?? nothing;
  const own = custom?.flatMap((rule) => matches(text, rule)) ?? nothing;
  const detected = detect(text, lane, clock);
  if (detected.length + known.length + own.length === 0) return nothing;
  return [
    ...detected.flatMap((finding) => beforeEscape(text, withPadding(text, finding))),
    ...[...known, ...own].map((finding) => ({ ...finding, rank: Rank.known })),
  ];
}

const padding = /(?<=[\w+/-]{16})={1,2}(?![\w=])/y;

/** What fills up base64 belongs to it. */
function withPadding(text: string, finding: RankedFinding): RankedFinding {
  if (codeAt(text, finding.end) !== EQUALS) return finding;
  padding.lastIndex = finding.end;
  const length = padding.exec(text)?.[0].length ?? 0;
  return length === 0 ? finding : { ...finding, end: finding.end + length };
}

const EQUALS = 61;

/**
 * Up to where an escaped quotation mark or line break ends it: what is masked in JSON must leave JSON.
 * Keys have many lines, and what goes on behind an escape is found in the text without it.
 */
function beforeEscape(text: string, finding: RankedFinding): readonly RankedFinding[] {
  if (finding.kind === 'private-key') return [finding];
  const cut = text.slice(finding.start, finding.end + 1).search(/\\{1,8}[nrt"']/);
  if (cut < 0) return [finding];
  return cut === 0 ? [] : [{ ...finding, end: finding.start + cut }];
}

function matches(text: string, { kind, pattern }: CustomRule): readonly Finding[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const secret = match[1] ?? match[0];
    const start = match.index + match[0].indexOf(secret);
    return secret === '' ? [] : [{ kind, start, end: start + secret.length }];
  });
}
