import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { git, TestFolders, write } from '../testRepository.js';
import { applyAll, binary, lines, traceHere, twoClones } from './testApply.js';

suite('what both clones have changed', function () {
  this.timeout(900_000);
  const folders = new TestFolders();
  teardown(() => folders.remove());

  const read = (root: string, path: string): string => readFileSync(join(root, path), 'utf8');

  /** What Bob did comes together with what Ann did, or nothing of it happens. */
  const meets = (
    title: string,
    work: {
      readonly files?: Record<string, string>;
      ann(root: string): unknown;
      bob(root: string): unknown;
    },
    plan: readonly string[],
    check: (bob: string) => void = () => undefined,
  ) =>
    test(title, async () => {
      const pair = twoClones(folders, work.files ?? { a: lines(), b: 'b\n' });
      work.ann(pair.ann);
      work.bob(pair.bob);
      const before = traceHere(pair.bob);
      const applied = await applyAll(pair);
      assert.deepEqual(applied.plan, plan);
      if (plan.some((line) => line.startsWith('CONFLICT'))) {
        assert.deepEqual(traceHere(pair.bob), before, 'nothing was written');
      }
      check(pair.bob);
    });
  meets(
    'other lines of one file',
    {
      ann: (root) => write(root, 'a', lines([2, 'ann'])),
      bob: (root) => write(root, 'a', lines([15, 'bob'])),
    },
    ['merge a'],
    (bob) => assert.equal(read(bob, 'a'), lines([2, 'ann'], [15, 'bob'])),
  );
  meets(
    'other lines, which Bob has committed',
    {
      ann: (root) => write(root, 'a', lines([2, 'ann'])),
      bob: (root) => {
        write(root, 'a', lines([15, 'bob']));
        git(root, 'commit', '-q', '-am', 'bob');
      },
    },
    ['merge a'],
    (bob) => assert.equal(read(bob, 'a'), lines([2, 'ann'], [15, 'bob'])),
  );
  meets(
    'the same lines: nothing at all is written',
    {
      ann: (root) => {
        write(root, 'a', lines([2, 'ann']));
        write(root, 'b', 'ann\n');
        write(root, 'new', 'new\n');
      },
      bob: (root) => write(root, 'a', lines([2, 'bob'])),
    },
    ['CONFLICT a bothChanged', 'add new', 'change b'],
  );
  meets(
    'the same change',
    {
      ann: (root) => write(root, 'a', lines([2, 'both'])),
      bob: (root) => write(root, 'a', lines([2, 'both'])),
    },
    [],
  );
  meets(
    'one moved it, the other changed it',
    {
      ann: (root) => git(root, 'mv', 'a', 'moved'),
      bob: (root) => write(root, 'a', lines([15, 'bob'])),
    },
    ['move a > moved'],
    (bob) => {
      assert.equal(read(bob, 'moved'), lines([15, 'bob']));
      assert.equal(existsSync(join(bob, 'a')), false);
    },
  );
  meets(
    'an untracked file of Bob’s is never covered',
    {
      ann: (root) => write(root, 'notes', 'ann\n'),
      bob: (root) => write(root, 'notes', 'bob\n'),
    },
    ['CONFLICT notes bothAdded'],
    (bob) => assert.equal(read(bob, 'notes'), 'bob\n'),
  );
  meets(
    'an ignored file of Bob’s is never covered',
    {
      files: { '.gitignore': 'out\n', a: lines() },
      ann: (root) => {
        write(root, '.gitignore', '');
        write(root, 'out', 'ann\n');
      },
      bob: (root) => write(root, 'out', 'bob\n'),
    },
    ['CONFLICT out bothAdded', 'change .gitignore'],
  );
  meets(
    'Bob has changed what Ann deleted',
    {
      ann: (root) => rmSync(join(root, 'a')),
      bob: (root) => write(root, 'a', lines([1, 'bob'])),
    },
    ['CONFLICT a changedHere'],
  );
  meets(
    'Bob has deleted what Ann changed',
    {
      ann: (root) => write(root, 'a', lines([1, 'ann'])),
      bob: (root) => rmSync(join(root, 'a')),
    },
    ['CONFLICT a deletedHere'],
  );
  meets(
    'a folder stands where the file should',
    {
      ann: (root) => write(root, 'c', 'c\n'),
      bob: (root) => write(root, 'c/d', 'd\n'),
    },
    ['CONFLICT c inTheWay'],
  );
  meets(
    'a file stands where the folder should',
    {
      ann: (root) => write(root, 'c/d', 'd\n'),
      bob: (root) => write(root, 'c', 'c\n'),
    },
    ['CONFLICT c/d inTheWay'],
  );
  meets(
    'both changed a binary file',
    {
      files: { a: binary.toString('latin1') },
      ann: (root) => write(root, 'a', Buffer.concat([binary, Buffer.from('ann')])),
      bob: (root) => write(root, 'a', Buffer.concat([binary, Buffer.from('bob')])),
    },
    ['CONFLICT a binary'],
  );
  meets(
    'a file that is marked as not to be merged',
    {
      files: { '.gitattributes': 'a -merge\n', a: lines() },
      ann: (root) => write(root, 'a', lines([2, 'ann'])),
      bob: (root) => write(root, 'a', lines([15, 'bob'])),
    },
    ['CONFLICT a binary'],
  );
  meets(
    'files that Ann did not touch',
    {
      ann: (root) => write(root, 'b', 'ann\n'),
      bob: (root) => {
        write(root, 'a', lines([1, 'bob']));
        write(root, 'own', 'own\n');
      },
    },
    ['change b'],
    (bob) => {
      assert.deepEqual([read(bob, 'a'), read(bob, 'own')], [lines([1, 'bob']), 'own\n']);
    },
  );
  meets(
    'Bob’s line ends are his own',
    {
      files: { '.gitattributes': '* text=auto\n', a: lines() },
      ann: (root) => write(root, 'a', lines([2, 'ann'])),
      bob: (root) => {
        git(root, 'config', 'core.autocrlf', 'true');
        rmSync(join(root, 'a'));
        git(root, 'checkout', '--', 'a');
        write(root, 'a', read(root, 'a').replace('line 15', 'bob'));
      },
    },
    ['merge a'],
    (bob) => {
      const expected = lines([2, 'ann'], [15, 'bob']).replaceAll('\n', '\r\n');
      assert.equal(read(bob, 'a'), expected);
    },
  );

  const text = lines([4, 'a text that git finds again']);
  const moving = { a: text, 'd/b': lines([7, 'b']), c: 'c\n' };
  /** Bob has moved a file, in each of the ways there are. */
  const ways: Readonly<Record<string, (root: string) => unknown>> = {
    committed: (root) => {
      git(root, 'mv', 'a', 'moved');
      git(root, 'commit', '-q', '-m', 'moved');
    },
    staged: (root) => git(root, 'mv', 'a', 'moved'),
    'not staged': (root) => renameSync(join(root, 'a'), join(root, 'moved')),
    'into a new folder, and changed': (root) => {
      mkdirSync(join(root, 'x/y'), { recursive: true });
      renameSync(join(root, 'a'), join(root, 'x/y/moved'));
      write(root, 'x/y/moved', text.replace('line 15', 'bob'));
    },
  };
  for (const [way, bob] of Object.entries(ways)) {
    const isChanged = way.endsWith('changed');
    const moved = isChanged ? 'x/y/moved' : 'moved';
    meets(
      `Bob has moved what Ann changed: ${way}`,
      { files: moving, ann: (root) => write(root, 'a', text.replace('line 2', 'ann')), bob },
      [`${isChanged ? 'merge' : 'change'} ${moved} (there a)`],
      (root) => {
        const both = text.replace('line 2', 'ann');
        assert.equal(read(root, moved), isChanged ? both.replace('line 15', 'bob') : both);
        assert.equal(existsSync(join(root, 'a')), false);
      },
    );
  }
  meets(
    'Bob has moved a file, and Ann changed the same lines',
    {
      files: moving,
      ann: (root) => write(root, 'a', text.replace('line 2', 'ann')),
      bob: (root) => {
        git(root, 'mv', 'a', 'moved');
        write(root, 'moved', text.replace('line 2', 'bob'));
      },
    },
    ['CONFLICT moved bothChanged'],
  );
  meets(
    'Bob has moved what Ann deleted',
    {
      files: moving,
      ann: (root) => rmSync(join(root, 'a')),
      bob: (root) => git(root, 'mv', 'a', 'moved'),
    },
    ['CONFLICT moved movedHere'],
  );
  meets(
    'both moved it to one place',
    {
      files: moving,
      ann: (root) => {
        git(root, 'mv', 'a', 'moved');
        write(root, 'moved', text.replace('line 2', 'ann'));
      },
      bob: (root) => git(root, 'mv', 'a', 'moved'),
    },
    ['change moved'],
    (bob) => assert.equal(read(bob, 'moved'), text.replace('line 2', 'ann')),
  );
  meets(
    'both moved it, to different places',
    {
      files: moving,
      ann: (root) => git(root, 'mv', 'a', 'hers'),
      bob: (root) => git(root, 'mv', 'a', 'his'),
    },
    ['CONFLICT his bothMoved'],
  );
  meets(
    'Bob has moved a file to where programs take commands from',
    {
      files: moving,
      ann: (root) => write(root, 'a', text.replace('line 2', 'ann')),
      bob: (root) => {
        mkdirSync(join(root, '.vscode'));
        git(root, 'mv', 'a', '.vscode/tasks.json');
      },
    },
    ['left .vscode/tasks.json sensitive'],
  );
  meets(
    'Bob has moved several, and has large and nested things beside them',
    {
      files: moving,
      ann: (root) => {
        write(root, 'a', text.replace('line 2', 'ann'));
        write(root, 'd/b', lines([7, 'b'], [1, 'ann']));
      },
      bob: (root) => {
        git(root, 'mv', 'd', 'e');
        git(root, 'mv', 'a', 'e/a');
        git(root, 'init', '-q', 'nested');
        write(root, 'nested/file', 'x\n');
        write(root, 'large', Buffer.alloc(17 * 1024 * 1024));
      },
    },
    ['change e/a (there a)', 'change e/b (there d/b)'],
  );

  test('a file that Bob has moved is left out by either of its names', async () => {
    const pair = twoClones(folders, moving);
    write(pair.ann, 'a', text.replace('line 2', 'ann'));
    git(pair.bob, 'mv', 'a', 'moved');
    for (const name of ['a', 'moved']) {
      const { plan } = await applyAll(pair, { choice: { without: new Set([name]) } });
      assert.deepEqual(plan, [`left ${name} asked`]);
    }
  });
});
