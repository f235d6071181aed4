import assert from 'node:assert/strict';
import type { SessionStatus, SessionSummary } from '../core/model/session.js';
import { mergeFields } from './mergeFields.js';

interface Fields {
  readonly title: string;
  readonly goal: string;
  readonly status: SessionStatus;
  readonly tags: string[];
}
const old: Fields = { title: 'Title', goal: 'Goal', status: 'paused', tags: ['a', 'b'] };
const row = (fields: Fields): SessionSummary => ({
  ...fields,
  id: 'session',
  createdAt: 0,
  updatedAt: 0,
  agents: [],
  snapshots: 0,
  threads: 0,
});

suite('a newer file of a session that is here', () => {
  const merges = (
    title: string,
    here: Partial<Fields>,
    theirs: Partial<Fields>,
    set: Partial<Fields>,
    conflicts: readonly string[] = [],
  ) =>
    test(title, () => {
      const entry = { ...old, ...theirs };
      const now = row({ ...old, ...here });
      const merged = mergeFields(entry, old, now, false);
      assert.deepEqual([merged.set, merged.conflicts], [set, conflicts]);
      const taken = mergeFields(entry, old, now, true);
      assert.deepEqual(taken.conflicts, [], 'nothing is left to decide');
      const byName = mergeFields(entry, old, now, conflicts as readonly (keyof Fields)[]);
      assert.deepEqual(byName, taken, 'all of them by name are all of them');
      for (const field of conflicts as readonly (keyof Fields)[]) {
        assert.deepEqual(taken.set[field], entry[field]);
      }
    });
  merges('nothing changed', {}, {}, {});
  merges('the sender changed it', {}, { title: 'New' }, { title: 'New' });
  merges('it was changed here', { title: 'Mine' }, {}, {});
  merges('both changed it', { title: 'Mine' }, { title: 'New' }, {}, ['title']);
  test('one field is taken, and another stays as it is here', () => {
    const entry = { ...old, title: 'Hers', goal: 'Hers' };
    const now = row({ ...old, title: 'Mine', goal: 'Mine' });
    const { set, conflicts } = mergeFields(entry, old, now, ['goal']);
    assert.deepEqual([set, conflicts], [{ goal: 'Hers' }, ['title']]);
  });
  merges('both changed it to the same', { title: 'New' }, { title: 'New' }, {});
  merges('one field each', { title: 'Mine' }, { goal: 'New' }, { goal: 'New' });
  merges('what became empty takes nothing’s place', {}, { title: '', goal: '' }, {});
  merges('nor that of what was changed here', { goal: 'Mine' }, { goal: '' }, {});
  merges('what was empty here is filled', { goal: '' }, { goal: 'New' }, {}, ['goal']);
  merges(
    'tags of both come together',
    { tags: ['a', 'b', 'mine'] },
    { tags: ['b', 'theirs'] },
    {
      tags: ['b', 'mine', 'theirs'],
    },
  );
  merges('tags that were taken away on both sides', { tags: ['b'] }, { tags: ['a'] }, { tags: [] });
  merges(
    'what is worked on here is not ended by a file',
    { status: 'active' },
    { status: 'finished' },
    {},
    ['status'],
  );
  merges('what is ended there is ended here', {}, { status: 'finished' }, { status: 'finished' });
  merges('nobody here works on what is active there', {}, { status: 'active' }, {});

  test('both versions of a conflict are said', () => {
    const { differences } = mergeFields(
      { ...old, goal: 'New' },
      old,
      row({ ...old, goal: 'Mine' }),
      false,
    );
    assert.deepEqual(differences, [{ field: 'goal', here: 'Mine', theirs: 'New' }]);
  });
  test('of what was never here everything is taken', () => {
    const { set } = mergeFields({ ...old, status: 'active' }, undefined, undefined, false);
    assert.deepEqual(set, old);
  });
});
