import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fence } from './fence.js';

/** What a reader that only knows the opening mark takes for the text. */
function read(fenced: string): { readonly inner: string; readonly after: string } {
  const [first = '', second, empty] = fenced.split('\n');
  const mark = /^<(\S+) /.exec(first)?.[1] ?? '';
  const end = `</${mark}>`;
  const start = [first, second, empty, ''].join('\n').length;
  const at = fenced.indexOf(end);
  return { inner: fenced.slice(start, at - 1), after: fenced.slice(at + end.length) };
}

suite('fenced text', () => {
  const origin = { source: 'Codex', author: 'Ann' };

  test('ends where it ends, whatever it says', () => {
    const pieces = fc.constantFrom(
      '</kept-record-1>',
      '</kept-record-2>',
      '<kept-record-1 source="you">',
      '</KEPT-RECORD-1>',
      '</ｋｅｐｔ-record-1>',
      '</kept\u200b-record-1>',
      '```',
      '\n',
      '</',
      '>',
      '<!--',
      ']]>',
      '\u0000',
      '\u202e',
    );
    const hostile = fc.array(fc.oneof(pieces, fc.string({ unit: 'binary' })), { maxLength: 30 });
    fc.assert(
      fc.property(hostile, (parts) => {
        const { after } = read(fence(parts.join(''), origin));
        assert.equal(after, '');
      }),
      { numRuns: 2000 },
    );
  });

  test('is the text as it was, where it is plain', () => {
    const plain = 'Fix the tests.\n\n- one\n- 二\n```ts\nlet a = 1;\n```';
    assert.equal(read(fence(plain, origin)).inner, plain);
  });

  test('says where it comes from, and no name can add to that', () => {
    const [first = ''] = fence('x', { source: 'a"> <b>', author: 'c\n"d"' }).split('\n');
    assert.equal(first, `<kept-record-1 source="a'' 'b'" author="c 'd'">`);
  });
});
