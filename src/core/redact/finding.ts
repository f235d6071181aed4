/** `save` masks what is surely a secret; `share` also what is likely one. */
export type Lane = 'save' | 'share';

export interface Finding {
  readonly kind: string;
  /** Offsets of the secret in the given text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** How sure the name of a finding's kind is: where findings overlap, the surer one names the kind. */
export const Rank = { shape: 0, known: 1, structure: 2, name: 3, prose: 4 } as const;
export type Rank = (typeof Rank)[keyof typeof Rank];

export interface RankedFinding extends Finding {
  readonly rank: Rank;
}

/** In order and apart from each other; what overlapped is one finding with the name of the surest. */
export function mergeFindings(found: readonly RankedFinding[]): readonly RankedFinding[] {
  const sorted = [...found].sort((a, b) => a.start - b.start || b.end - a.end);
  const merged: RankedFinding[] = [];
  for (const finding of sorted) {
    const last = merged.at(-1);
    if (last === undefined || finding.start >= last.end) merged.push(finding);
    else merged[merged.length - 1] = union(last, finding);
  }
  return merged;
}

function union(a: RankedFinding, b: RankedFinding): RankedFinding {
  const { kind, rank } = b.rank < a.rank ? b : a;
  return { kind, rank, start: a.start, end: Math.max(a.end, b.end) };
}
