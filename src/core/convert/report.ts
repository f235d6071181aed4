import type { ConversionReport, Fate, ReportLine } from '../model/conversion.js';

export type What = ReportLine['what'];

/** Counts what becomes of a conversation's parts, in the order in which each kind was first met. */
export class ReportBuilder {
  private readonly lines = new Map<string, ReportLine>();

  note(fate: Fate, what: What, why?: string, detail?: string, count = 1): void {
    if (count === 0) return;
    const key = JSON.stringify([fate, what, why, detail]);
    const before = this.lines.get(key);
    this.lines.set(key, {
      fate,
      what,
      count: (before?.count ?? 0) + count,
      ...(why !== undefined && { why }),
      ...(detail !== undefined && { detail }),
    });
  }

  report(from: string, to: string): ConversionReport {
    const lines = fates.flatMap((fate) =>
      [...this.lines.values()].filter((line) => line.fate === fate),
    );
    return { from, to, lines };
  }
}

const fates: readonly Fate[] = ['kept', 'mapped', 'rewritten', 'dropped'];
