import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { imagesAfter, query, walOf } from './testDatabase.js';
import { withWal } from './wal.js';

const rows = 'SELECT n FROM t ORDER BY n';
const sound = async (image: Buffer): Promise<void> =>
  assert.deepEqual(await query(image, 'PRAGMA integrity_check'), ['ok']);

suite('write-ahead log', () => {
  let images: readonly Buffer[];
  suiteSetup(async () => {
    images = await imagesAfter(
      "PRAGMA page_size = 512; CREATE TABLE t (n INTEGER, filler TEXT); INSERT INTO t VALUES (1, '')",
      "INSERT INTO t VALUES (2, 'abc')",
      'INSERT INTO t VALUES (3, hex(randomblob(3000)))',
      'INSERT INTO t VALUES (4, hex(randomblob(900)))',
      'DELETE FROM t WHERE n = 3; VACUUM',
    );
  });
  const main = (): Buffer => Buffer.from(images[0] ?? []);
  const found = (wal: Buffer): Promise<readonly unknown[]> => query(withWal(main(), wal), rows);

  const brings = (title: string, wal: () => Buffer, expected: readonly number[]) =>
    test(title, async () => {
      assert.deepEqual(await found(wal()), expected);
      await sound(withWal(main(), wal()));
    });
  brings('a transaction in the log is not lost', () => walOf(images.slice(0, 2)), [1, 2]);
  brings('transactions follow one another', () => walOf(images.slice(0, 4)), [1, 2, 3, 4]);
  brings('a database that became smaller is cut', () => walOf(images), [1, 2, 4]);
  brings(
    'what was not committed does not appear',
    () => walOf(images.slice(0, 4), { open: true }),
    [1, 2, 3],
  );
  brings(
    'a log of a machine with the other byte order is read',
    () => walOf(images.slice(0, 3), { bigEndian: true }),
    [1, 2, 3],
  );
  brings('without a log the database is as it is', () => Buffer.alloc(0), [1]);
  brings('a log that is only begun changes nothing', () => walOf(images.slice(0, 1)), [1]);

  test('a log of another format leaves the database as it is', async () => {
    const wal = walOf(images.slice(0, 2));
    for (const at of [0, 4, 8, 16, 24]) {
      const other = Buffer.from(wal);
      other.writeUInt32BE(12345, at);
      assert.deepEqual(await found(other), [1], `word at ${at}`);
    }
  });

  test('the log of the previous round, left behind in the file, is not replayed', async () => {
    const now = walOf(images.slice(0, 2));
    const old = walOf(images.slice(0, 3), { salt: 9 });
    assert.deepEqual(await found(Buffer.concat([now, old.subarray(now.length)])), [1, 2]);
  });

  test('a database that is still in its log only is found there', async () => {
    const [, second] = images;
    const wal = walOf([Buffer.alloc(0), second ?? assert.fail()]);
    assert.deepEqual(await query(withWal(Buffer.alloc(0), wal), rows), [1, 2]);
  });

  test('a log that is cut or damaged anywhere gives the state of a commit before it', async () => {
    const wal = walOf(images);
    const states = await Promise.all(images.map((image) => query(image, rows)));
    const damage = fc.oneof(
      fc.record({ cut: fc.nat(wal.length) }),
      fc.record({ bit: fc.nat(wal.length * 8 - 1) }),
    );
    await fc.assert(
      fc.asyncProperty(damage, async (where) => {
        const bytes = Buffer.from(wal);
        if ('bit' in where) {
          bytes[where.bit >> 3] = (bytes[where.bit >> 3] ?? 0) ^ (1 << (where.bit & 7));
        }
        const image = withWal(main(), 'cut' in where ? bytes.subarray(0, where.cut) : bytes);
        await sound(image);
        const state = JSON.stringify(await query(image, rows));
        assert.ok(
          states.some((one) => JSON.stringify(one) === state),
          state,
        );
      }),
    );
  });

  test('the files that SQLite 3.40 wrote: all that was committed, nothing of an open transaction', async () => {
    const path = fileURLToPath(
      new URL('../../../test/fixtures/sqlite/sqlite-3.40.1.db', import.meta.url),
    );
    const image = withWal(await readFile(path), await readFile(`${path}-wal`));
    await sound(image);
    const ids = await query(image, 'SELECT id FROM line ORDER BY id');
    const all = Array.from({ length: 30 }, (_, index) => index + 1);
    assert.deepEqual(
      ids,
      all.filter((id) => id !== 3),
    );
  });
});
