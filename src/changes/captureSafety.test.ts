import assert from 'node:assert/strict';
import { chmodSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fileUri } from './fileUri.js';
import { capture, captureOne, git, TestFolders, traceOf, treeOf, write } from './testRepository.js';

const folders = new TestFolders();

teardown(() => folders.remove());

suite('what a capture never does', () => {
  test('write to the repository, even where git would refresh its index', async () => {
    const inner = folders.repository();
    const root = folders.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    git(root, 'submodule', 'add', '-q', inner, 'sub');
    git(root, 'config', 'core.untrackedCache', 'true');
    git(root, 'commit', '-qam', 'second');
    for (const [path, time] of Object.entries({
      'a.txt': 2000,
      'b.txt': 3000,
      'sub/a.txt': 4000,
    })) {
      utimesSync(join(root, path), time, time); // as after a checkout by another tool: same content, other times
    }
    write(root, 'c.txt', 'changed\n');
    write(root, 'new.txt', 'new\n');
    const before = traceOf(join(root, '.git'));
    await capture(root);
    assert.deepEqual(traceOf(join(root, '.git')), before);
  });

  test('leave another shared index behind', async () => {
    const root = folders.repository({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
    git(root, 'config', 'core.splitIndex', 'true');
    git(root, 'update-index', '--split-index');
    utimesSync(join(root, 'a.txt'), 2000, 2000);
    write(root, 'b.txt', 'changed\n');
    const before = treeOf(join(root, '.git'));
    const found = await captureOne(root);
    assert.match(found.captured.text(found.unstaged), /^\+changed$/m);
    assert.deepEqual(treeOf(join(root, '.git')), before);
  });

  test('run a program that the repository names', async () => {
    const canaries = folders.make();
    const canary = (name: string): string => {
      write(
        canaries,
        `${name}.sh`,
        `#!/bin/sh\ntouch '${canaries}/ran-${name}'\ncat "$1" 2>/dev/null\nexit 0\n`,
      );
      chmodSync(join(canaries, `${name}.sh`), 0o755);
      return join(canaries, `${name}.sh`);
    };
    const inner = folders.repository();
    const root = folders.repository({ '.gitattributes': '*.txt diff=evil\n', 'a.txt': 'a\n' });
    git(root, 'submodule', 'add', '-q', inner, 'sub');
    git(root, 'commit', '-qam', 'second');
    write(root, 'a.txt', 'b\n');
    write(root, 'sub/a.txt', 'b\n');
    for (const folder of [root, join(root, 'sub')]) {
      const set = (name: string, value: string): string => git(folder, 'config', name, value);
      set('diff.external', canary('external'));
      set('diff.evil.command', canary('command'));
      set('diff.evil.textconv', canary('textconv'));
      set('core.pager', canary('pager'));
      set('pager.diff', canary('pagerDiff'));
      set('pager.status', canary('pagerStatus'));
      set('core.editor', canary('editor'));
      set('core.askPass', canary('askPass'));
      set('core.sshCommand', canary('ssh'));
      set('credential.helper', canary('credential'));
      set('core.alternateRefsCommand', canary('alternates'));
      set('alias.status', `!${canary('alias')}`);
      const hooks = join(canaries, 'hooks');
      write(hooks, 'post-index-change', `#!/bin/sh\ntouch '${canaries}/ran-hook'\n`);
      chmodSync(join(hooks, 'post-index-change'), 0o755);
      set('core.hooksPath', hooks);
      set('core.fsmonitor', canary('fsmonitor')); // last: git runs it from now on
    }
    // The canaries sing when git is asked without our care, so that silence below means something.
    git(root, 'diff');
    const ran = (): readonly string[] =>
      readdirSync(canaries).filter((name) => name.startsWith('ran-'));
    assert.ok(ran().includes('ran-fsmonitor') && ran().includes('ran-external'));
    for (const name of ran()) rmSync(join(canaries, name));

    const { changes } = await capture(root);
    assert.equal(changes.repositories.length, 2);
    assert.ok(changes.repositories.every(({ unstaged }) => unstaged !== undefined));
    assert.deepEqual(ran(), []);
  });

  test('fetch what a partial clone lacks', async () => {
    const origin = folders.repository({ 'a.txt': 'a\n' });
    git(origin, 'config', 'uploadpack.allowFilter', 'true');
    const root = join(folders.make(), 'clone');
    const url = pathToFileURL(origin).href;
    git(origin, 'clone', '-q', '--no-checkout', '--filter=blob:none', url, root);
    git(root, 'config', 'protocol.file.allow', 'always');
    git(root, 'read-tree', 'HEAD');
    const before = traceOf(join(root, '.git'));
    const found = await captureOne(root);
    assert.deepEqual(traceOf(join(root, '.git')), before);
    assert.match(found.problems.join(), /unstaged changes could not be read/);
  });

  test('follow variables of a git that started us to another repository', async () => {
    const root = folders.repository();
    const other = folders.repository({ 'other.txt': 'x' });
    write(root, 'a.txt', 'changed\n');
    process.env['GIT_DIR'] = join(other, '.git');
    process.env['GIT_EXTERNAL_DIFF'] = 'false';
    try {
      const found = await captureOne(root);
      assert.equal(found.root, fileUri(root));
      assert.match(found.captured.text(found.unstaged), /^\+changed$/m);
    } finally {
      delete process.env['GIT_DIR'];
      delete process.env['GIT_EXTERNAL_DIFF'];
    }
  });
});

suite('a capture that cannot be had', () => {
  test('is said where git is missing, and nothing is said where it is not needed', async () => {
    const gitPath = join(folders.make(), 'no-git');
    const found = await captureOne(folders.repository(), { gitPath });
    assert.match(found.problems.join(), /Git was not found/);
    assert.deepEqual((await capture(folders.make(), { gitPath })).changes.repositories, []);
  });

  test('costs no other repository', async () => {
    const broken = folders.repository();
    rmSync(join(broken, '.git', 'HEAD'));
    const damaged = folders.repository();
    writeFileSync(join(damaged, '.git', 'index'), 'not an index');
    const good = folders.repository();
    write(good, 'new.txt', 'x');
    const { changes } = await capture([broken, damaged, good]);
    assert.deepEqual(
      changes.repositories.map(({ problems, untracked }) => [problems.length, untracked.length]),
      [
        [1, 0],
        [1, 0],
        [0, 1],
      ],
    );
  });

  test('is given up at once when nobody wants it any more', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(capture(folders.repository(), { signal }), /enough/);
  });

  test('fails when the vault cannot store it, and is not passed off as complete', async () => {
    const root = folders.repository();
    write(root, 'new.txt', 'x');
    const putBlob = (): Promise<string> => Promise.reject(new Error('disk full'));
    await assert.rejects(capture(root, { putBlob }), /disk full/);
  });
});
