import { z } from 'zod';

/** Upper bounds of the classes that durations are counted in, in milliseconds; the last class has none. */
const BOUNDS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000] as const;

const count = z.int().nonnegative();

/** How saves went: counts only, nothing of what was saved. */
export const metricsSchema = z.object({
  schemaVersion: z.literal(1),
  saves: z.object({
    ok: count,
    failed: count,
    /** How many that went well took so long, by class. */
    durations: z.array(count).length(BOUNDS.length + 1),
  }),
  /** How restores ended; a file of before they were counted has none. */
  restores: z
    .object({ whole: count, partial: count, failed: count })
    .default({ whole: 0, partial: 0, failed: 0 }),
});
export type Metrics = z.infer<typeof metricsSchema>;

export const noMetrics = (): Metrics => ({
  schemaVersion: 1,
  saves: { ok: 0, failed: 0, durations: [...BOUNDS, Infinity].map(() => 0) },
  restores: { whole: 0, partial: 0, failed: 0 },
});

/** How a restore ended: everything came back, some of it did not, or it was broken off. */
export type RestoreEnd = keyof Metrics['restores'];

export const withRestore = (metrics: Metrics, end: RestoreEnd): Metrics => ({
  ...metrics,
  restores: { ...metrics.restores, [end]: metrics.restores[end] + 1 },
});

export const isEmpty = ({ saves, restores }: Metrics): boolean =>
  saves.ok + saves.failed + restores.whole + restores.partial + restores.failed === 0;

/** Counts a save that went well, with its duration in milliseconds, or one that failed. */
export function withSave(metrics: Metrics, durationMs: number | undefined): Metrics {
  const { ok, failed, durations } = metrics.saves;
  if (durationMs === undefined) {
    return { ...metrics, saves: { ok, failed: failed + 1, durations } };
  }
  const place = BOUNDS.findIndex((bound) => durationMs <= bound);
  const last = durations.length - 1;
  const counted = durations.map((n, at) => (at === (place < 0 ? last : place) ? n + 1 : n));
  return { ...metrics, saves: { ok: ok + 1, failed, durations: counted } };
}

export function sum(a: Metrics, b: Metrics): Metrics {
  return {
    schemaVersion: 1,
    saves: {
      ok: a.saves.ok + b.saves.ok,
      failed: a.saves.failed + b.saves.failed,
      durations: a.saves.durations.map((n, at) => n + (b.saves.durations[at] ?? 0)),
    },
    restores: {
      whole: a.restores.whole + b.restores.whole,
      partial: a.restores.partial + b.restores.partial,
      failed: a.restores.failed + b.restores.failed,
    },
  };
}

/**
 * A time in milliseconds that this share of all saves took at most; undefined without any, Infinity above the
 * largest class.
 *
 * @param share from 0 to 1
 */
export function percentile({ saves }: Metrics, share: number): number | undefined {
  const total = saves.durations.reduce((all, n) => all + n, 0);
  if (total === 0) return undefined;
  let seen = 0;
  const place = saves.durations.findIndex((n) => (seen += n) >= share * total);
  return BOUNDS[place] ?? Infinity;
}
