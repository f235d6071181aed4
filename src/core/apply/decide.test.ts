import assert from 'node:assert/strict';
import { decide, decideMove, type Decision, type Side } from './decide.js';

/** `x1`: content 1, runs; `-1`: does not; `l1`: a link; `s1`: a submodule; empty: no file. */
function side(text: string): Side | undefined {
  const modes = new Map([
    ['x', '100755'],
    ['-', '100644'],
    ['l', '120000'],
    ['s', '160000'],
  ]);
  const mode = modes.get(text.charAt(0));
  return mode === undefined ? undefined : { mode, content: text.slice(1) };
}
const show = (decision: Decision): string => {
  switch (decision.do) {
    case 'write':
      return `${decision.kind} ${decision.side.mode === '100755' ? 'x' : '-'}${decision.side.content}`;
    case 'leave':
    case 'refuse':
      return `${decision.do} ${decision.reason}`;
    default:
      return decision.do;
  }
};

suite('deciding what becomes of one file', () => {
  const gives = (title: string, base: string, ours: string, theirs: string, expected: string) =>
    test(`${title}: ${base || '∅'} | ${ours || '∅'} | ${theirs || '∅'}`, () => {
      const versions = { base: side(base), ours: side(ours), theirs: side(theirs) };
      assert.equal(show(decide(versions)), expected);
    });
  gives('a new file comes', '', '', '-1', 'add -1');
  gives('a changed file comes', '-1', '-1', '-2', 'change -2');
  gives('a deleted file goes', '-1', '-1', '', 'delete');
  gives('what is here already stays', '-1', '-2', '-2', 'nothing');
  gives('what is gone already stays gone', '-1', '', '', 'nothing');
  gives('what the session did not change stays as it is here', '-1', '-2', '-1', 'nothing');
  gives('both changed it', '-1', '-2', '-3', 'merge');
  gives('the same new file', '', '-1', '-1', 'nothing');
  gives('another new file is never covered', '', '-1', '-2', 'refuse bothAdded');
  gives('what was changed here is not deleted', '-1', '-2', '', 'refuse changedHere');
  gives('what was deleted here does not come back', '-1', '', '-2', 'refuse deletedHere');
  gives('it was made a program', '-1', '-1', 'x1', 'change x1');
  gives('a mode here and a content there', '-1', 'x1', '-2', 'change x2');
  gives('a content here and a mode there', '-1', '-2', 'x1', 'change x2');
  gives('both were made programs, one changed', '-1', 'x1', 'x2', 'change x2');
  gives('links are not made', '', '', 'l1', 'leave link');
  gives('a file that became a link', '-1', '-1', 'l1', 'leave link');
  gives('a link that became a file', 'l1', 'l1', '-1', 'leave link');
  gives('a link here is not followed', '-1', 'l2', '-3', 'refuse inTheWay');
  gives('submodules stay', 's1', 's1', 's2', 'leave submodule');
  gives('a submodule here', '', 's1', '-2', 'refuse inTheWay');
});

suite('deciding what becomes of a file that was moved', () => {
  const gives = (
    title: string,
    [base, from, theirs, to]: readonly [string, string, string, string],
    expected: string,
  ) =>
    test(title, () => {
      const content = side(theirs);
      assert.ok(content);
      const versions = { base: side(base), ours: side(from), theirs: content };
      assert.equal(show(decideMove(versions, side(to))), expected);
    });
  gives('it moves', ['-1', '-1', '-1', ''], 'change -1');
  gives('it moves with a change', ['-1', '-1', '-2', ''], 'change -2');
  gives('it takes what was changed here along', ['-1', '-2', '-1', ''], 'change -2');
  gives('both changed it', ['-1', '-2', '-3', ''], 'merge');
  gives('it was moved here too', ['-1', '', '-2', '-2'], 'nothing');
  gives('its old name stands still', ['-1', '-1', '-2', '-2'], 'change -2');
  gives('it is gone here', ['-1', '', '-2', ''], 'refuse deletedHere');
  gives('another file has its new name', ['-1', '-1', '-2', '-3'], 'refuse bothAdded');
  gives('a link has its new name', ['-1', '-1', '-2', 'l3'], 'refuse inTheWay');
  gives(
    'moved here too, and its old name was changed',
    ['-1', '-3', '-2', '-2'],
    'refuse changedHere',
  );
  gives('it became a link', ['-1', '-1', 'l1', ''], 'leave link');
});
