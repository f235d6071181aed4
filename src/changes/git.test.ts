import assert from 'node:assert/strict';
import { isExpected } from '../core/errors.js';
import { runGit } from './git.js';
import { git, TestFolders } from './testRepository.js';

const folders = new TestFolders();
teardown(() => folders.remove());

/** Git waits for as long as nobody ends it. */
function waiting(): { readonly root: string; readonly args: readonly string[] } {
  const root = folders.repository();
  git(root, 'config', 'alias.wait', '!exec sleep 600 #');
  return { root, args: ['wait'] };
}

suite('running git', () => {
  test('gives what it said and how it ended', async () => {
    const root = folders.repository({ 'a.txt': 'a' });
    const good = await runGit(root, ['show', 'HEAD:a.txt']);
    assert.deepEqual([good.code, good.stdout.toString(), good.truncated], [0, 'a', false]);
    const bad = await runGit(root, ['show', 'HEAD:nothing']);
    assert.notEqual(bad.code, 0);
    assert.match(bad.stderr, /nothing/);
  });

  test('passes names on as they are, never through a shell', async () => {
    const root = folders.repository({ '$(touch x);"a" %PATH%': 'content' });
    const { stdout } = await runGit(root, ['show', 'HEAD:$(touch x);"a" %PATH%']);
    assert.equal(stdout.toString(), 'content');
  });

  test('passes input on, also where git does not want it', async () => {
    const root = folders.repository();
    const input = Buffer.alloc(1024 * 1024, 'x');
    const hashed = await runGit(root, ['hash-object', '--stdin'], { input });
    assert.match(hashed.stdout.toString(), /^[0-9a-f]{40}\n$/);
    assert.equal((await runGit(root, ['rev-parse', 'HEAD'], { input })).code, 0);
  });

  test('keeps no more than asked for, and says so', async () => {
    const root = folders.repository({ 'a.txt': 'x'.repeat(500_000) });
    const exact = await runGit(root, ['show', 'HEAD:a.txt'], { maxBytes: 500_000 });
    assert.deepEqual([exact.stdout.length, exact.truncated], [500_000, false]);
    const cut = await runGit(root, ['show', 'HEAD:a.txt'], { maxBytes: 499_999 });
    assert.deepEqual([cut.stdout.length, cut.truncated], [499_999, true]);
  });

  test('ends git that takes too long', async () => {
    const { root, args } = waiting();
    await assert.rejects(runGit(root, args, { timeoutMs: 50 }), (error) =>
      isExpected(error, 'gitTimeout'),
    );
  });

  test('ends git when nobody wants the answer any more', async () => {
    const { root, args } = waiting();
    const controller = new AbortController();
    const running = runGit(root, args, { signal: controller.signal });
    controller.abort(new Error('enough'));
    await assert.rejects(running, /enough/);
  });

  test('says that git is missing', async () => {
    await assert.rejects(runGit(folders.make(), ['status'], { gitPath: '/nowhere/git' }), (error) =>
      isExpected(error, 'noGit'),
    );
  });
});
