import assert from 'node:assert/strict';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { git, TestFolders, write } from '../testRepository.js';
import { applyAll, lines, twoClones } from './testApply.js';

const files = { a: lines(), b: 'b\n', c: 'c\n', own: 'own\n' };

suite('what is staged in a session', function () {
  this.timeout(900_000);
  const folders = new TestFolders();
  teardown(() => folders.remove());

  /** Both letters of each file, as a person sees them. */
  const status = (root: string): readonly string[] =>
    git(root, 'status', '--porcelain', '--untracked-files=all')
      .split('\n')
      .filter((line) => line !== '');
  /** What a commit would hold. */
  const stagedIn = (root: string): string => git(root, 'diff', '--cached', '--no-renames');

  /** Bob's index comes to say what Ann's does. */
  const comesStaged = (title: string, work: (ann: string) => void, expected: readonly string[]) =>
    test(title, async () => {
      const pair = twoClones(folders, files);
      work(pair.ann);
      const { staged } = await applyAll(pair, { staged: true });
      assert.deepEqual(staged, expected);
      assert.deepEqual(status(pair.bob), status(pair.ann));
      assert.equal(stagedIn(pair.bob), stagedIn(pair.ann));
      assert.equal(git(pair.bob, 'fsck', '--no-dangling', '--connectivity-only'), '');
      const again = await applyAll(pair, { staged: true });
      assert.deepEqual([again.plan, again.staged], [[], []], 'once more changes nothing');
    });

  comesStaged(
    'changed: staged, not staged, and both',
    (ann) => {
      write(ann, 'a', lines([2, 'staged']));
      write(ann, 'c', 'staged\n');
      git(ann, 'add', 'a', 'c');
      write(ann, 'a', lines([2, 'staged'], [9, 'then changed']));
      write(ann, 'b', 'not staged\n');
    },
    ['change a', 'change c'],
  );
  comesStaged(
    'new, deleted, and deleted in the index only',
    (ann) => {
      write(ann, 'd/new', 'new\n');
      write(ann, 'untracked', 'x\n');
      git(ann, 'add', 'd/new');
      git(ann, 'rm', '-q', 'b');
      git(ann, 'rm', '-q', '--cached', 'c');
    },
    ['add d/new', 'delete b', 'delete c'],
  );
  comesStaged(
    'moved, also with a change',
    (ann) => {
      git(ann, 'mv', 'a', 'moved');
      write(ann, 'moved', lines([4, 'changed']));
      git(ann, 'add', 'moved');
      git(ann, 'mv', 'c', 'd');
    },
    ['move a > moved', 'move c > d'],
  );
  comesStaged(
    'staged, and then put back in the folder',
    (ann) => {
      write(ann, 'a', lines([2, 'staged']));
      git(ann, 'add', 'a');
      write(ann, 'a', lines());
      write(ann, 'new', 'new\n');
      git(ann, 'add', 'new');
      rmSync(join(ann, 'new'));
    },
    ['add new', 'change a'],
  );
  if (process.platform !== 'win32') {
    comesStaged(
      'made to run',
      (ann) => {
        chmodSync(join(ann, 'b'), 0o755);
        git(ann, 'add', 'b');
        chmodSync(join(ann, 'c'), 0o755);
      },
      ['change b'],
    );
  }

  test('is staged only when asked for', async () => {
    const pair = twoClones(folders, files);
    write(pair.ann, 'a', lines([2, 'ann']));
    git(pair.ann, 'add', 'a');
    const { staged } = await applyAll(pair);
    assert.deepEqual(staged, ['change a']);
    assert.deepEqual(status(pair.bob), [' M a']);
  });

  /** What Bob has staged himself, and what comes of it. */
  const meets = (
    title: string,
    work: { ann(root: string): void; bob(root: string): void },
    expected: readonly string[],
    statusAfter: readonly string[],
    staged: Readonly<Record<string, string>> = {},
  ) =>
    test(title, async () => {
      const pair = twoClones(folders, files);
      work.ann(pair.ann);
      work.bob(pair.bob);
      const applied = await applyAll(pair, { staged: true });
      assert.deepEqual(applied.staged, expected);
      assert.deepEqual(status(pair.bob), statusAfter);
      for (const [path, text] of Object.entries(staged)) {
        assert.equal(git(pair.bob, 'show', `:${path}`), text);
      }
    });

  meets(
    'leaves what Bob has staged in other files',
    {
      ann: (root) => {
        write(root, 'a', lines([2, 'ann']));
        git(root, 'add', 'a');
      },
      bob: (root) => {
        write(root, 'own', 'staged by Bob\n');
        write(root, 'his', 'new\n');
        git(root, 'add', 'own', 'his');
        git(root, 'rm', '-q', 'c');
      },
    },
    ['change a'],
    ['M  a', 'D  c', 'A  his', 'M  own'],
    { own: 'staged by Bob\n' },
  );
  meets(
    'comes together with what Bob has staged in the same file',
    {
      ann: (root) => {
        write(root, 'a', lines([2, 'ann']));
        git(root, 'add', 'a');
      },
      bob: (root) => {
        write(root, 'a', lines([15, 'bob']));
        git(root, 'add', 'a');
      },
    },
    ['merge a'],
    ['M  a'],
    { a: lines([2, 'ann'], [15, 'bob']) },
  );
  meets(
    'takes no place of what Bob has staged in the same lines',
    {
      ann: (root) => {
        write(root, 'a', lines([2, 'ann']));
        git(root, 'add', 'a');
        write(root, 'a', lines());
        write(root, 'b', 'ann\n');
        git(root, 'add', 'b');
      },
      bob: (root) => {
        write(root, 'a', lines([2, 'bob']));
        git(root, 'add', 'a');
      },
    },
    ['CONFLICT a bothChanged', 'change b'],
    ['M  a', 'M  b'],
    { a: lines([2, 'bob']) },
  );
  meets(
    'lies on what Bob has committed since',
    {
      ann: (root) => {
        write(root, 'a', lines([2, 'ann']));
        git(root, 'add', 'a');
      },
      bob: (root) => {
        write(root, 'a', lines([15, 'bob']));
        git(root, 'commit', '-q', '-am', 'bob');
      },
    },
    ['merge a'],
    ['M  a'],
    { a: lines([2, 'ann'], [15, 'bob']) },
  );
  meets(
    'is not put where the index has a folder, or a file above it',
    {
      ann: (root) => {
        for (const path of ['x', 'y/z']) {
          write(root, path, 'ann\n');
          git(root, 'add', path);
          rmSync(join(root, path));
        }
      },
      bob: (root) => {
        for (const path of ['x/below', 'y']) {
          write(root, path, 'bob\n');
          git(root, 'add', path);
        }
      },
    },
    ['CONFLICT x inTheWay', 'CONFLICT y/z inTheWay'],
    ['A  x/below', 'A  y'],
  );
  meets(
    'waits where Bob is in the middle of a merge',
    {
      ann: (root) => {
        write(root, 'a', lines([2, 'ann']));
        git(root, 'add', 'a');
        write(root, 'a', lines());
        write(root, 'b', 'ann\n');
        git(root, 'add', 'b');
      },
      bob: (root) => {
        git(root, 'checkout', '-q', '-b', 'other');
        write(root, 'a', lines([3, 'other']));
        git(root, 'commit', '-q', '-am', 'other');
        git(root, 'checkout', '-q', 'main');
        write(root, 'a', lines([3, 'main']));
        git(root, 'commit', '-q', '-am', 'main');
        assert.throws(() => git(root, 'merge', '-q', 'other'));
      },
    },
    ['CONFLICT a unmerged', 'change b'],
    ['UU a', 'M  b'],
  );
});
