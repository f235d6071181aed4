import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applicationId, schemaVersion } from './schema.js';
import { SessionIndex } from './sessionIndex.js';
import { loadSql } from './sqlite.js';
import { emptyIndex, TestPack, wasm } from './testFrames.js';

suite('database', () => {
  let folder: string;
  let file: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepthread-database-'));
    file = join(folder, 'sessions.db');
  });
  teardown(() => rm(folder, { recursive: true }));

  const titles = (index: SessionIndex): string[] => index.sessions().map(({ title }) => title);

  const fill = (index: SessionIndex, sessions: number): void => {
    const pack = new TestPack('a.pack');
    for (let n = 0; n < sessions; n++) {
      pack.session(`s${n}`, { set: { title: `Title ${n}`, goal: 'x'.repeat(300) } });
      pack.snapshot(`s${n}`, `snapshot ${n}`);
      pack.blob(`content ${n}`);
    }
    index.apply(pack.frames, [pack.covered]);
  };

  /** A saved database of a few pages. */
  const saved = async (): Promise<Uint8Array> => {
    const index = await emptyIndex(file);
    fill(index, 60);
    await index.save();
    index.close();
    return readFile(file);
  };

  /** A database that another hand has changed. */
  const altered = async (sql: string): Promise<Uint8Array> => {
    const sqlJs = await loadSql(wasm);
    const database = new sqlJs.Database(await saved());
    database.exec(sql);
    const bytes = database.export();
    database.close();
    return bytes;
  };

  test('what was saved is there after a restart', async () => {
    await saved();
    const { index, state, problems } = await SessionIndex.open({ file, wasm });
    assert.equal(state, 'opened');
    assert.deepEqual(problems, []);
    assert.equal(titles(index)[0], 'Title 59');
    assert.equal(index.sessions().length, 60);
    assert.deepEqual([...index.offsets().keys()], ['a.pack']);
    assert.equal(index.dirty, false);
    index.close();
  });

  test('without a file the index works in memory and saving writes nothing', async () => {
    const { index, state } = await SessionIndex.open({
      file: undefined,
      wasm: await readFile(wasm),
    });
    assert.equal(state, 'new');
    fill(index, 1);
    await index.save();
    assert.deepEqual(titles(index), ['Title 0']);
    index.close();
    assert.deepEqual(await readdir(folder), []);
  });

  test('opening alone makes no file and no folder', async () => {
    const deep = join(folder, 'not', 'there', 'sessions.db');
    const { index, state } = await SessionIndex.open({ file: deep, wasm });
    assert.equal(state, 'new');
    await index.save();
    index.close();
    assert.deepEqual(await readdir(folder), []);
  });

  if (process.platform !== 'win32') {
    test('nobody else on the machine can read it, whatever the umask', async () => {
      const before = process.umask(0);
      try {
        const deep = join(folder, 'view', 'sessions.db');
        const index = await emptyIndex(deep);
        fill(index, 1);
        await index.save();
        index.close();
        assert.equal((await stat(deep)).mode & 0o777, 0o600);
        assert.equal((await stat(join(folder, 'view'))).mode & 0o777, 0o700);
      } finally {
        process.umask(before);
      }
    });
  }

  suite('a file that cannot be used', () => {
    /** The file is moved away unchanged and said; the index starts empty, and saves to the old place. */
    const isSetAside = async (bytes: Uint8Array): Promise<void> => {
      await rm(folder, { recursive: true });
      await mkdir(folder);
      await writeFile(file, bytes);
      const { index, state, problems } = await SessionIndex.open({ file, wasm });
      assert.equal(state, 'setAside');
      assert.equal(problems.length, 1);
      assert.equal(problems[0]?.where, file);
      const [aside, ...others] = await readdir(folder);
      assert.deepEqual(others, []);
      assert.match(aside ?? '', /^sessions\.db\.\d{4}-\d\d-\d\dT/);
      assert.ok(problems[0].message.includes(aside ?? ''));
      assert.deepEqual(await readFile(join(folder, aside ?? '')), Buffer.from(bytes));
      assert.deepEqual(index.sessions(), []);
      assert.equal(index.offsets().size, 0);
      fill(index, 1);
      await index.save();
      index.close();
      const again = await emptyIndex(file);
      assert.deepEqual(titles(again), ['Title 0']);
      again.close();
    };
    const refuses = (title: string, make: () => Promise<Uint8Array> | Uint8Array) =>
      test(`is kept and said: ${title}`, async () => isSetAside(await make()));

    refuses('0 bytes', () => new Uint8Array());
    refuses('1 byte', () => new Uint8Array(1));
    refuses('a page of NUL', () => new Uint8Array(4096));
    refuses('text', () => Buffer.from('{"not": "a database"}'.repeat(20)));
    refuses('a database with a byte order mark', async () =>
      Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), await saved()]),
    );
    refuses('bytes behind its end', async () =>
      Buffer.concat([await saved(), new Uint8Array(512)]),
    );
    refuses('another program’s database', async () => {
      const sql = await loadSql(wasm);
      const database = new sql.Database();
      database.exec(
        "CREATE TABLE ItemTable (key TEXT, value BLOB); INSERT INTO ItemTable VALUES ('a', 'b')",
      );
      return database.export();
    });
    refuses('an empty database', async () => {
      const sql = await loadSql(wasm);
      const database = new sql.Database();
      database.exec('VACUUM');
      return database.export();
    });
    refuses('a missing table', () => altered('DROP TABLE batch'));
    refuses('a view in place of a table', () =>
      altered(
        'DROP TABLE blob; CREATE VIEW blob AS SELECT id AS hash, 1 AS pack, 1 AS offset FROM session',
      ),
    );
    refuses('a trigger that would empty a table', () =>
      altered('CREATE TRIGGER gone AFTER INSERT ON snapshot BEGIN DELETE FROM session; END'),
    );
    refuses('a write-ahead log that sql.js would not read', async () => {
      const bytes = await saved();
      bytes.set([2, 2], 18);
      return bytes;
    });

    test('is kept and said: cut at any length', async () => {
      const whole = await saved();
      for (let part = 1; part < 200; part++) {
        await isSetAside(whole.subarray(0, Math.floor((whole.length * part) / 200)));
      }
    });

    test('is kept and said: zeros or ones over any page of it', async () => {
      const whole = await saved();
      for (const fill of [0, 0xff]) {
        for (let page = 0; page < whole.length / 4096; page++) {
          await writeFile(file, Uint8Array.from(whole).fill(fill, page * 4096, (page + 1) * 4096));
          const { index, state } = await SessionIndex.open({ file, wasm });
          assert.equal(state, 'setAside', `page ${page}`);
          index.close();
        }
      }
    });

    test('two of them in one second are both kept', async () => {
      for (const text of ['first', 'second', 'third']) {
        await writeFile(file, text);
        (await emptyIndex(file)).close();
      }
      const names = await readdir(folder);
      const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
      assert.deepEqual(texts.sort(), ['first', 'second', 'third']);
    });

    test('a folder in its place is moved away whole', async () => {
      await mkdir(file);
      await writeFile(join(file, 'inside'), 'kept');
      const { index, state, problems } = await SessionIndex.open({ file, wasm });
      assert.equal(state, 'setAside');
      assert.equal(problems.length, 1);
      fill(index, 1);
      await index.save();
      index.close();
      const [, aside] = (await readdir(folder)).sort();
      assert.equal(await readFile(join(folder, aside ?? '', 'inside'), 'utf8'), 'kept');
    });
  });

  test('one changed bit anywhere gives an error that is said, or an answer, never a crash', async () => {
    const whole = await saved();
    for (let at = 0; at < 400; at++) {
      const bytes = Uint8Array.from(whole);
      const place = Math.floor((whole.length * at) / 400) + (at % 7);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << (at % 8));
      await writeFile(file, bytes);
      const { index, state } = await SessionIndex.open({ file, wasm });
      assert.ok(state === 'opened' || state === 'setAside' || state === 'tooNew', state);
      try {
        index.sessions();
        index.threads(null);
        index.snapshots('s1');
      } catch (error) {
        assert.match(String(error), /damaged|malformed/);
      }
      index.close();
    }
  });

  suite('versions', () => {
    test('a file of a newer version stays byte for byte, and the window works in memory', async () => {
      const newer = await altered(
        `ALTER TABLE session ADD COLUMN colour TEXT; PRAGMA user_version = ${schemaVersion + 1}`,
      );
      await writeFile(file, newer);
      const { index, state, problems } = await SessionIndex.open({ file, wasm });
      assert.equal(state, 'tooNew');
      assert.match(problems[0]?.message ?? '', /newer version/);
      fill(index, 1);
      assert.deepEqual(titles(index), ['Title 0']);
      await index.save();
      index.close();
      assert.deepEqual(await readdir(folder), ['sessions.db']);
      assert.deepEqual(await readFile(file), Buffer.from(newer));
    });

    test('the file says whose it is and which version it has', async () => {
      const sql = await loadSql(wasm);
      const database = new sql.Database(await saved());
      const value = (pragma: string) => database.exec(`PRAGMA ${pragma}`)[0]?.values[0]?.[0];
      assert.equal(value('application_id'), applicationId);
      assert.equal(value('user_version'), schemaVersion);
      assert.equal(value('integrity_check'), 'ok');
      database.close();
    });
  });

  test('what killed writes left is removed once it is old, and nothing else', async () => {
    await saved();
    const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
    const make = async (name: string, at: Date): Promise<void> => {
      await writeFile(join(folder, name), 'x');
      await utimes(join(folder, name), at, at);
    };
    await make('sessions.db.old.tmp', old);
    await make('sessions.db.young.tmp', new Date());
    await make('sessions.db.2026-01-01T00-00-00.000Z', old);
    await make('other.old.tmp', old);
    (await emptyIndex(file)).close();
    assert.deepEqual((await readdir(folder)).sort(), [
      'other.old.tmp',
      'sessions.db',
      'sessions.db.2026-01-01T00-00-00.000Z',
      'sessions.db.young.tmp',
    ]);
  });

  test('saves that are asked for at once come one after the other, the last state last', async () => {
    const index = await emptyIndex(file);
    const saves = [1, 2, 3, 4, 5].map((count) => {
      fill(index, count);
      return index.save();
    });
    assert.equal(index.dirty, true);
    await Promise.all(saves);
    assert.equal(index.dirty, false);
    index.close();
    const again = await emptyIndex(file);
    assert.equal(again.sessions().length, 5);
    again.close();
  });
});
