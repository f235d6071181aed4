import assert from 'node:assert/strict';
import type { Part, Turn } from '../model/thread.js';
import { sizeOf, tailStart } from './tail.js';

const words = (text: string): number => (text === '' ? 0 : text.split(' ').length);
const turn = (role: Turn['role'], ...parts: Part[]): Turn => ({ id: role, role, parts });
const text = (length: number): Part => ({ kind: 'text', text: 'w '.repeat(length).trim() });

suite('what of a thread fits', () => {
  // A part costs 8 more than its words.
  const turns = [
    turn('user', text(2)),
    turn('assistant', text(32)),
    turn('user', text(2)),
    turn('assistant', text(12), { kind: 'thinking', text: 'not sent at all' }),
    turn('assistant', {
      kind: 'toolCall',
      id: '1',
      name: 'a',
      input: {},
      result: { text: 'b c d e', isError: false },
    }),
  ];

  test('the size is that of all that is sent', () => {
    assert.deepEqual(sizeOf({ turns }, 100, words), { tokens: 94, budget: 100, fits: true });
    assert.deepEqual(sizeOf({ turns }, 93, words), { tokens: 94, budget: 93, fits: false });
  });

  const begins = (budget: number, at: number): void => {
    test(`in ${budget} tokens it begins with turn ${at}, a prompt`, () => {
      assert.equal(tailStart(turns, budget, words), at);
    });
  };
  begins(1000, 0);
  begins(94, 0);
  begins(93, 2);
  begins(44, 2);
  begins(43, 5);
  begins(0, 5);
});
