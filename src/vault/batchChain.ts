/** A run of a thread's records in one generation, as one frame holds it. */
export interface Run {
  /** Index of the first record in its generation. */
  readonly first: number;
  readonly count: number;
  /** Of a generation's first run: so many records of the generation before come first. */
  readonly reused: number | undefined;
  /** The frame's place in the order of all processes' frames. */
  readonly stamp: string;
}

/** A run of which the first `take` records count. */
export type ChosenRun<R extends Run> = R & { readonly take: number };

/**
 * The runs that together hold a generation, in order. Two windows that read a store while it changes may write
 * runs that overlap and differ; reading goes on where the furthest of them ended, of equals the latest (see the
 * cursor). So that one is taken, before it what its writer had before it, and so on to the generation's start:
 * the records are those that one reader saw, and the next reading compares with them.
 *
 * A run that was lost leaves a gap.
 */
export function chooseRuns<R extends Run>(runs: readonly R[]): readonly ChosenRun<R>[] {
  const left = runs.toSorted((a, b) => endOf(b) - endOf(a) || (a.stamp < b.stamp ? 1 : -1));
  const chosen: ChosenRun<R>[] = [];
  let fitting: R[] = [];
  let at = 0;
  let next = left[at++];
  while (next) {
    const need = chosen.at(-1)?.first ?? Infinity;
    chosen.push({ ...next, take: Math.min(next.count, need - next.first) });
    const { first, stamp, reused } = next;
    if (first === 0 || reused !== undefined) break;
    for (let more = left[at]; more && endOf(more) >= first; more = left[++at]) fitting.push(more);
    fitting = fitting.filter((run) => run.first < first || startsAt(run, first));
    next = lastBefore(stamp, fitting) ?? left[at++];
  }
  return chosen.reverse();
}

const endOf = ({ first, count }: Run): number => first + count;

const startsAt = (run: Run, first: number): boolean =>
  run.reused !== undefined && run.first === first;

/** Of runs that fit before one, the latest that was there when it was written; a clock may have been wrong. */
const lastBefore = <R extends Run>(stamp: string, runs: readonly R[]): R | undefined =>
  runs.reduce<R | undefined>((best, run) => {
    if (best === undefined) return run;
    const isBefore = run.stamp < stamp;
    if (isBefore !== best.stamp < stamp) return isBefore ? run : best;
    return run.stamp > best.stamp === isBefore ? run : best;
  }, undefined);
