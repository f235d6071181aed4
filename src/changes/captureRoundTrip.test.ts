import assert from 'node:assert/strict';
import { chmodSync, existsSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { captureOne, git, rebuild, TestFolders, treeOf, write } from './testRepository.js';

const folders = new TestFolders();
const onWindows = process.platform === 'win32';
const binary = Buffer.from([0, 1, 2, 255, 10, 13, 0]);

/** Like Git LFS, git stores a pointer in the place of the content, and a pointer as it is. */
const pointerFilter =
  'f() { t=$(cat); case $t in ptr*) echo "$t";; *) echo "ptr $(echo "$t" | cksum)";; esac; }; f';

teardown(() => folders.remove());

suite('changes that come back byte for byte', () => {
  interface Case {
    readonly files?: Readonly<Record<string, string | Buffer>>;
    readonly config?: readonly string[];
    readonly skip?: boolean;
    readonly change: (root: string) => void;
  }
  const comesBack = (title: string, { files, config = [], skip = false, change }: Case): void => {
    (skip ? test.skip : test)(title, async () => {
      const root = folders.make();
      git(root, 'init', '-q', '-b', 'main');
      for (const entry of config) git(root, 'config', ...entry.split(/=(.*)/s, 2));
      for (const [path, content] of Object.entries(files ?? { 'a.txt': 'a\nb\nc\n' })) {
        write(root, path, content);
      }
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', 'first');
      change(root);
      const repository = await captureOne(root);
      const clone = rebuild(repository, repository.captured, join(folders.make(), 'c'), config);
      assert.deepEqual(treeOf(clone), treeOf(root));
    });
  };

  comesBack('an edit, staged and then edited again', {
    change: (root) => {
      write(root, 'a.txt', 'a\nB\nc\n');
      git(root, 'add', 'a.txt');
      write(root, 'a.txt', 'a\nB\nC');
    },
  });
  comesBack('an edit within the second in which the index was written', {
    change: (root) => {
      git(root, 'reset', '-q', '--hard');
      write(root, 'a.txt', 'a\nX\nc\n');
    },
  });
  comesBack('binary files: changed, staged, new', {
    files: { 'old.bin': binary, 'b.bin': Buffer.alloc(5000, 7) },
    change: (root) => {
      write(root, 'old.bin', Buffer.concat([binary, binary]));
      write(root, 'b.bin', Buffer.alloc(5000, 8));
      git(root, 'add', 'b.bin');
      write(root, 'new.bin', binary);
    },
  });
  comesBack('names with spaces, quotes, non-ASCII letters, a leading dash', {
    files: { 'a b.txt': '1', '数据/ü "x".txt': '2', '-n': '3', ':(top)x': '4' },
    change: (root) => {
      for (const path of ['a b.txt', '数据/ü "x".txt', '-n', ':(top)x']) write(root, path, 'new\n');
      for (const path of ['new file', '数据/新', '--cached', "it's"]) write(root, path, 'fresh');
    },
    skip: onWindows,
  });
  comesBack('names with line ends and tabs', {
    files: { 'a\nb': '1\n', 'c\td': '2\n' },
    change: (root) => {
      write(root, 'a\nb', '11\n');
      write(root, 'c\td', '22\n');
      write(root, 'e\n? f', 'fresh');
    },
    skip: onWindows,
  });
  comesBack('renames, with and without an edit, staged and not', {
    files: { 'one.txt': '1\n2\n3\n4\n5\n', 'two.txt': 'a\nb\nc\nd\ne\n', 'three.txt': 'x\n' },
    change: (root) => {
      git(root, 'mv', 'one.txt', 'dir-less.txt');
      git(root, 'mv', 'two.txt', 'moved.txt');
      write(root, 'moved.txt', 'a\nb\nc\nd\nE\n');
      renameSync(join(root, 'three.txt'), join(root, '3.txt'));
    },
  });
  comesBack('deletions, and a file in the place of a folder', {
    files: { 'gone.txt': 'x', 'staged-gone.txt': 'y', 'dir/in.txt': 'z' },
    change: (root) => {
      rmSync(join(root, 'gone.txt'));
      git(root, 'rm', '-q', 'staged-gone.txt');
      rmSync(join(root, 'dir'), { recursive: true });
      write(root, 'dir', 'now a file');
    },
  });
  comesBack('a file that git is to add, and an empty one', {
    change: (root) => {
      write(root, 'later.txt', 'soon');
      write(root, 'empty.txt', '');
      git(root, 'add', '-N', 'later.txt', 'empty.txt');
      write(root, 'untracked-empty.txt', '');
    },
  });
  comesBack('a changed link and a file made executable', {
    change: (root) => {
      symlinkSync('a.txt', join(root, 'link'));
      git(root, 'add', 'link');
      chmodSync(join(root, 'a.txt'), 0o755);
      write(root, 'run.sh', '#!/bin/sh\n');
      chmodSync(join(root, 'run.sh'), 0o755);
    },
    skip: onWindows,
  });
  comesBack('Windows line ends that git converts', {
    config: ['core.autocrlf=true'],
    files: { 'crlf.txt': 'a\r\nb\r\n', 'mixed.txt': 'a\r\nb\r\n', 'lf.txt': 'x\r\n' },
    change: (root) => {
      write(root, 'crlf.txt', 'a\r\nB\r\n');
      write(root, 'mixed.txt', 'a\nB\r\n');
      write(root, 'lf.txt', 'written by a program\n');
      write(root, 'staged.txt', 'only\nlf\n');
      git(root, 'add', 'staged.txt');
    },
  });
  comesBack('Windows line ends that git would store otherwise', {
    files: { '.gitattributes': '* text=auto eol=lf\n', 'a.txt': 'a\nb\n' },
    change: (root) => write(root, 'a.txt', 'a\r\nb\r\nc\r\n'),
  });
  comesBack('files that a filter rewrites, as Git LFS does', {
    config: [`filter.sum.clean=${pointerFilter}`, 'filter.sum.smudge=cat'],
    files: { '.gitattributes': '*.dat filter=sum\n', 'big.dat': 'first' },
    change: (root) => write(root, 'big.dat', 'second, of which git stores the sum only'),
    skip: onWindows,
  });
  comesBack('whatever a person set for diffs', {
    config: [
      'diff.noprefix=true',
      'diff.mnemonicPrefix=true',
      'diff.renames=copies',
      'diff.context=0',
      'diff.relative=true',
      'diff.ignoreSubmodules=all',
      'color.ui=always',
      'diff.wsErrorHighlight=all',
      'diff.submodule=log',
      'core.quotePath=false',
      'status.showUntrackedFiles=no',
      'status.relativePaths=true',
    ],
    files: { 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n', 'ü.txt': 'u\n' },
    change: (root) => {
      write(root, 'a.txt', '1\n2\n3\n4 \n5\n6\n7\n8\n');
      write(root, 'ü.txt', 'v\n');
      git(root, 'add', 'a.txt');
      git(root, 'mv', 'a.txt', 'b.txt');
      write(root, 'dir/new.txt', 'fresh');
    },
  });
  comesBack('files in conflict, whatever each side did', {
    files: { 'both.txt': 'x\n', 'we-deleted.txt': 'x\n', 'they-deleted.txt': 'x\n' },
    change: (root) => {
      git(root, 'checkout', '-q', '-b', 'theirs');
      for (const path of ['both.txt', 'we-deleted.txt', 'added.txt', 'calm.txt']) {
        write(root, path, 'theirs\n');
      }
      git(root, 'rm', '-q', 'they-deleted.txt');
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', 'theirs');
      git(root, 'checkout', '-q', 'main');
      for (const path of ['both.txt', 'they-deleted.txt', 'added.txt']) write(root, path, 'ours\n');
      git(root, 'rm', '-q', 'we-deleted.txt');
      git(root, 'add', '-A');
      git(root, 'commit', '-q', '-m', 'ours');
      assert.throws(() => git(root, 'merge', 'theirs'));
    },
  });
});

suite('any changes at all', () => {
  const name = fc.constantFrom('a.txt', 'b c.txt', 'ü/d', 'ü/e.bin', 'new', 'x/y/z', 'x/Y');
  const content = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom('', 'a\nb\nc', 'a\nb\nc\n', 'a\r\nb\n', '1\n'.repeat(200), ' trailing \n\n'),
    fc.uint8Array({ maxLength: 300 }),
  );
  const step = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), name, content }),
    fc.record({ kind: fc.constant('remove' as const), name }),
    fc.record({ kind: fc.constant('stage' as const), name }),
    fc.record({ kind: fc.constant('move' as const), name, to: name }),
    fc.record({ kind: fc.constant('run' as const), name, mode: fc.constantFrom(0o644, 0o755) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

  const apply = (root: string, steps: readonly Step[]): void => {
    for (const next of steps) {
      const path = join(root, next.name);
      if (next.kind === 'write') write(root, next.name, Buffer.from(next.content));
      else if (!existsSync(path)) continue;
      else if (next.kind === 'remove') rmSync(path);
      else if (next.kind === 'stage') git(root, 'add', next.name);
      else if (next.kind === 'run') chmodSync(path, next.mode);
      else {
        write(root, next.to, '');
        renameSync(path, join(root, next.to));
      }
    }
  };

  test('come back byte for byte on a fresh clone', async function () {
    this.timeout(600_000);
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(step, { maxLength: 12 }),
        async (committed, changed) => {
          const root = folders.repository({ 'a.txt': 'a\nb\nc\n', 'ü/e.bin': binary });
          apply(root, committed);
          git(root, 'add', '-A');
          git(root, 'commit', '-q', '--allow-empty', '-m', 'second');
          apply(root, changed);
          const repository = await captureOne(root);
          const clone = rebuild(repository, repository.captured, join(folders.make(), 'c'));
          assert.deepEqual(treeOf(clone), treeOf(root));
          folders.remove();
        },
      ),
      { numRuns: 25 },
    );
  });
});
