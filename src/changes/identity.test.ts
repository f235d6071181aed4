import assert from 'node:assert/strict';
import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gitIdentity } from './identity.js';
import { git, TestFolders, write } from './testRepository.js';

const folders = new TestFolders();
teardown(() => folders.remove());

const rootCommitOf = (root: string): string =>
  git(root, 'rev-list', '--max-parents=0', 'HEAD').trim().split('\n').at(-1) ?? '';

suite('what a project is called beyond its path', () => {
  test('is the same after the folder moved, in a clone and in a worktree', async () => {
    const root = folders.repository();
    write(root, 'a.txt', 'second');
    git(root, 'commit', '-qam', 'second');
    const { rootCommit } = await gitIdentity(root);
    assert.equal(rootCommit, rootCommitOf(root));

    const clone = join(folders.make(), 'clone');
    git(root, 'clone', '-q', root, clone);
    const worktree = join(folders.make(), 'tree');
    git(root, 'worktree', 'add', '-q', worktree);
    const moved = `${clone}-moved`;
    renameSync(clone, moved);
    for (const place of [worktree, moved]) {
      assert.equal((await gitIdentity(place)).rootCommit, rootCommit);
    }
    assert.equal((await gitIdentity(moved)).remote, root);
    assert.equal((await gitIdentity(worktree)).root, worktree);
  });

  test('is found from a folder inside', async () => {
    const root = folders.repository();
    mkdirSync(join(root, 'deep', 'er'), { recursive: true });
    assert.equal((await gitIdentity(join(root, 'deep', 'er'))).root, root);
  });

  test('is the oldest beginning where a history has several', async () => {
    const root = folders.repository();
    const oldest = rootCommitOf(root);
    git(root, 'checkout', '-q', '--orphan', 'other');
    process.env['GIT_COMMITTER_DATE'] = '2090-01-01T00:00:00Z';
    try {
      git(root, 'commit', '-q', '-m', 'another beginning');
    } finally {
      delete process.env['GIT_COMMITTER_DATE'];
    }
    git(root, 'merge', '-q', '--allow-unrelated-histories', '-m', 'joined', 'main');
    assert.equal((await gitIdentity(root)).rootCommit, oldest);
  });

  suite('that the folder was seen with before', () => {
    /** A history with two beginnings: the walk gives the first, so that another answer shows that there was none. */
    const twoBeginnings = (): { readonly root: string; readonly younger: string } => {
      const root = folders.repository();
      git(root, 'checkout', '-q', '--orphan', 'other');
      process.env['GIT_COMMITTER_DATE'] = '2090-01-01T00:00:00Z';
      try {
        git(root, 'commit', '-q', '-m', 'another beginning');
      } finally {
        delete process.env['GIT_COMMITTER_DATE'];
      }
      const younger = git(root, 'rev-parse', 'HEAD').trim();
      git(root, 'merge', '-q', '--allow-unrelated-histories', '-m', 'joined', 'main');
      return { root, younger };
    };

    test('is found without a walk through the history', async () => {
      const { root, younger } = twoBeginnings();
      const elsewhere = '1'.repeat(40);
      const { rootCommit } = await gitIdentity(root, { knownRoots: [elsewhere, younger] });
      assert.equal(rootCommit, younger);
    });

    test('does not count when another repository has taken its place', async () => {
      const { root } = twoBeginnings();
      write(root, 'b.txt', 'some content');
      const blob = git(root, 'hash-object', '-w', 'b.txt').trim();
      const knownRoots = ['0'.repeat(40), blob];
      assert.equal((await gitIdentity(root, { knownRoots })).rootCommit, rootCommitOf(root));
    });
  });

  test('does not change when a clone replaces commits for itself', async () => {
    const root = folders.repository();
    const first = rootCommitOf(root);
    write(root, 'a.txt', 'second');
    git(root, 'commit', '-qam', 'second');
    git(root, 'replace', '--graft', 'HEAD');
    assert.equal((await gitIdentity(root)).rootCommit, first);
  });

  test('is no commit in a shallow clone, which lacks the first one', async () => {
    const origin = folders.repository();
    write(origin, 'a.txt', 'second');
    git(origin, 'commit', '-qam', 'second');
    const clone = join(folders.make(), 'clone');
    git(origin, 'clone', '-q', '--depth=1', pathToFileURL(origin).href, clone);
    const identity = await gitIdentity(clone);
    assert.equal(identity.rootCommit, undefined);
    assert.equal(identity.remote, pathToFileURL(origin).href);
  });

  test('is no commit before the first one', async () => {
    const root = folders.make();
    git(root, 'init', '-q');
    assert.deepEqual(await gitIdentity(root), { root, rootCommit: undefined, remote: undefined });
  });

  test('is empty without a repository, in a bare one and without git', async () => {
    const bare = folders.make();
    git(bare, 'init', '-q', '--bare');
    assert.deepEqual(await gitIdentity(folders.make()), {});
    assert.deepEqual(await gitIdentity(bare), {});
    assert.deepEqual(await gitIdentity(folders.repository(), { gitPath: '/nowhere/git' }), {});
  });
});
