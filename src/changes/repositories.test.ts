import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { findRepositories } from './repositories.js';
import { git, TestFolders, write } from './testRepository.js';

const folders = new TestFolders();
teardown(() => folders.remove());

/** Finds below `base` and answers with paths relative to it; a broken one ends in `!`. */
async function found(base: string, ...given: readonly string[]): Promise<readonly string[]> {
  const repositories = await findRepositories(given.map((path) => join(base, path)));
  return repositories
    .map((repository) => relative(base, repository.root) + ('gitDir' in repository ? '' : '!'))
    .sort();
}

function init(base: string, path: string): void {
  mkdirSync(join(base, path), { recursive: true });
  git(join(base, path), 'init', '-q');
}

suite('the repositories of folders', () => {
  test('are none without one, or without the folder', async () => {
    const base = folders.make();
    mkdirSync(join(base, 'plain'));
    assert.deepEqual(await found(base, 'plain', 'nowhere'), []);
  });

  test('are the one around, once for any number of folders in it', async () => {
    const base = folders.make();
    init(base, 'r');
    mkdirSync(join(base, 'r/a/b'), { recursive: true });
    assert.deepEqual(await found(base, 'r', 'r/a', 'r/a/b'), ['r']);
  });

  test('are those nested below, down to agents’ worktrees', async () => {
    const base = folders.make();
    for (const path of ['r', 'r/nested', 'r/a/b', 'other']) init(base, path);
    git(join(base, 'r'), 'commit', '-q', '--allow-empty', '-m', 'first');
    git(join(base, 'r'), 'worktree', 'add', '-q', '.claude/worktrees/one');
    assert.deepEqual(await found(base, 'r'), ['r', 'r/.claude/worktrees/one', 'r/a/b', 'r/nested']);
    assert.deepEqual(await found(base, '.'), ['other', 'r', 'r/a/b', 'r/nested']);
  });

  test('are not those behind links or among installed packages', async () => {
    const base = folders.make();
    for (const path of ['r', 'elsewhere', 'r/node_modules/package']) init(base, path);
    symlinkSync(join(base, 'elsewhere'), join(base, 'r/link'), 'junction');
    assert.deepEqual(await found(base, 'r'), ['r']);
  });

  test('are not bare ones, nor the inside of one', async () => {
    const base = folders.make();
    mkdirSync(join(base, 'bare.git'));
    git(join(base, 'bare.git'), 'init', '-q', '--bare');
    init(base, 'hollow');
    git(join(base, 'hollow'), 'config', 'core.bare', 'true');
    assert.deepEqual(await found(base, '.', 'bare.git/objects', 'hollow'), []);
  });

  test('are submodules at any depth, but none that a name leads out to', async () => {
    const base = folders.make();
    init(base, 'outside');
    const inner = folders.repository();
    const root = join(base, 'r');
    init(base, 'r');
    git(root, 'submodule', 'add', '-q', inner, 'a/b/c/d/e');
    const file = ['config', '-f', '.gitmodules'];
    git(root, ...file, 'submodule.up.path', '../outside');
    git(root, ...file, 'submodule.absolute.path', join(base, 'outside'));
    git(root, ...file, 'submodule.missing.path', 'not/checked/out');
    assert.deepEqual(await found(base, 'r'), ['r', 'r/a/b/c/d/e']);
  });

  test('are named when git cannot read them', async () => {
    const base = folders.make();
    init(base, 'good');
    write(base, 'broken/.git', 'gitdir: /nowhere/at/all\n');
    assert.deepEqual(await found(base, '.'), ['broken!', 'good']);
  });

  test('are found below names with line ends', async function () {
    if (process.platform === 'win32') this.skip();
    const base = folders.make();
    init(base, 'a\nb');
    assert.deepEqual(await found(base, 'a\nb'), ['a\nb']);
  });

  test('do not stop at an empty .git that git passes over', async () => {
    const base = folders.make();
    init(base, 'r');
    mkdirSync(join(base, 'r/sub/.git'), { recursive: true });
    writeFileSync(join(base, 'r/sub/x.txt'), 'x');
    assert.deepEqual(await found(base, 'r/sub'), ['r']);
  });
});
