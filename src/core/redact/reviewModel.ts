import type { ReviewDecisions, ReviewFinding } from './review.js';

/** Everywhere that one value was found. */
export interface ReviewValue {
  readonly value: string;
  readonly kind: string;
  readonly findings: readonly ReviewFinding[];
  readonly isKept: boolean;
}

export interface ReviewGroup {
  readonly kind: string;
  readonly values: readonly ReviewValue[];
}

/**
 * A person's way through what was found. A decision is about a value, not a place: what is readable in
 * one place is not hidden by masking it in another. Everything is hidden until somebody says otherwise.
 */
export class Review {
  private readonly kept = new Set<string>();
  private readonly order: readonly { readonly kind: string; readonly values: readonly string[] }[];
  private readonly places = new Map<string, ReviewFinding[]>();

  /** @param unlisted how many more were found than are given; they stay hidden */
  constructor(
    findings: readonly ReviewFinding[],
    readonly unlisted = 0,
  ) {
    const kinds = new Map<string, string[]>();
    for (const finding of findings) {
      const known = this.places.get(finding.value);
      if (known) {
        known.push(finding);
        continue;
      }
      this.places.set(finding.value, [finding]);
      kinds.set(finding.kind, [...(kinds.get(finding.kind) ?? []), finding.value]);
    }
    this.order = Array.from(kinds, ([kind, values]) => ({ kind, values }));
  }

  get groups(): readonly ReviewGroup[] {
    return this.order.map(({ kind, values }) => ({
      kind,
      values: values.map((value) => ({
        value,
        kind,
        findings: this.places.get(value) ?? [],
        isKept: this.kept.has(value),
      })),
    }));
  }

  get counts(): { readonly values: number; readonly places: number; readonly kept: number } {
    let places = 0;
    for (const found of this.places.values()) places += found.length;
    return { values: this.places.size, places, kept: this.kept.size };
  }

  get decisions(): ReviewDecisions {
    return { keep: [...this.kept] };
  }

  hide(value: string): void {
    this.kept.delete(value);
  }

  /** Only what was found can be kept. */
  keep(value: string): void {
    if (this.places.has(value)) this.kept.add(value);
  }

  hideKind(kind: string): void {
    for (const value of this.valuesOf(kind)) this.hide(value);
  }

  keepKind(kind: string): void {
    for (const value of this.valuesOf(kind)) this.keep(value);
  }

  private valuesOf(kind: string): readonly string[] {
    return this.order.find((group) => group.kind === kind)?.values ?? [];
  }
}
