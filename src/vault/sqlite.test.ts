import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isExpected } from '../core/errors.js';
import { loadSql, Sqlite } from './sqlite.js';
import { wasm } from './testFrames.js';

suite('sqlite', () => {
  let database: Sqlite;
  setup(async () => {
    const sql = await loadSql(wasm);
    database = new Sqlite(new sql.Database());
    database.script('CREATE TABLE kept (id INTEGER PRIMARY KEY, value ANY, json TEXT) STRICT');
  });
  teardown(() => database.close());

  const keep = (value: string): void =>
    database.run('INSERT OR REPLACE INTO kept (id, value) VALUES (1, ?)', [value]);
  const kept = (): string | undefined =>
    database.first('SELECT value FROM kept WHERE id = 1', [], (row) => row.text('value'));

  test('no text loses a character, nor the rows that are found by it', () => {
    const units = fc.string({
      unit: fc.integer({ min: 0, max: 0xffff }).map((n) => String.fromCharCode(n)),
    });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), units), (text) => {
        keep(text);
        assert.equal(kept(), text);
        const found = database.all('SELECT id FROM kept WHERE value = ?', [text], (row) =>
          row.number('id'),
        );
        assert.deepEqual(found, [1]);
      }),
    );
  });

  const survives = (title: string, text: string, type: 'text' | 'blob') =>
    test(`text with ${title} comes back as it was, stored as ${type}`, () => {
      keep(text);
      assert.equal(kept(), text);
      const stored = database.first('SELECT typeof(value) AS type FROM kept', [], (row) =>
        row.text('type'),
      );
      assert.equal(stored, type);
    });
  survives('a lone surrogate', 'a\ud800b', 'blob');
  survives('surrogates the wrong way round', '\udc00\ud800', 'blob');
  survives('a NUL', 'a\0b', 'blob');
  survives('a byte order mark at its start', '\ufeffa', 'blob');
  survives('a byte order mark in it', 'a\ufeffb', 'text');
  survives('an emoji', '🧵', 'text');
  survives('U+FFFD', 'a\ufffdb', 'text');
  survives('U+FFFF', 'a\uffffb', 'text');
  survives('line ends and combining marks', 'e\u0301\r\n\n', 'text');
  survives('digits only', '0012', 'text');
  survives('nothing in it', '', 'text');

  test('a number keeps its value up to 2^53', () => {
    for (const value of [0, -1, 2 ** 31, 2 ** 40 + 1, Number.MAX_SAFE_INTEGER]) {
      database.run('INSERT OR REPLACE INTO kept (id, value) VALUES (2, ?)', [value]);
      const read = database.first('SELECT value FROM kept WHERE id = 2', [], (row) =>
        row.number('value'),
      );
      assert.equal(read, value);
    }
  });

  test('what fails half-way leaves nothing behind, and the next change works', () => {
    const fail = (): void =>
      database.transaction(() => {
        keep('half');
        throw new Error('stop');
      });
    assert.throws(fail, /stop/);
    assert.equal(kept(), undefined);
    database.transaction(() => keep('whole'));
    assert.equal(kept(), 'whole');
  });

  test('a statement that failed can be used again', () => {
    const insert = 'INSERT INTO kept (id, value) VALUES (?, ?)';
    database.run(insert, [1, 'a']);
    assert.throws(() => database.run(insert, [1, 'b']), /UNIQUE/);
    database.run(insert, [2, 'c']);
    assert.equal(kept(), 'a');
  });

  test('a value of another kind than the column holds is called damage, not returned', () => {
    database.run("INSERT INTO kept VALUES (1, x'ff', 'no json')");
    const isDamage = (error: unknown): boolean => isExpected(error, 'indexDamaged');
    const read = (get: Parameters<typeof database.first>[2]) => () =>
      database.first('SELECT value, json FROM kept', [], get);
    assert.throws(
      read((row) => row.text('value')),
      isDamage,
    );
    assert.throws(
      read((row) => row.number('json')),
      isDamage,
    );
    assert.throws(
      read((row) => row.number('value')),
      isDamage,
    );
  });

  // sql.js before 1.17 switched foreign keys off, closed statements and rolled an open transaction back.
  suite('export', () => {
    test('settings, statements and functions of the connection live on', () => {
      database.script('PRAGMA foreign_keys = ON');
      keep('before');
      assert.ok(database.export().length > 0);
      const on = database.first('PRAGMA foreign_keys', [], (row) => row.number('foreign_keys'));
      assert.equal(on, 1);
      keep('after');
      assert.equal(kept(), 'after');
    });

    test('in a transaction it fails, and the transaction goes on', () => {
      database.transaction(() => {
        keep('inside');
        assert.throws(() => database.export(), /busy or locked/);
      });
      assert.equal(kept(), 'inside');
    });

    test('it is a copy: later changes are not in it', async () => {
      keep('before');
      const bytes = database.export();
      keep('after');
      const sql = await loadSql(wasm);
      const copy = new Sqlite(new sql.Database(bytes));
      assert.equal(
        copy.first('SELECT value FROM kept', [], (row) => row.text('value')),
        'before',
      );
      copy.close();
    });
  });
});
