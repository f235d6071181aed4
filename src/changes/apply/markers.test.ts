import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, TestFolders, write } from '../testRepository.js';
import { applyAll, binary, lines, traceHere, twoClones } from './testApply.js';

suite('a file that both changed in the same lines, merged by a person', function () {
  this.timeout(900_000);
  const folders = new TestFolders();
  teardown(() => folders.remove());

  const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');
  const both = (files: Readonly<Record<string, string>> = { a: lines(), b: 'b\n' }) => {
    const pair = twoClones(folders, files);
    write(pair.ann, 'a', lines([2, 'ann'], [12, 'ann']));
    write(pair.bob, 'a', lines([2, 'bob'], [18, 'bob']));
    return pair;
  };
  const markers = { choice: { markers: true } };

  test('has both versions between git’s markers, and all that is clear merged', async () => {
    const pair = both();
    write(pair.ann, 'b', 'ann\n');
    const { plan } = await applyAll(pair, markers);
    assert.deepEqual(plan, ['change b', 'markers a']);
    const marked =
      '<<<<<<< here\nbob\n||||||| before both\nline 2\n=======\nann\n>>>>>>> from the session';
    assert.equal(read(pair.bob, 'a'), lines([2, marked], [12, 'ann'], [18, 'bob']));
    assert.equal(read(pair.bob, 'b'), 'ann\n');
  });

  test('is unmerged to git, which refuses to commit it until a person has chosen', async () => {
    const pair = both();
    await applyAll(pair, markers);
    assert.equal(git(pair.bob, 'status', '--porcelain'), 'UU a\n');
    assert.throws(() => git(pair.bob, 'commit', '-q', '-m', 'too early'));
    const versions = [1, 2, 3].map((stage) => git(pair.bob, 'show', `:${stage}:a`));
    assert.deepEqual(versions, [lines(), lines([2, 'bob'], [18, 'bob']), read(pair.ann, 'a')]);
    write(pair.bob, 'a', lines([2, 'both'], [12, 'ann'], [18, 'bob']));
    git(pair.bob, 'add', 'a');
    git(pair.bob, 'commit', '-q', '-m', 'chosen');
    assert.equal(git(pair.bob, 'status', '--porcelain'), '');
  });

  test('keeps what was staged of it, and other files’ index, out of the way', async () => {
    const pair = both();
    git(pair.ann, 'add', 'a');
    write(pair.bob, 'b', 'staged by Bob\n');
    git(pair.bob, 'add', '.');
    const { staged } = await applyAll(pair, { ...markers, staged: true });
    assert.deepEqual(staged, ['CONFLICT a bothChanged']);
    assert.equal(git(pair.bob, 'status', '--porcelain'), 'UU a\nM  b\n');
  });

  test('two new files of one name, tracked or not', async () => {
    const pair = twoClones(folders);
    for (const path of ['tracked', 'loose']) {
      write(pair.ann, path, 'ann\n');
      write(pair.bob, path, 'bob\n');
    }
    git(pair.bob, 'add', 'tracked');
    const { plan } = await applyAll(pair, markers);
    assert.deepEqual(plan, ['markers loose', 'markers tracked']);
    for (const path of ['tracked', 'loose']) {
      assert.match(read(pair.bob, path), /^<{7} here\nbob\n[^]*\nann\n>{7} from the session\n$/);
    }
    assert.equal(git(pair.bob, 'status', '--porcelain'), 'AA tracked\n?? loose\n');
  });

  test('an empty new file is not taken for an older version of Ann’s', async () => {
    const pair = twoClones(folders);
    write(pair.ann, 'new', 'ann\n');
    write(pair.bob, 'new', '');
    assert.deepEqual((await applyAll(pair)).plan, ['CONFLICT new bothAdded']);
    assert.deepEqual((await applyAll(pair, markers)).plan, ['CONFLICT new bothAdded']);
  });

  /** What a person cannot choose between line by line stands against all of it. */
  const refuses = (
    title: string,
    work: {
      readonly files?: Record<string, string>;
      readonly ann: string | Buffer;
      readonly bob: string | Buffer;
      readonly choice?: { readonly isUnsaved: () => boolean };
    },
    expected: string,
  ) =>
    test(title, async () => {
      const pair = twoClones(folders, work.files ?? { a: lines(), b: 'b\n' });
      write(pair.ann, 'a', work.ann);
      write(pair.bob, 'a', work.bob);
      const before = traceHere(pair.bob);
      const { plan, written } = await applyAll(pair, { choice: { markers: true, ...work.choice } });
      assert.ok(plan.includes(expected), plan.join(', '));
      assert.equal(written, undefined);
      assert.deepEqual(traceHere(pair.bob), before);
    });
  refuses(
    'what is no text',
    { ann: Buffer.concat([binary, Buffer.from('a')]), bob: binary },
    'CONFLICT a binary',
  );
  refuses(
    'what is marked as not to be merged',
    {
      files: { '.gitattributes': 'a -merge\n', a: lines() },
      ann: lines([2, 'ann']),
      bob: lines([2, 'bob']),
    },
    'CONFLICT a binary',
  );
  refuses(
    'what has unsaved text in an editor',
    { ann: lines([2, 'ann']), bob: lines([2, 'bob']), choice: { isUnsaved: () => true } },
    'CONFLICT a unsaved',
  );

  test('line ends are as they belong here', async () => {
    const pair = twoClones(folders, { '.gitattributes': '* text=auto\n', a: lines() });
    write(pair.ann, 'a', lines([2, 'ann']));
    git(pair.bob, 'config', 'core.autocrlf', 'true');
    write(pair.bob, 'a', lines([2, 'bob']).replaceAll('\n', '\r\n'));
    await applyAll(pair, markers);
    const text = read(pair.bob, 'a');
    assert.match(text, /<{7} here\r\nbob\r\n/);
    assert.equal(text.replaceAll('\r\n', '').includes('\n'), false);
  });
});
