import { strict as assert } from 'node:assert';
import fc from 'fast-check';
import type { StrategyEvent, StrategySettings, StrategyState, Work } from './strategy.js';
import { advance, nextSnapshot, startStrategy } from './strategy.js';

const adaptive: StrategySettings = { strategy: 'adaptive', intervalMs: 300_000 };

/**
 * Plays events, written `second kind`, and gives the next snapshot as `second reason`. `saved` and
 * `same` end a save that stored something or found nothing new.
 */
function next(script: string, settings: StrategySettings = adaptive): string {
  const due = nextSnapshot(play(script, settings));
  return due === undefined ? 'none' : `${due.at / 1000} ${due.reason}`;
}

const play = (script: string, settings: StrategySettings): StrategyState =>
  script
    .split(', ')
    .filter((line) => line !== '')
    .reduce(
      (state, line) => {
        const [second = '', kind = ''] = line.split(' ');
        const at = Number(second) * 1000;
        if (kind === 'saved' || kind === 'same') {
          return advance(state, { kind: 'saved', at, stored: kind === 'saved' });
        }
        return advance(state, { kind: kind as Work | 'failed', at });
      },
      startStrategy(settings, -60_000),
    );

/** A tab every ten seconds. */
const minutesOfTabs = Array.from({ length: 9 }, (_, at) => `${10 + at * 10} arrange`).join(', ');

suite('strategy', () => {
  const is = (title: string, script: string, expected: string, settings = adaptive) =>
    test(title, () => assert.equal(next(script, settings), expected));

  is('an untouched window is never saved', '', 'none');
  is('nor is one that is left without work', '0 blur', 'none');
  is('a turn of an agent is kept soon', '10 agentTurn', '11 agentTurn');
  is('so is a commit', '10 gitHead', '11 gitHead');
  is('edits are kept when they calm down', '10 edit, 12 edit, 14 edit', '19 edits');
  is('edits that go on are kept all the same', '10 edit, 40 edit, 69 edit', '70 edits');
  is('a turn does not wait for edits', '10 edit, 11 agentTurn', '12 agentTurn');
  is('leaving the window keeps what is new at once', '10 edit, 11 blur', '11 blur');
  is('tabs that are opened are kept when they calm down', '10 arrange', '25 interval');
  is('a look around is one snapshot', '10 arrange, 20 arrange, 34 arrange', '49 interval');
  is('and one that does not end is kept all the same', minutesOfTabs, '100 interval');
  is('tabs wait for no edits', '10 arrange, 12 edit', '17 edits');
  is('a turn does not wait for tabs', '10 arrange, 11 agentTurn', '12 agentTurn');
  is(
    'tabs that are as they were come more seldom',
    '10 arrange, 25 same, 40 arrange',
    '70 interval',
  );
  is('what is saved needs no snapshot', '10 edit, 15 saved', 'none');
  is('what happens during a save is in the next', '10 edit, 16 edit, 15 saved', '21 edits');
  is('two snapshots keep apart', '10 edit, 15 saved, 15.5 agentTurn', '20 agentTurn');
  is('but not when the window is left', '10 edit, 15 saved, 16 edit, 16 blur', '16 blur');
  is('saves that find nothing new come more seldom', '10 edit, 15 same, 20 edit', '30 edits');
  is('and more', '10 edit, 15 same, 20 edit, 30 same, 40 edit', '60 edits');
  is('until something is new', '10 edit, 15 same, 20 edit, 30 saved, 40 edit', '45 edits');
  is('a turn is never put off', '10 edit, 15 same, 20 same, 40 agentTurn', '41 agentTurn');
  is('a cursor that moves is kept in its own time', '10 view', '30 interval');
  is('an agent at work is kept now and then', '10 agentActivity', '40 interval');
  is('a failed save is tried again later', '10 edit, 15 failed', '45 edits');
  is('and later still', '10 edit, 15 failed, 45 failed', '105 edits');

  const event: StrategySettings = { ...adaptive, strategy: 'event' };
  is('event: moments count', '10 agentTurn', '11 agentTurn', event);
  is('event: time does not', '10 view, 20 agentActivity', 'none', event);
  is('event: patience stays the same', '10 edit, 15 same, 20 edit', '25 edits', event);

  const interval: StrategySettings = { strategy: 'interval', intervalMs: 120_000 };
  is('interval: the time passes from the last save', '0 saved, 10 edit', '120 interval', interval);
  is(
    'interval: leaving the window is no reason',
    '0 saved, 10 edit, 11 blur',
    '120 interval',
    interval,
  );
  is('interval: nothing new is nothing to keep', '0 saved', 'none', interval);

  const manual: StrategySettings = { ...adaptive, strategy: 'manual' };
  is('manual: only a person decides', '10 agentTurn, 10 edit, 11 blur', 'none', manual);
});

suite('strategy, whatever happens', () => {
  const works: readonly Work[] = [
    'agentTurn',
    'agentActivity',
    'edit',
    'arrange',
    'view',
    'gitHead',
    'blur',
  ];
  const event = fc.record({ kind: fc.constantFrom(...works), after: fc.nat(90_000) });

  /** A window in which every snapshot is taken when it is due, and its times. */
  function live(
    steps: readonly { readonly kind: Work; readonly after: number }[],
    stored: boolean,
  ) {
    let state = startStrategy(adaptive, 0);
    let now = 0;
    const saves: { at: number; reason: string }[] = [];
    const until = (end: number): void => {
      for (;;) {
        const due = nextSnapshot(state);
        if (due === undefined || Math.max(due.at, now) > end) break;
        now = Math.max(due.at, now);
        saves.push({ at: now, reason: due.reason });
        state = advance(state, { kind: 'saved', at: now, stored });
      }
      now = end;
    };
    for (const { kind, after } of steps) {
      until(now + after);
      state = advance(state, { kind, at: now });
    }
    const last = now;
    until(now + 24 * 3_600_000);
    return { saves, last, state };
  }

  test('work is kept in the end, and not for ever', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.boolean(), (steps, stored) => {
        const { saves, state } = live(steps, stored);
        assert.equal(nextSnapshot(state), undefined);
        assert.ok(saves.length <= steps.length);
        const worked = steps.some(({ kind }) => kind !== 'blur');
        assert.equal(saves.length > 0, worked);
      }),
    );
  });

  test('snapshots keep apart unless the window is left', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), (steps) => {
        const { saves } = live(steps, true);
        for (const [index, save] of saves.entries()) {
          const before = saves[index - 1];
          if (before === undefined || save.reason === 'blur') continue;
          assert.ok(save.at - before.at >= 5_000);
        }
      }),
    );
  });

  test('a window where nothing is new is saved more seldom than one where all is', () => {
    const typing = Array.from({ length: 100 }, () => ({ kind: 'edit' as const, after: 8_000 }));
    const { saves: changing } = live(typing, true);
    const { saves: same } = live(typing, false);
    assert.equal(changing.length, 100);
    assert.ok(same.length <= 10, `${same.length} saves`);
  });

  test('advance leaves the state that it was given as it was', () => {
    const state = Object.freeze(startStrategy(adaptive, 0));
    const event: StrategyEvent = { kind: 'edit', at: 1 };
    assert.notEqual(advance(state, event), state);
    assert.deepEqual(state.pending, {});
  });
});
