import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { SessionSummary, SnapshotReason } from './model/session.js';
import { snapshotReasonSchema } from './model/session.js';
import type { KeptSnapshot } from './retention.js';
import { oldBackups, quotaState, sessionsToOffer, tooMany } from './retention.js';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday noon. */
const now = Date.UTC(2026, 10, 30, 12);

suite('retention', () => {
  /** Automatic snapshots at so many milliseconds before now, newest first. */
  const at = (ages: readonly number[], reason: SnapshotReason = 'edits'): KeptSnapshot[] =>
    ages.map((age, index) => ({ id: `${reason} ${index}`, at: now - age, reason }));
  const every = (step: number, count: number, from = 0): number[] =>
    Array.from({ length: count }, (_, index) => from + index * step);

  /** The ages of what stays. */
  const staying = (snapshots: readonly KeptSnapshot[]): number[] => {
    const gone = tooMany(snapshots);
    return snapshots.filter(({ id }) => !gone.has(id)).map((snapshot) => now - snapshot.at);
  };

  const keeps = (
    title: string,
    ages: readonly number[],
    expected: number,
    reason: SnapshotReason = 'edits',
  ): void => {
    test(`keeps ${title}`, () => assert.equal(staying(at(ages, reason)).length, expected));
  };
  keeps('none of none', [], 0);
  keeps('the newest 50, however close', every(1000, 50), 50);
  keeps('the newest 50 of a burst', every(1000, 500), 50);
  keeps('one an hour for a day', every(MINUTE, 12 * 60 + 1), 50 + 11);
  keeps('one a day for a month', every(HOUR, 24 * 20), 50 + 18);
  keeps('one a week afterwards', every(12 * HOUR, 2 * 7 * 30), 50 + 5 + 27);
  keeps('all that a person asked for', every(1000, 400), 400, 'manual');
  keeps('all that a script asked for', every(1000, 400), 400, 'capture');

  test('keeps what has a label', () => {
    const all = at(every(1000, 200)).map((one, index) =>
      index % 2 ? { ...one, label: 'before the merge' } : one,
    );
    assert.equal(staying(all).length, 100 + 50);
  });

  test('does not count what was asked for among the newest 50', () => {
    const all = [...at(every(1000, 100), 'manual'), ...at(every(1000, 100, 100_000))];
    assert.equal(staying(all).length, 100 + 50);
  });

  test('keeps the last of each period', () => {
    const ages = staying(at(every(MINUTE, 24 * 60))).slice(50);
    for (const age of ages.slice(1)) assert.equal(new Date(now - age).getUTCMinutes(), 59);
  });

  suite('a clock', () => {
    const jumps = (title: string, offset: number): void => {
      test(`that jumps makes nothing old: ${title}`, () => {
        const before = at(every(2 * HOUR, 300, 1000));
        const left = (newest: number): number => {
          const all = [{ id: 'new', at: newest, reason: 'edits' as const }, ...before];
          assert.ok(!tooMany(all).has('new'));
          return all.length - tooMany(all).size;
        };
        // A jump counts as a day at most, which moves the end of the month by a day.
        assert.ok(left(now + offset) >= left(now) - 1);
      });
    };
    jumps('ten years ahead', 10 * 365 * DAY);
    jumps('ten years back', -10 * 365 * DAY);
    jumps('to 1970', -now);
    jumps('to 2038', Date.UTC(2038, 0, 19) - now);
  });

  const snapshots = fc
    .array(
      fc.record({
        at: fc.oneof(
          fc.integer({ min: now - 400 * DAY, max: now }),
          fc.integer({ min: 0, max: 2 ** 42 }),
        ),
        reason: fc.constantFrom(...snapshotReasonSchema.options),
        label: fc.option(fc.constant('label'), { nil: undefined, freq: 10 }),
      }),
      { maxLength: 300 },
    )
    .map((list) => list.map((one, index): KeptSnapshot => ({ ...one, id: String(index) })));

  test('never lets go of the newest nor of what was asked for, whatever the clocks said', () => {
    fc.assert(
      fc.property(snapshots, (all) => {
        const gone = tooMany(all);
        assert.ok(!gone.has(all[0]?.id ?? ''));
        for (const { id, reason, label } of all) {
          if (reason === 'manual' || label !== undefined) assert.ok(!gone.has(id));
        }
        assert.ok(all.length - gone.size >= Math.min(50, all.length));
      }),
    );
  });

  test('takes nothing more when it is applied again', () => {
    fc.assert(
      fc.property(snapshots, (all) => {
        const gone = tooMany(all);
        assert.equal(tooMany(all.filter(({ id }) => !gone.has(id))).size, 0);
      }),
    );
  });

  suite('backups', () => {
    const left = (title: string, ages: readonly number[], expected: readonly number[]): void => {
      test(title, () => {
        const old = oldBackups(ages.map((age) => now - age));
        assert.deepEqual(
          ages.filter((_, place) => !old.has(place)),
          expected,
        );
      });
    };
    left('of an hour: the newest five', every(MINUTE, 60), every(MINUTE, 5));
    left(
      'of a month: the newest five, and the last of each of seven days',
      every(6 * HOUR, 120),
      [0, 6, 12, 18, 24, 42, 66, 90, 114, 138].map((hours) => hours * HOUR),
    );
    left(
      'of clocks that jump: the newest five too',
      [0, -9 * 365 * DAY, 1, 2, 3, 4],
      [...[0, -9 * 365 * DAY, 1, 2, 3]],
    );
  });

  test('says that a quota is nearly used up before it is', () => {
    const states = [0, 89, 90, 99, 100, 500].map((bytes) => quotaState(bytes, 100));
    const expected = ['fits', 'fits', 'nearlyFull', 'nearlyFull', 'full', 'full'];
    assert.deepEqual(states, expected);
  });

  test('offers finished sessions only, after their time, and never the others', () => {
    const session = (id: string, status: SessionSummary['status'], days: number) =>
      ({ id, status, updatedAt: now - days * DAY }) as SessionSummary;
    const sessions = [
      session('a', 'finished', 100),
      session('b', 'finished', 300),
      session('c', 'finished', 89),
      session('d', 'paused', 900),
      session('e', 'active', 900),
    ];
    assert.deepEqual(
      sessionsToOffer(sessions, 90, now).map(({ id }) => id),
      ['b', 'a'],
    );
    assert.deepEqual(sessionsToOffer(sessions, Infinity, now), []);
  });
});
