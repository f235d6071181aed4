import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { TestFolders, write } from './testRepository.js';
import { readWholeFile } from './wholeFile.js';

const folders = new TestFolders();
const onWindows = process.platform === 'win32';
teardown(() => folders.remove());

const read = (root: string, name: string, maxBytes = 100): Promise<string> =>
  readWholeFile(Buffer.from(join(root, name)), maxBytes).then((bytes) => bytes.toString());

/** Runs without the rights of the superuser, for whom every file is readable. */
async function asNobody<T>(run: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return run();
  process.seteuid?.(65534);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}

suite('reading a whole file', () => {
  test('gives its bytes up to the limit', async () => {
    const root = folders.make();
    write(root, 'fits', 'x'.repeat(100));
    write(root, 'large', 'x'.repeat(101));
    write(root, 'empty', '');
    assert.equal(await read(root, 'fits'), 'x'.repeat(100));
    assert.equal(await read(root, 'large'), 'tooLarge');
    assert.equal(await read(root, 'empty'), '');
  });

  test('tells what is not a file, and never waits for it', async function () {
    if (onWindows) this.skip();
    const root = folders.make();
    write(root, 'secret', 'secret');
    symlinkSync('secret', join(root, 'link'));
    mkdirSync(join(root, 'folder'));
    execFileSync('mkfifo', [join(root, 'pipe')]);
    for (const name of ['link', 'folder', 'pipe']) {
      assert.equal(await read(root, name), 'notAFile', name);
    }
    assert.equal(await read(root, 'nothing'), 'gone');
  });

  test('says when it may not', async function () {
    if (onWindows) this.skip();
    const root = folders.make();
    chmodSync(root, 0o755);
    write(root, 'mine', 'secret');
    chmodSync(join(root, 'mine'), 0);
    assert.equal(await asNobody(() => read(root, 'mine')), 'unreadable');
  });
});
