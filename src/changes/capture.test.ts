import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CaptureOptions } from './capture.js';
import { fileUri } from './fileUri.js';
import { capture, captureOne, git, TestFolders, write } from './testRepository.js';

const folders = new TestFolders();
const onWindows = process.platform === 'win32';

teardown(() => folders.remove());

suite('what a capture says', () => {
  test('where the work stands: branch, HEAD and files', async () => {
    const root = folders.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    write(root, 'a.txt', 'A\n');
    git(root, 'add', 'a.txt');
    write(root, 'a.txt', 'AA\n');
    rmSync(join(root, 'b.txt'));
    git(root, 'mv', 'c.txt', 'd.txt');
    write(root, 'new.txt', 'new');
    const found = await captureOne(root);
    assert.equal(found.root, fileUri(root));
    assert.equal(found.branch, 'main');
    assert.equal(found.head, git(root, 'rev-parse', 'HEAD').trim());
    assert.deepEqual(found.files, [
      { path: 'a.txt', status: 'MM' },
      { path: 'b.txt', status: ' D' },
      { path: 'd.txt', from: 'c.txt', status: 'R ' },
    ]);
    assert.deepEqual(
      found.untracked.map(({ path, size, content }) => [path, size, found.captured.text(content)]),
      [['new.txt', 3, 'new']],
    );
    assert.deepEqual(found.problems, []);
  });

  test('nothing for a clean repository but where it is', async () => {
    const found = await captureOne(folders.repository());
    assert.deepEqual(
      [found.staged, found.unstaged, found.files, found.untracked],
      [undefined, undefined, [], []],
    );
    assert.equal(found.captured.blobs.size, 0);
  });

  test('all that there is before the first commit', async () => {
    const root = folders.make();
    git(root, 'init', '-q', '-b', 'main');
    assert.deepEqual((await captureOne(root)).problems, []);
    write(root, 'staged.txt', 'x\n');
    git(root, 'add', 'staged.txt');
    write(root, 'new.txt', 'y\n');
    const found = await captureOne(root);
    assert.equal(found.head, undefined);
    assert.equal(found.branch, 'main');
    assert.match(found.captured.text(found.staged), /^\+x$/m);
    assert.deepEqual(
      found.untracked.map(({ path }) => path),
      ['new.txt'],
    );
  });

  test('no branch while HEAD is detached, as in a rebase', async () => {
    const root = folders.repository();
    git(root, 'checkout', '-q', '--detach');
    const found = await captureOne(root);
    assert.equal(found.branch, undefined);
    assert.match(found.head ?? '', /^[0-9a-f]{40}$/);
  });

  test('that a merge is under way', async () => {
    const root = folders.repository();
    git(root, 'checkout', '-q', '-b', 'other');
    write(root, 'a.txt', 'other\n');
    git(root, 'commit', '-qam', 'other');
    git(root, 'checkout', '-q', 'main');
    write(root, 'a.txt', 'main\n');
    git(root, 'commit', '-qam', 'main');
    assert.throws(() => git(root, 'merge', 'other'));
    const found = await captureOne(root);
    assert.deepEqual(found.files, [{ path: 'a.txt', status: 'UU' }]);
    assert.match(found.problems.join(), /conflict/);
  });

  test('a moved submodule in the outer repository, its edits in its own', async () => {
    const inner = folders.repository({ 'in.txt': 'x\n' });
    const root = folders.repository();
    git(root, 'submodule', 'add', '-q', inner, 'deep/er/and/deeper/sub');
    git(root, 'commit', '-q', '-m', 'sub');
    const sub = join(root, 'deep/er/and/deeper/sub');
    write(sub, 'in.txt', 'y\n');
    git(sub, 'commit', '-qam', 'moved');
    write(sub, 'in.txt', 'edited\n');
    const { changes, text } = await capture(root);
    const [outer, nested] = changes.repositories;
    assert.deepEqual(
      changes.repositories.map((repository) => repository.root),
      [root, sub].map((path) => fileUri(path)),
    );
    assert.match(text(outer?.unstaged), /^\+Subproject commit [0-9a-f]{40}$/m);
    assert.match(text(nested?.unstaged), /^\+edited$/m);
  });

  test('an untracked nested repository once, and one that holds nothing by name', async () => {
    const root = folders.repository();
    for (const path of ['nested', 'too/far/down/for/us']) {
      mkdirSync(join(root, path), { recursive: true });
      git(join(root, path), 'init', '-q');
      write(root, `${path}/x.txt`, 'x');
    }
    const { changes } = await capture(root);
    const [outer, nested] = changes.repositories;
    assert.deepEqual(
      outer?.untracked.map(({ path, left }) => [path, left]),
      [['too/far/down/for/us/', 'notAFile']],
    );
    assert.deepEqual(
      nested?.untracked.map(({ path }) => path),
      ['x.txt'],
    );
  });
});

