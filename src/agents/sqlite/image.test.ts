import assert from 'node:assert/strict';
import { appendFile, mkdtemp, open, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../../core/errors.js';
import { readImage, stampOf } from './image.js';
import { imagesAfter, query, walOf } from './testDatabase.js';

suite('database image', () => {
  let folder: string;
  let path: string;
  let images: readonly Buffer[];
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'image-'));
    path = join(folder, 'x.db');
    images = await imagesAfter(
      'CREATE TABLE t (n); INSERT INTO t VALUES (1)',
      'INSERT INTO t VALUES (2)',
    );
    await writeFile(path, images[0] ?? []);
    await writeFile(`${path}-wal`, walOf(images));
  });
  teardown(() => rm(folder, { recursive: true }));

  const rows = async () => query((await readImage(path)).bytes, 'SELECT n FROM t ORDER BY n');
  const refusedAs = (reason: string) => (error: unknown) => isExpected(error, reason);

  test('holds what is in the log, and leaves no file beside the database', async () => {
    const before = await readdir(folder);
    assert.deepEqual(await rows(), [1, 2]);
    assert.deepEqual(await readdir(folder), before);
  });

  test('one state has one stamp; each change of file or log gives another', async () => {
    const stamps = new Set<string | undefined>();
    const look = async () => stamps.add(await stampOf(path));
    await look();
    assert.equal((await readImage(path)).stamp, [...stamps][0]);
    await look();
    assert.equal(stamps.size, 1);
    await appendFile(`${path}-wal`, 'x');
    await look();
    await utimes(path, 1, 1);
    await look();
    await rm(`${path}-wal`);
    await look();
    assert.equal(stamps.size, 4);
    await rm(path);
    assert.equal(await stampOf(path), undefined);
  });

  test('a database in the middle of a transaction with a rollback journal is left for later', async () => {
    await writeFile(`${path}-journal`, Buffer.from('d9d505f920a163d7', 'hex'));
    await assert.rejects(readImage(path), refusedAs('databaseBusy'));
    await writeFile(`${path}-journal`, Buffer.alloc(512));
    assert.deepEqual(await rows(), [1, 2]);
  });

  test('a busy writer, who commits and moves pages over all the time, is never read torn', async () => {
    const grow =
      'INSERT INTO t SELECT max(n) + 1 FROM t; INSERT INTO filler VALUES (randomblob(20000))';
    const states = await imagesAfter(
      'CREATE TABLE t (n); INSERT INTO t VALUES (1); CREATE TABLE filler (b)',
      ...Array.from({ length: 20 }, () => grow),
    );
    await writeFile(path, states[0] ?? []);
    await rm(`${path}-wal`);
    const progress = { done: false };
    const write = async () => {
      for (const [at, state] of states.entries()) {
        await writeFile(
          `${path}-wal`,
          walOf(states.slice(Math.max(0, at - 1), at + 1), { salt: at }),
        );
        const main = await open(path, 'r+');
        for (let page = 0; page < state.length; page += 4096) {
          await main.write(state, page, 4096, page);
        }
        await main.close();
      }
      progress.done = true;
    };
    const writing = write();
    const seen: number[] = [];
    while (!progress.done) {
      const { bytes } = await readImage(path);
      assert.deepEqual(await query(bytes, 'PRAGMA integrity_check'), ['ok']);
      seen.push(Number((await query(bytes, 'SELECT max(n) FROM t'))[0]));
    }
    await writing;
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });

  test('a database that never rests is said to be busy', async () => {
    await assert.rejects(
      readImage(path, { attempts: 0, longestPauseMs: 1 }),
      refusedAs('databaseBusy'),
    );
  });
});
