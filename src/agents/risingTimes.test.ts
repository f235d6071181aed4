import assert from 'node:assert/strict';
import fc from 'fast-check';
import { risingTimes } from './risingTimes.js';

suite('times of a new session', () => {
  test('known times stay, unknown ones fall into place, none is after now', () => {
    assert.deepEqual(risingTimes([10, 20, 30], 100), [10, 20, 30]);
    assert.deepEqual(risingTimes([10, 10, 10], 100), [8, 9, 10]);
    assert.deepEqual(risingTimes([0, 0, 0], 100), [98, 99, 100]);
    assert.deepEqual(risingTimes([500, 400], 100), [99, 100]);
  });

  test('each stands after the one before, whatever the clocks of other agents said', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.nat(), (times, now) => {
        const made = risingTimes(times, now);
        assert.equal(made.length, times.length);
        for (const [at, time] of made.entries()) {
          assert.ok(time <= now && (at === 0 || time > (made[at - 1] ?? 0)));
        }
      }),
    );
  });
});