suite('what a capture leaves', () => {
  const leaves = (
    title: string,
    make: (root: string) => void,
    expected: readonly (readonly [path: string, left: string | undefined])[],
    options: Partial<CaptureOptions> = {},
    skip = false,
  ): void => {
    (skip ? test.skip : test)(title, async () => {
      const root = folders.repository({ '.gitignore': 'ignored/\n*.log\n' });
      make(root);
      const { untracked } = await captureOne(root, options);
      assert.deepEqual(
        untracked.map(({ path, left }) => [path, left]),
        expected,
      );
      for (const { content, left } of untracked) {
        assert.equal(content === undefined, left !== undefined);
      }
    });
  };

  leaves(
    'ignored files, without a word',
    (root) => {
      for (const path of ['ignored/secret.env', 'x.log', 'deep/y.log']) write(root, path, 'no');
      write(root, 'seen.txt', 'yes');
    },
    [['seen.txt', undefined]],
  );
  leaves(
    'files above the limit, to the byte',
    (root) => {
      write(root, 'fits.txt', 'x'.repeat(100));
      write(root, 'large.txt', 'x'.repeat(101));
    },
    [
      ['fits.txt', undefined],
      ['large.txt', 'tooLarge'],
    ],
    { maxFileBytes: 100 },
  );
  leaves(
    'the files changed longest ago where there are too many',
    (root) => {
      for (const [path, time] of Object.entries({ a: 1000, b: 3000, c: 2000 })) {
        write(root, path, path);
        utimesSync(join(root, path), time, time);
      }
    },
    [
      ['a', 'tooMany'],
      ['b', undefined],
      ['c', undefined],
    ],
    { maxFiles: 2 },
  );
  leaves(
    'links, wherever they lead',
    (root) => {
      const outside = folders.make();
      write(outside, 'secret.txt', 'secret');
      symlinkSync(join(outside, 'secret.txt'), join(root, 'to-file'));
      symlinkSync(outside, join(root, 'to-folder'));
      symlinkSync('nowhere', join(root, 'to-nothing'));
    },
    [
      ['to-file', 'notAFile'],
      ['to-folder', 'notAFile'],
      ['to-nothing', 'notAFile'],
    ],
    {},
    onWindows,
  );
  leaves(
    'pipes, without waiting for them',
    (root) => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      write(root, 'z.txt', 'z');
    },
    [['z.txt', undefined]],
    {},
    onWindows,
  );

  test('no file out because its name is not UTF-8', async function () {
    if (process.platform !== 'linux') this.skip();
    const root = folders.repository();
    writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x61, 0xff])]), 'content');
    const { untracked, captured } = await captureOne(root);
    assert.deepEqual(
      untracked.map(({ path, content }) => [path, captured.text(content)]),
      [['a\ufffd', 'content']],
    );
  });

  test('names beyond ten thousand, but says how many', async () => {
    const root = folders.repository();
    mkdirSync(join(root, 'many'));
    for (let at = 0; at < 10_003; at++) writeFileSync(join(root, 'many', String(at)), '');
    const { untracked, problems } = await captureOne(root, { maxFiles: 3 });
    assert.equal(untracked.length, 10_000);
    assert.equal(untracked.filter(({ content }) => content !== undefined).length, 3);
    assert.deepEqual(problems, ['3 more untracked files are neither kept nor named.']);
  });

  test('a patch that would be too large, but only the file that makes it so', async () => {
    const root = folders.repository({ 'huge.bin': 'x', 'small.txt': 'x\n' });
    write(root, 'huge.bin', randomBytes(34 * 1024 * 1024));
    write(root, 'small.txt', 'y\n');
    const found = await captureOne(root);
    assert.match(found.captured.text(found.unstaged), /^\+y$/m);
    assert.deepEqual(found.problems, [
      'The unstaged changes of huge.bin are too large and were not kept.',
    ]);
  });
});
