import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Clock, clockTime } from './clock.js';

const year = 365 * 24 * 3600 * 1000;
/** Times as clocks show them: right, years off, before 1970, after 2038, not numbers. */
const time = fc.oneof(
  fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_010 }),
  fc.integer({ min: -10 * year, max: 100 * year }),
  fc.constantFrom(NaN, Infinity, -Infinity, 0, 2 ** 31 * 1000, 2 ** 47, 2 ** 48, 2 ** 53),
);
const event = fc.oneof(
  time.map((now) => ({ now })),
  fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map((remote) => ({ remote })),
);

suite('Clock', () => {
  test('later work sorts after earlier work, whatever the wall clock does', () => {
    fc.assert(
      fc.property(fc.array(time, { maxLength: 200 }), (times) => {
        const clock = new Clock();
        const values = times.map((now) => clock.tick(now));
        assert.ok(values.every((value, at) => at === 0 || value > (values[at - 1] ?? value)));
      }),
    );
  });

  test('an answer sorts after what it answers to, also from a machine whose clock is ahead', () => {
    fc.assert(
      fc.property(fc.array(time, { maxLength: 20 }), fc.array(time, { maxLength: 20 }), (a, b) => {
        const [one, other] = [new Clock(), new Clock()];
        for (const now of a) one.tick(now);
        const seen = one.tick(0);
        other.observe(seen);
        for (const now of b) assert.ok(other.tick(now) > seen);
      }),
    );
  });

  test('values always fit into a frame and keep growing, even after nonsense was observed', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 100 }), (events) => {
        const clock = new Clock();
        let last = -1n;
        for (const one of events) {
          if ('remote' in one) {
            clock.observe(one.remote);
            continue;
          }
          const value = clock.tick(one.now);
          assert.ok(value > last && value < 2n ** 64n);
          last = value;
        }
      }),
    );
  });

  test('a right clock is followed, so that times in lists are true', () => {
    const clock = new Clock();
    clock.tick(1000);
    assert.equal(clockTime(clock.tick(1_764_000_000_123)), 1_764_000_000_123);
  });

  test('more than 65,536 values in one millisecond stay in order', () => {
    const clock = new Clock();
    let last = clock.tick(5);
    for (let count = 0; count < 70_000; count++) {
      const next = clock.tick(5);
      assert.equal(next, last + 1n);
      last = next;
    }
    assert.equal(clockTime(last), 6);
  });
});
