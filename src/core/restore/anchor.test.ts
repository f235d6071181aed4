import { strict as assert } from 'node:assert';
import type { ViewState } from '../model/editors.js';
import { reanchor } from './anchor.js';

/** Where a cursor that stood on line `line` with text `anchor` is in a text now. */
function cursorIn(text: readonly string[], line: number, anchor: string): string {
  const view: ViewState = {
    place: { uri: 'file:///a' },
    group: 0,
    selections: [[line, 1, line, 3]],
    top: line - 1,
    anchor,
  };
  const moved = reanchor(view, text.length, (index) => text[index] ?? '');
  const [selection] = moved.selections;
  return `${selection?.join(',') ?? ''} top ${moved.top ?? ''}`;
}

const lines = (count: number, at: Record<number, string> = {}) =>
  Array.from({ length: count }, (_, index) => at[index] ?? `line ${index}`);

suite('reanchor', () => {
  const finds = (title: string, text: readonly string[], from: number, expected: string) =>
    test(title, () => assert.equal(cursorIn(text, from, 'needle'), expected));

  finds('stays when the line is where it was', lines(50, { 20: 'needle' }), 20, '20,1,20,3 top 19');
  finds('follows lines put in above', lines(300, { 120: 'needle' }), 20, '120,1,120,3 top 119');
  finds('follows lines taken out above', lines(50, { 5: 'needle' }), 20, '5,1,5,3 top 4');
  finds(
    'takes the nearer of two',
    lines(99, { 10: 'needle', 28: 'needle' }),
    20,
    '28,1,28,3 top 27',
  );
  finds('gives up after 100 lines', lines(300, { 121: 'needle' }), 20, '20,1,20,3 top 19');
  finds('stays inside a shorter text', lines(3), 20, '2,1,2,3 top 2');
  finds('stays inside an empty text', [''], 20, '0,1,0,3 top 0');

  test('a blank line says nothing', () => {
    assert.equal(cursorIn(lines(50, { 22: '' }), 20, ''), '20,1,20,3 top 19');
  });
});
