import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestFolders, treeOf, write } from '../testRepository.js';
import { fileState, writeFiles, type FileWrite } from './writeFiles.js';

const now = 0o644;

suite('writing files, all or none', () => {
  const folders = new TestFolders();
  teardown(() => folders.remove());

  /** Replaces what is at a path by a text; undefined: removes it. */
  const writing = async (
    root: string,
    path: string,
    text: string | undefined,
  ): Promise<FileWrite> => {
    const before = await fileState(root, path);
    const other = folders.make();
    const bytes = Buffer.from(text ?? '');
    writeFileSync(join(other, 'x'), bytes);
    const after = text === undefined ? undefined : await fileState(other, 'x');
    const old = Buffer.from('old\n');
    const read = (which: 'before' | 'after') => Promise.resolve(which === 'after' ? bytes : old);
    return { root, path, before, after: after && { ...after, mode: now }, read };
  };
  const rejects = (work: Promise<unknown>, reason: string): Promise<void> =>
    assert.rejects(
      work,
      (error) => error instanceof Error && 'reason' in error && error.reason === reason,
    );

  test('writes, makes and removes, with their folders', async () => {
    const root = folders.make();
    write(root, 'a', 'old\n');
    write(root, 'd/e/gone', 'old\n');
    await writeFiles([
      await writing(root, 'd/e/gone', undefined),
      await writing(root, 'a', 'new\n'),
      await writing(root, 'x/y/z', 'z\n'),
    ]);
    assert.deepEqual(treeOf(root), [`a - ${b64('new\n')}`, `x/y/z - ${b64('z\n')}`]);
    assert.deepEqual(readdirSync(root).sort(), ['a', 'x']);
  });

  test('puts everything back when one of them cannot be written', async function () {
    if (process.platform === 'win32' || process.getuid?.() === 0) this.skip();
    const root = folders.make();
    for (const path of ['a', 'd/b', 'locked/c']) write(root, path, 'old\n');
    const before = treeOf(root);
    const writes = [
      await writing(root, 'a', 'new\n'),
      await writing(root, 'd/b', undefined),
      await writing(root, 'fresh/f', 'f\n'),
      await writing(root, 'locked/c', 'new\n'),
    ];
    chmodSync(join(root, 'locked'), 0o500);
    await assert.rejects(writeFiles(writes));
    chmodSync(join(root, 'locked'), 0o700);
    assert.deepEqual(treeOf(root), before);
  });

  test('puts everything back when the bytes of one cannot be had', async () => {
    const root = folders.make();
    for (const path of ['a', 'b']) write(root, path, 'old\n');
    const before = treeOf(root);
    const lost = {
      ...(await writing(root, 'b', 'new\n')),
      read: () => Promise.reject(new Error('lost')),
    };
    await assert.rejects(writeFiles([await writing(root, 'a', 'new\n'), lost]));
    assert.deepEqual(treeOf(root), before);
  });

  test('touches nothing when a file was changed meanwhile', async () => {
    const root = folders.make();
    for (const path of ['a', 'b']) write(root, path, 'old\n');
    const writes = [await writing(root, 'a', 'new\n'), await writing(root, 'b', 'new\n')];
    write(root, 'b', 'somebody else\n');
    const before = treeOf(root);
    await rejects(writeFiles(writes), 'fileChanged');
    assert.deepEqual(treeOf(root), before);
  });

  test('does not cover what appeared meanwhile', async () => {
    const root = folders.make();
    const writes = [await writing(root, 'a', 'new\n')];
    write(root, 'a', 'somebody else\n');
    await rejects(writeFiles(writes), 'fileChanged');
  });

  test('follows no link, not even one that took the place of a folder or file', async function () {
    if (process.platform === 'win32') this.skip();
    const root = folders.make();
    const outside = folders.make();
    write(outside, 'b', 'outside\n');
    mkdirSync(join(root, 'd'));
    write(root, 'c', 'old\n');
    const below = [await writing(root, 'd/b', 'new\n')];
    const itself = [await writing(root, 'c', 'new\n')];
    renameSync(join(root, 'd'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'd'));
    await rejects(writeFiles(below), 'notAFile');
    renameSync(join(root, 'c'), join(root, 'moved-c'));
    symlinkSync(join(outside, 'b'), join(root, 'c'));
    await rejects(writeFiles(itself), 'notAFile');
    assert.deepEqual(treeOf(outside), [`b - ${b64('outside\n')}`]);
  });

  test('a link that appears while bytes are read is not followed either', async function () {
    if (process.platform === 'win32') this.skip();
    const root = folders.make();
    const outside = folders.make();
    mkdirSync(join(root, 'd'));
    const one = await writing(root, 'd/b', 'new\n');
    const swap = (which: 'before' | 'after'): Promise<Uint8Array> => {
      renameSync(join(root, 'd'), join(root, 'moved'));
      symlinkSync(outside, join(root, 'd'));
      return one.read(which);
    };
    await rejects(writeFiles([{ ...one, read: swap }]), 'notAFile');
    assert.deepEqual(treeOf(outside), []);
  });
});

const b64 = (text: string): string => Buffer.from(text).toString('base64');
