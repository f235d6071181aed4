import assert from 'node:assert/strict';
import fc from 'fast-check';
import { applyEdit } from './replay.js';
import type { ChatState, Edit } from './replay.js';

const start = (): ChatState => ({
  title: 'a',
  requests: [{ response: ['x', 'y', 'z'] }, { response: [] }],
});

const show = (edit: Edit, state: ChatState | undefined = start()) => {
  const applied = applyEdit(state, edit);
  return applied.failed ?? applied.state;
};

suite('replay of a chat log', () => {
  const gives = (title: string, edit: Edit, change: (state: ChatState) => void) =>
    test(title, () => {
      const expected = start();
      change(expected);
      assert.deepEqual(show(edit), expected);
    });
  const set = (path: string, value: unknown) => (state: ChatState) => (state[path] = value);
  const requests = (...items: unknown[]) => set('requests', items);
  const second = { response: [] };

  gives('a title that was given is kept', { kind: 1, k: ['title'], v: 'b' }, set('title', 'b'));
  gives(
    'a value that was removed is gone',
    { kind: 3, k: ['title'] },
    (state) => delete state['title'],
  );
  gives(
    'an answer grows',
    { kind: 2, k: ['requests', 0, 'response'], v: ['w'] },
    requests({ response: ['x', 'y', 'z', 'w'] }, second),
  );
  gives(
    'a part that was written again replaces the old one',
    { kind: 2, k: ['requests', 0, 'response'], v: ['Y'], i: 1 },
    requests({ response: ['x', 'Y'] }, second),
  );
  gives(
    'undone turns are cut',
    { kind: 2, k: ['requests'], i: 1 },
    requests({ response: ['x', 'y', 'z'] }),
  );
  gives(
    'a list that was not there begins',
    { kind: 2, k: ['pending'], v: [1] },
    set('pending', [1]),
  );
  gives(
    'a cut behind the end makes no holes',
    { kind: 2, k: ['requests', 1, 'response'], v: ['a'], i: 9 },
    requests({ response: ['x', 'y', 'z'] }, { response: ['a'] }),
  );

  test('a whole state takes the place of everything before', () => {
    assert.deepEqual(show({ kind: 0, v: { requests: [] } }), { requests: [] });
    assert.deepEqual(applyEdit(undefined, { kind: 0, v: { a: 1 } }).state, { a: 1 });
  });

  const refuses = (title: string, edit: Edit) =>
    test(`a bad line changes nothing: ${title}`, () => {
      const state = start();
      const { failed } = applyEdit(state, edit);
      assert.equal(failed, 'badEdit');
      assert.deepEqual(state, start());
      assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
    });

  for (const step of ['__proto__', 'constructor', 'prototype']) {
    refuses(`path begins with ${step}`, { kind: 1, k: [step, 'polluted'], v: true });
    refuses(`path holds ${step}`, { kind: 1, k: ['requests', step, 'polluted'], v: true });
    refuses(`path ends with ${step}`, { kind: 1, k: ['requests', 0, step], v: { polluted: true } });
    refuses(`append to ${step}`, { kind: 2, k: [step], v: ['polluted'] });
    refuses(`delete ${step}`, { kind: 3, k: [step] });
  }
  refuses('a path through what is not there', { kind: 1, k: ['requests', 7, 'x'], v: 1 });
  refuses('a path through text', { kind: 1, k: ['title', 'x'], v: 1 });
  refuses('an inherited name', { kind: 1, k: ['toString', 'x'], v: 1 });
  refuses('an append to text', { kind: 2, k: ['title'], v: [1] });
  refuses('an append of no list', { kind: 2, k: ['requests'], v: { length: 1 } });
  refuses('a negative cut', { kind: 2, k: ['requests'], i: -1 });
  refuses('an index far behind the end', { kind: 1, k: ['requests', 1e9], v: 1 });
  refuses('a name in a list', { kind: 1, k: ['requests', 'length'], v: 0 });
  refuses('a fraction', { kind: 1, k: ['requests', 0.5], v: 0 });
  refuses('no path', { kind: 1, v: 0 });
  refuses('an empty path', { kind: 3, k: [] });
  refuses('a path that is text', { kind: 1, k: 'title', v: 0 });
  refuses('a kind of the future', { kind: 4, k: ['title'], v: 0 });
  refuses('a state that is none', { kind: 0, v: 'x' });

  test('an edit before any state is refused', () => {
    assert.equal(applyEdit(undefined, { kind: 1, k: ['title'], v: 1 }).failed, 'badEdit');
  });

  test('no edit whatever reaches objects that are shared, or throws', () => {
    const step = fc.oneof(
      fc.constantFrom(
        '__proto__',
        'constructor',
        'prototype',
        'requests',
        'response',
        'title',
        'length',
      ),
      fc.integer({ min: -2, max: 3 }),
    );
    const edit = fc.record(
      {
        kind: fc.integer({ min: 0, max: 4 }),
        k: fc.array(step, { maxLength: 4 }),
        v: fc.jsonValue(),
        i: fc.integer(),
      },
      { requiredKeys: ['kind'] },
    );
    const names = Object.getOwnPropertyNames(Object.prototype).length;
    fc.assert(
      fc.property(fc.array(edit), (edits) => {
        let state: ChatState | undefined = start();
        for (const each of edits) state = applyEdit(state, each).state;
        assert.equal(Object.getOwnPropertyNames(Object.prototype).length, names);
        assert.equal(Object.getPrototypeOf([]), Array.prototype);
      }),
    );
  });
});
