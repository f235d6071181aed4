import type { Lane } from './finding.js';

/** What a run of redaction found and did, fit to be shown and to go into the file that is shared. */
export interface RedactionReport {
  readonly lane: Lane;
  /** Findings that were masked, by kind, the most first. */
  readonly kinds: readonly { readonly kind: string; readonly count: number }[];
  /** How many different values they are. */
  readonly values: number;
  /** Home folders and names of users that became `~`. */
  readonly homes: number;
  /** Signed or encrypted blobs that were left out. */
  readonly dropped: number;
  /** Texts that could not be looked at; not 0: nothing may be shared. */
  readonly withheld: number;
}

export class Tally {
  homes = 0;
  dropped = 0;
  withheld = 0;
  private readonly kinds = new Map<string, number>();

  count(kind: string): void {
    this.kinds.set(kind, (this.kinds.get(kind) ?? 0) + 1);
  }

  report(lane: Lane, values: number): RedactionReport {
    const kinds = Array.from(this.kinds, ([kind, count]) => ({ kind, count }));
    kinds.sort((a, b) => b.count - a.count || a.kind.localeCompare(b.kind));
    const { homes, dropped, withheld } = this;
    return { lane, kinds, values, homes, dropped, withheld };
  }
}
