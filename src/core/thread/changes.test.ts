import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Part, Turn } from '../model/thread.js';
import { changesAt } from './changes.js';
import { diffLines } from './lineDiff.js';

const call = (name: string, input: unknown, isError = false): Part => ({
  kind: 'toolCall',
  id: 't',
  name,
  input,
  result: { text: '', isError },
});
const write = (content: string, isError?: boolean) =>
  call('Write', { file_path: 'a', content }, isError);
const edit = (old_string: string, new_string: string) =>
  call('Edit', { file_path: 'a', old_string, new_string });

/** What the last of these calls did. */
const last = (...parts: readonly Part[]) => {
  const turns: readonly Turn[] = [{ id: 'x', role: 'assistant', parts }];
  const changes = changesAt(turns, { turn: 0, part: parts.length - 1 });
  return changes.map(({ path, before, after, isWhole }) => [path, before, after, isWhole]);
};

suite('what a tool call did to files', () => {
  const did = (title: string, parts: readonly Part[], expected: readonly unknown[]): void => {
    test(title, () => assert.deepEqual(last(...parts), expected));
  };

  did('an edit shows what it names', [edit('x', 'y')], [['a', 'x', 'y', false]]);
  did(
    'an edit of a file that was written before shows the file',
    [write('1\nx\n'), edit('x', 'y'), edit('1', '2')],
    [['a', '1\ny\n', '2\ny\n', true]],
  );
  did(
    'a new text is compared with the one before',
    [write('1'), write('2')],
    [['a', '1', '2', true]],
  );
  did(
    'a write that failed changed nothing',
    [write('1', true), edit('1', '2')],
    [['a', '1', '2', false]],
  );
  did(
    'after a command nothing is known',
    [write('1x'), call('Bash', { command: 'sed' }), edit('x', 'y')],
    [['a', 'x', 'y', false]],
  );
  did(
    'an edit that does not fit is shown alone',
    [write('1'), edit('x', 'y')],
    [['a', 'x', 'y', false]],
  );
  did(
    'a patch is told file by file',
    [
      call(
        'apply_patch',
        '*** Begin Patch\n*** Update File: a\n@@\n 1\n-x\n+y\n@@\n-z\n*** Add File: b\n+n\n*** End Patch',
      ),
    ],
    [
      ['a', '1\nx\n⋯\nz', '1\ny\n⋯', false],
      ['b', '', 'n', false],
    ],
  );
  did('a command changes no file that is known', [call('Bash', { command: 'ls' })], []);
  did('dollars are letters', [write('a$b'), edit('$b', '$&')], [['a', 'a$b', 'a$&', true]]);
});

suite('lines of a comparison', () => {
  test('what is kept and taken out is the old text, what is kept and put in the new one', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [before, after] = [one.join('\n'), other.join('\n')];
        const lines = diffLines(before, after);
        const side = (sign: string): string =>
          lines
            .filter((line) => !line.startsWith(sign))
            .map((line) => line.slice(1))
            .join('\n');
        assert.equal(side('+'), before);
        assert.equal(side('-'), after);
      }),
    );
  });

  test('one changed line among many is one line out and one in', () => {
    assert.deepEqual(diffLines('a\nb\nc', 'a\nx\nc'), [' a', '-b', '+x', ' c']);
    assert.deepEqual(diffLines('', 'a'), ['+a']);
  });
});
