import assert from 'node:assert/strict';
import { readSync } from 'node:fs';
import { appendFile, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import type { Database } from 'sql.js';
import { isExpected } from '../../core/errors.js';
import { Answerer } from './answerer.js';
import { openForeign } from './answer.js';
import { openDatabase } from './openDatabase.js';
import { PagedBytes, type PageCache } from './pagedBytes.js';
import type { Question } from './question.js';
import { DatabaseReader } from './reader.js';
import { imagesAfter, loadTestSql, walOf } from './testDatabase.js';
import { WalIndex, withWal } from './wal.js';

/** Tables as the known stores have them: keys and values, rows of sessions, numbered rows. */
const tables = `
  CREATE TABLE kv (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);
  CREATE TABLE part (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, at INTEGER, data TEXT);
  CREATE INDEX part_session ON part (session_id, at);
  CREATE TABLE message (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, content TEXT);
  CREATE TABLE named (name TEXT PRIMARY KEY, value REAL) WITHOUT ROWID`;

const questions = [
  'SELECT * FROM kv ORDER BY key',
  "SELECT key, value FROM kv WHERE key >= 'k:1' AND key < 'k:5'",
  'SELECT session_id, sum(octet_length(data)) AS bytes, max(at) FROM part GROUP BY session_id',
  "SELECT * FROM part WHERE session_id = 's1'",
  'SELECT * FROM message ORDER BY id DESC',
  'SELECT * FROM named',
];

const change = fc.oneof(
  fc.record({ put: fc.nat(9), bytes: fc.oneof(fc.nat(300), fc.nat(30_000)) }),
  fc.record({ drop: fc.nat(9) }),
);
const step = fc.array(change, { minLength: 1, maxLength: 6 });
const layout = fc.record({
  pageSize: fc.constantFrom(512, 1024, 4096, 16_384, 65_536),
  encoding: fc.constantFrom('UTF-8', 'UTF-16le', 'UTF-16be'),
  vacuum: fc.constantFrom(0, 1, 2),
});

function scriptOf(changes: (typeof change extends fc.Arbitrary<infer T> ? T : never)[]): string {
  const lines = changes.flatMap((one) =>
    'drop' in one
      ? [
          `DELETE FROM kv WHERE key = 'k:${one.drop}'; DELETE FROM part WHERE at = ${one.drop}`,
          `DELETE FROM message WHERE id % 10 = ${one.drop}; DELETE FROM named WHERE value = ${one.drop}`,
        ]
      : [
          `INSERT INTO kv VALUES ('k:${one.put}', randomblob(${one.bytes}))`,
          `INSERT OR REPLACE INTO part VALUES ('p' || hex(randomblob(4)), 's${one.put % 3}', ${one.put}, hex(randomblob(${one.bytes})))`,
          `INSERT INTO message (session_id, content) VALUES ('s${one.put % 3}', 'é🧵' || hex(randomblob(${one.bytes})))`,
          `INSERT OR REPLACE INTO named VALUES ('n${one.put}', ${one.put})`,
        ],
  );
  return `BEGIN; ${lines.join('; ')}; COMMIT`;
}

const smallCaches: readonly PageCache[] = [
  { blockBytes: 512, blocks: 1 },
  { blockBytes: 4096, blocks: 3 },
  { blockBytes: 65_536, blocks: 512 },
];

/** What a database answers, or that it cannot. */
const answersOf = (database: () => Database): readonly string[] =>
  questions.map((question) => {
    try {
      return JSON.stringify(database().exec(question), (_, value: unknown) =>
        value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
      );
    } catch (error) {
      return String(error);
    }
  });

suite('database read page by page', function () {
  this.timeout(600_000);
  let folder: string;
  let path: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'paged-'));
    path = join(folder, 'x.db');
  });
  teardown(() => rm(folder, { recursive: true }));

  const put = async (main: Uint8Array, wal?: Uint8Array): Promise<void> => {
    await writeFile(path, main);
    await rm(`${path}-wal`, { force: true });
    if (wal) await writeFile(`${path}-wal`, wal);
  };
  const whole = async (main: Buffer, wal: Buffer = Buffer.alloc(0)): Promise<readonly string[]> => {
    const sql = await loadTestSql();
    const database = openForeign(sql, path, withWal(Buffer.from(main), wal));
    const answers = answersOf(() => database);
    database.close();
    return answers;
  };
  const paged = async (cache: PageCache): Promise<readonly string[]> => {
    const opened = (await openDatabase(await loadTestSql(), path, 0, cache)) ?? assert.fail();
    try {
      assert.equal(opened.isWhole, false);
      const answers = answersOf(() => opened.database);
      assert.ok(opened.isSound());
      return answers;
    } finally {
      opened.close();
    }
  };
  const imagesOf = (
    { pageSize, encoding, vacuum }: typeof layout extends fc.Arbitrary<infer T> ? T : never,
    steps: readonly string[],
  ) =>
    imagesAfter(
      `PRAGMA page_size = ${pageSize}; PRAGMA encoding = '${encoding}'; PRAGMA auto_vacuum = ${vacuum}; ${tables}`,
      ...steps,
    );

  test('every row of whatever database is the same as when it is read whole', async () => {
    await fc.assert(
      fc.asyncProperty(
        layout,
        fc.array(step, { minLength: 1, maxLength: 5 }),
        fc.nat(5),
        async (how, steps, logged) => {
          const images = await imagesOf(how, steps.map(scriptOf));
          const from = Math.min(logged, images.length - 1);
          const main = images[from] ?? assert.fail();
          const wal = from < images.length - 1 ? walOf(images.slice(from)) : undefined;
          await put(main, wal);
          const expected = await whole(main, wal);
          assert.deepEqual(
            expected.filter((answer) => answer.startsWith('Error')),
            [],
          );
          for (const cache of smallCaches) assert.deepEqual(await paged(cache), expected);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('damage anywhere is told, or costs what it would cost if the file were read whole', async () => {
    const steps = Array.from({ length: 4 }, (_, at) =>
      scriptOf([{ put: at, bytes: 9000 }, { put: at + 4, bytes: 100 }, { drop: at - 1 }]),
    );
    const images = await imagesOf({ pageSize: 1024, encoding: 'UTF-8', vacuum: 1 }, steps);
    const [, , main = assert.fail()] = images;
    const wal = walOf(images.slice(2));
    const place = fc.record({
      inLog: fc.boolean(),
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      bit: fc.nat(7),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(place, { minLength: 1, maxLength: 8 }), async (places) => {
        const [file, log] = [Buffer.from(main), Buffer.from(wal)];
        for (const { inLog, at, bit } of places) {
          const bytes = inLog ? log : file;
          const offset = Math.floor(at * bytes.length);
          bytes[offset] = (bytes[offset] ?? 0) ^ (1 << bit);
        }
        await put(file, log);
        const outcome = async (read: Promise<readonly string[]>) =>
          read.catch((error: unknown) => [isExpected(error) ? error.reason : String(error)]);
        assert.deepEqual(
          await outcome(paged(smallCaches[1] ?? assert.fail())),
          await outcome(whole(file, log)),
        );
      }),
      { numRuns: 150 },
    );
  });

  test('a file that is cut is told, not waited for', async () => {
    const [, image = assert.fail()] = await imagesOf(
      { pageSize: 4096, encoding: 'UTF-8', vacuum: 0 },
      [scriptOf([{ put: 1, bytes: 60_000 }])],
    );
    const cut = image.subarray(0, image.length - 3 * 4096 - 100);
    await put(cut);
    const answers = await paged(smallCaches[1] ?? assert.fail());
    assert.deepEqual(answers, await whole(cut));
    assert.ok(answers.some((answer) => answer.includes('malformed')));
  });

  test('new transactions in the log do no harm; pages that are moved over from it do, and a new log', async () => {
    const grow = 'INSERT INTO t SELECT max(n) + 1 FROM t';
    const images = await imagesAfter('CREATE TABLE t (n); INSERT INTO t VALUES (1)', grow, grow);
    const [main = assert.fail(), second = assert.fail()] = images;
    const log = walOf(images);
    const sql = await loadTestSql();
    const afterwards = async (change: () => Promise<unknown>): Promise<boolean> => {
      await put(main, walOf(images.slice(0, 2)));
      const opened = (await openDatabase(sql, path, 0)) ?? assert.fail();
      assert.deepEqual(opened.database.exec('SELECT max(n) FROM t')[0]?.values, [[2]]);
      assert.ok(opened.isSound());
      await change();
      const isSound = opened.isSound();
      opened.close();
      return isSound;
    };
    const rest = log.subarray(walOf(images.slice(0, 2)).length);
    assert.equal(await afterwards(() => appendFile(`${path}-wal`, rest)), true);
    assert.equal(await afterwards(() => writeFile(path, second)), false);
    const anew = walOf(images.slice(0, 2), { salt: 9 });
    assert.equal(await afterwards(() => writeFile(`${path}-wal`, anew)), false);
    assert.equal(await afterwards(() => writeFile(`${path}-wal`, '')), false);
  });

  test('a log that grows is read on from where it was', async () => {
    const grow = 'INSERT INTO t VALUES (randomblob(5000))';
    const images = await imagesAfter('CREATE TABLE t (b)', grow, grow, grow, grow);
    const whole = walOf(images);
    const ends = [2, 3, 4].map((count) => walOf(images.slice(0, count)).length);
    let end = 0;
    let read = 0;
    const log = new WalIndex((into, position) => {
      const bytes = whole.subarray(0, end).copy(into, 0, position);
      read += bytes;
      return bytes;
    });
    // Its header came later than the file.
    assert.equal(log.header.length, 0);
    end = 32;
    const index = new WalIndex(log.readAt);
    for (const [at, next] of ends.entries()) {
      end = next + 100;
      read = 0;
      index.catchUp();
      assert.ok(read <= next - (ends[at - 1] ?? 32) + 100, `${read} bytes`);
      const anew = new WalIndex(log.readAt);
      anew.catchUp();
      assert.deepEqual([index.pages, index.offsets], [anew.pages, anew.offsets]);
    }
    assert.equal(index.pages * index.pageSize, images[3]?.length);
  });

  const counts: Question = {
    path: '',
    needs: { t: ['n'], filler: ['b'] },
    selects: {
      newest: { from: 't', sql: 'SELECT max(n) AS n FROM t' },
      rows: { from: 'filler', sql: 'SELECT count(*) AS n, sum(length(b)) AS bytes FROM filler' },
    },
  };

  test('a busy writer, who commits and moves pages over all the time, is never read torn', async () => {
    const grow =
      'INSERT INTO t SELECT max(n) + 1 FROM t; INSERT INTO filler VALUES (randomblob(20000))';
    const states = await imagesAfter(
      'CREATE TABLE t (n); INSERT INTO t VALUES (0); CREATE TABLE filler (b)',
      ...Array.from({ length: 40 }, () => grow),
    );
    const logs = states.map((_, at) =>
      walOf(states.slice(Math.max(0, at - 1), at + 1), { salt: at }),
    );
    await put(states[0] ?? assert.fail(), logs[0]);
    // In a thread of its own, since reading leaves no gaps in ours.
    const writer = new Worker(
      `const { writeSync, writeFileSync, openSync } = require('node:fs');
       const { path, states, logs } = require('node:worker_threads').workerData;
       const main = openSync(path, 'r+');
       for (let at = 0; at < states.length; at++) {
         writeFileSync(path + '-wal', logs[at]);
         for (let page = 0; page < states[at].length; page += 4096) {
           writeSync(main, states[at], page, 4096, page);
         }
       }`,
      { eval: true, workerData: { path, states, logs } },
    );
    const progress = { done: false };
    writer.on('exit', () => (progress.done = true));
    const answerer = new Answerer();
    const seen: number[] = [];
    try {
      while (!progress.done) {
        const { rows } = await answerer.answer(
          { ...counts, path },
          { sql: loadTestSql, wholeBytes: 0, patienceMs: 60_000, onLoaded: () => assert.fail() },
        );
        const [newest, filler] = [rows['newest']?.[0], rows['rows']?.[0]];
        assert.equal(filler?.['n'], newest?.['n']);
        assert.equal(filler?.['bytes'] ?? 0, 20_000 * Number(newest?.['n']));
        seen.push(Number(newest?.['n']));
        await new Promise((resolve) => setImmediate(resolve));
      }
    } finally {
      await writer.terminate();
    }
    answerer.close();
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });

  test('one that is never at rest is said to be busy, and read again later', async () => {
    const images = await imagesAfter(
      'CREATE TABLE t (n); INSERT INTO t VALUES (1); CREATE TABLE filler (b)',
    );
    await put(images[0] ?? assert.fail());
    await writeFile(`${path}-journal`, Buffer.from('d9d505f920a163d7', 'hex'));
    const answerer = new Answerer();
    const options = { sql: loadTestSql, wholeBytes: 0, patienceMs: 0, onLoaded: () => undefined };
    await assert.rejects(answerer.answer({ ...counts, path }, options), (error: unknown) =>
      isExpected(error, 'databaseBusy'),
    );
    await rm(`${path}-journal`);
    const { rows } = await answerer.answer({ ...counts, path }, options);
    assert.deepEqual(rows['newest'], [{ n: 1 }]);
    answerer.close();
  });

  /** Moves the leaves of a table of two levels so far back that the file has 2.4 GB, most of it a hole. */
  async function writeHuge(image: Buffer): Promise<number> {
    const [page, shift] = [4096, 600_000];
    const root = image.subarray(page, 2 * page);
    assert.equal(root[0], 5, 'the root is no interior page');
    const pointers = [
      8,
      ...Array.from({ length: root.readUInt16BE(3) }, (_, at) => root.readUInt16BE(12 + 2 * at)),
    ];
    for (const at of pointers) root.writeUInt32BE(root.readUInt32BE(at) + shift, at);
    const pages = image.length / page;
    image.writeUInt32BE(pages + shift, 28);
    const file = await open(path, 'w');
    await file.write(image, 0, 2 * page, 0);
    await file.write(image, 2 * page, image.length - 2 * page, (2 + shift) * page);
    await file.close();
    return (pages + shift) * page;
  }

  test('rows that lie behind 2 GB are found, and no more is read than their pages', async () => {
    const [image = assert.fail()] = await imagesAfter(
      `CREATE TABLE t (n INTEGER PRIMARY KEY, text);
       WITH RECURSIVE c (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 500)
       INSERT INTO t SELECT n, 'row ' || n || hex(zeroblob(500)) FROM c`,
    );
    const size = await writeHuge(image);
    assert.ok(size > 2 ** 31);
    const question = (sql: string): Question => ({
      path,
      needs: { t: ['n', 'text'] },
      selects: { found: { from: 't', sql } },
    });
    const reader = new DatabaseReader({ loadMs: 120_000, answerMs: 120_000, idleMs: 100 });
    const { rows } = await reader.ask(
      question('SELECT count(*) AS n, min(substr(text, 1, 6)) AS text FROM t'),
    );
    assert.deepEqual(rows['found'], [{ n: 500, text: 'row 10' }]);

    const file = await open(path, 'r');
    let read = 0;
    const bytes = new PagedBytes(
      (into, position) => {
        const more = readSync(file.fd, into, 0, into.length, position);
        read += more;
        return more;
      },
      size,
      new WalIndex(() => 0),
      { blockBytes: 4096, blocks: 8 },
    );
    const database = openForeign(await loadTestSql(), path, bytes);
    const found = database.exec('SELECT substr(text, 1, 7) FROM t WHERE n = 321')[0]?.values;
    assert.deepEqual(found, [['row 321']]);
    assert.ok(read <= 10 * 4096, `${read} bytes`);
    database.close();
    await file.close();
  });

  test('nothing is written beside it, or into it', async () => {
    const images = await imagesOf({ pageSize: 4096, encoding: 'UTF-8', vacuum: 0 }, [
      scriptOf([{ put: 1, bytes: 100 }]),
    ]);
    const main = Buffer.from(images[0] ?? assert.fail()).fill(2, 18, 20);
    await put(main, walOf(images));
    await paged(smallCaches[1] ?? assert.fail());
    assert.deepEqual(await readFile(path), main);
    assert.deepEqual((await readdir(folder)).sort(), ['x.db', 'x.db-wal']);
  });
});
