import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isExpected } from '../../core/errors.js';
import type { Question } from './question.js';
import { DatabaseReader } from './reader.js';
import { imagesAfter, walOf, writeDatabase } from './testDatabase.js';

const endless = `WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) AS n FROM c`;

suite('reading a foreign database', () => {
  let folder: string;
  let path: string;
  const reader = new DatabaseReader({ loadMs: 120_000, answerMs: 120_000, idleMs: 500 });
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'reader-'));
    path = join(folder, 'x.db');
  });
  teardown(() => rm(folder, { recursive: true }));

  const question = (sql = 'SELECT * FROM t', more: Partial<Question> = {}): Question => ({
    path,
    needs: { t: ['n'] },
    selects: { found: { from: 't', sql } },
    ...more,
  });
  const found = async (sql?: string) => (await reader.ask(question(sql))).rows['found'];
  const fails = async (reason: string, asked: Question, words?: RegExp) =>
    assert.rejects(
      reader.ask(asked),
      (error: unknown) => isExpected(error, reason) && (words?.test(error.message) ?? true),
    );

  test('values arrive with their types', async () => {
    await writeDatabase(
      path,
      `CREATE TABLE t (n, b); INSERT INTO t VALUES (1.5, x'00ff'), ('é🧵', NULL)`,
    );
    assert.deepEqual(await found(), [
      { n: 1.5, b: Uint8Array.of(0, 255) },
      { n: 'é🧵', b: null },
    ]);
  });

  test('a change is seen at the next question, also one that is in the log only', async () => {
    const images = await imagesAfter(
      'CREATE TABLE t (n); INSERT INTO t VALUES (1)',
      'INSERT INTO t VALUES (2)',
    );
    await writeFile(path, images[0] ?? []);
    assert.deepEqual(await found(), [{ n: 1 }]);
    await writeFile(`${path}-wal`, walOf(images));
    assert.deepEqual(await found(), [{ n: 1 }, { n: 2 }]);
  });

  test('a statement without end is killed, and the next question is answered', async () => {
    // As long as a busy machine may take for the second one.
    const hasty = new DatabaseReader({ loadMs: 120_000, answerMs: 5_000, idleMs: 500 });
    await writeDatabase(path, 'CREATE TABLE t (n); INSERT INTO t VALUES (1)');
    const hangs = hasty.ask(question(endless));
    await assert.rejects(hangs, (error) => isExpected(error, 'databaseHangs'));
    assert.deepEqual((await hasty.ask(question())).rows['found'], [{ n: 1 }]);
  });

  const isNotATable = (title: string, script: string) =>
    test(`${title} in the place of a table is never looked at`, async () => {
      await writeDatabase(path, script);
      await fails('formatNotKnown', question());
    });
  isNotATable('a view', `CREATE VIEW t AS ${endless}; CREATE TABLE other (n)`);
  isNotATable('a virtual table', 'CREATE VIRTUAL TABLE t USING fts4(n); CREATE TABLE other (n)');

  test('an unknown format says which tables and columns are missing and which are there', async () => {
    await writeDatabase(path, 'CREATE TABLE t (m); CREATE TABLE later (x)');
    const asked = question('SELECT 1', { needs: { t: ['n', 'm'], gone: ['x'] } });
    await fails('formatNotKnown', asked, /it has no t\.n, gone\. Its tables are t, later\./);
  });

  test('a database without any table yet has no rows, and that is no fault', async () => {
    await writeFile(path, '');
    assert.deepEqual(await found(), []);
  });

  test('what is no database is said to be none', async () => {
    await writeFile(path, 'SQLite is not here, this is a text of some length to look at');
    await fails('notADatabase', question());
    await rm(path);
    await fails('unreadable', question(), /ENOENT/);
  });

  test('a damaged page is a fault that is told, and other databases are still read', async () => {
    const [image] = await imagesAfter(
      `CREATE TABLE t (n, f); INSERT INTO t VALUES (1, hex(randomblob(40000)))`,
    );
    await writeFile(path, (image ?? Buffer.alloc(0)).fill(0xff, 4096, 12288));
    await fails('unreadable', question());
    path = join(folder, 'y.db');
    await writeDatabase(path, 'CREATE TABLE t (n); INSERT INTO t VALUES (1)');
    assert.deepEqual(await found(), [{ n: 1 }]);
  });
});
