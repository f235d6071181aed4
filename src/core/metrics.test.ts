import assert from 'node:assert/strict';
import fc from 'fast-check';
import { metricsSchema, noMetrics, percentile, sum, withSave } from './metrics.js';

suite('metrics of saves', () => {
  const of = (durations: readonly (number | undefined)[]) =>
    durations.reduce((metrics, duration) => withSave(metrics, duration), noMetrics());

  const says = (
    title: string,
    durations: readonly (number | undefined)[],
    expected: readonly [
      ok: number,
      failed: number,
      p50: number | undefined,
      p99: number | undefined,
    ],
  ): void => {
    test(title, () => {
      const metrics = of(durations);
      const { ok, failed } = metrics.saves;
      const [p50, p99] = [percentile(metrics, 0.5), percentile(metrics, 0.99)];
      assert.deepEqual([ok, failed, p50, p99], expected);
    });
  };
  says('nothing was saved yet', [], [0, 0, undefined, undefined]);
  says('one failed', [undefined], [0, 1, undefined, undefined]);
  says('a class has its upper bound', [3, 5, 5.1], [3, 0, 5, 10]);
  says('a slow one among many', [...Array<number>(99).fill(1), 400], [100, 0, 1, 1]);
  says('a very slow one', [60_000], [1, 0, Infinity, Infinity]);

  test('of two windows add up, in any order', () => {
    const durations = fc.array(fc.option(fc.double({ min: 0, noNaN: true }), { nil: undefined }));
    fc.assert(
      fc.property(durations, durations, (a, b) => {
        assert.deepEqual(sum(of(a), of(b)), of([...b, ...a]));
        assert.ok(metricsSchema.safeParse(of(a)).success);
      }),
    );
  });
});
