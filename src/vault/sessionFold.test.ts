import assert from 'node:assert/strict';
import type { Origin } from '../core/model/origin.js';
import type { SessionEvent } from '../core/model/session.js';
import type { SessionState } from './sessionFold.js';
import { addEvent, addMoment } from './sessionFold.js';

const event = (at: number, set: SessionEvent['set'], workspace?: string): SessionEvent => ({
  schemaVersion: 1,
  sessionId: 's',
  at,
  workspace,
  set,
});

suite('sessionFold', () => {
  const early = event(10, { title: 'Early', goal: 'Goal', status: 'active' }, 'file:///first');
  const late = event(
    20,
    { title: 'Late', tags: ['x'], deleted: true, archived: true },
    'file:///second',
  );
  const inOrder = (): SessionState => addEvent(addEvent(undefined, early, '1'), late, '2');

  const becomes = <K extends keyof SessionState>(title: string, field: K, value: SessionState[K]) =>
    test(title, () => {
      assert.deepEqual(inOrder()[field], value);
      const reversed = addEvent(addEvent(undefined, late, '2'), early, '1');
      assert.deepEqual(reversed[field], value, 'the other way round');
    });
  becomes('a session has the title that was given last', 'title', 'Late');
  becomes('what a later change does not name stays', 'goal', 'Goal');
  becomes('a status that was given stays until another is given', 'status', 'active');
  becomes('tags are replaced as a whole', 'tags', ['x']);
  becomes('a deletion holds', 'deleted', true);
  becomes('so does putting it away', 'archived', true);
  becomes('a session stays with the workspace that it was made in', 'workspace', 'file:///first');
  becomes('it was made when its first event happened', 'createdAt', 10);
  becomes('it was changed when its last event happened', 'updatedAt', 20);

  test('who sent a session is what its first import said, what was sent what the last one brought', () => {
    const origin = (from: string, root: string): Origin => ({
      from,
      trust: 'unverified',
      session: '1',
      importedAt: 1,
      file: { createdAt: 1, root },
      said: { title: root, goal: '', status: 'active', tags: [], createdAt: 1 },
    });
    const first = { ...event(1, {}), origin: origin('Ann', 'a') };
    const second = { ...event(2, {}), origin: origin('Bob', 'b') };
    const third = { ...event(3, {}), origin: origin('Cy', 'c') };
    const orders = [
      [first, second, third],
      [third, second, first],
      [second, third, first, second],
    ];
    for (const events of orders) {
      const folded = events.reduce<SessionState | undefined>(
        (state, each) => addEvent(state, each, String(each.at)),
        undefined,
      );
      assert.deepEqual(folded?.origin, { ...origin('Cy', 'c'), from: 'Ann', key: undefined });
    }
  });

  test('an event that comes again does not undo what was set since', () => {
    const after = inOrder();
    assert.deepEqual(addEvent(addEvent(after, early, '1'), late, '2'), after);
  });

  test('a session without a status is active, one of which only snapshots are known has none', () => {
    assert.equal(addMoment(undefined, 5, '1').status, undefined);
    assert.equal(addEvent(addMoment(undefined, 5, '2'), event(1, {}), '1').status, 'active');
  });
});
