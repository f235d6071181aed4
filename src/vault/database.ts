import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { SqlJsStatic } from 'sql.js';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { applicationId, migrate, schemaVersion } from './schema.js';
import { setAside } from './setAside.js';
import { loadSql, Sqlite } from './sqlite.js';
import { codeOf } from './writeError.js';

/**
 * What became of the file: `opened` and migrated if it was older; `new` because there was none;
 * `setAside` because it was damaged or not ours; `tooNew`: written by a newer version and left as it is.
 */
export type OpenState = 'opened' | 'new' | 'setAside' | 'tooNew';

export interface OpenedDatabase {
  readonly database: Sqlite;
  readonly state: OpenState;
  /** Where saving writes to; absent: the database lives in memory only. */
  readonly file: string | undefined;
  readonly problems: readonly Problem[];
}

/**
 * Opens a database of ours, or makes an empty one in memory; the file itself is written by saving only.
 * No file is overwritten or deleted: what cannot be used is moved to its name plus the date.
 *
 * @param wasm bytes of `sql-wasm.wasm`, or its path
 */
export async function openDatabase(request: {
  readonly file: string | undefined;
  readonly wasm: Uint8Array | string;
}): Promise<OpenedDatabase> {
  const { file, wasm } = request;
  const sql = await loadSql(wasm);
  const fresh = (state: OpenState, at: string | undefined, problems: readonly Problem[]) => ({
    database: emptyDatabase(sql),
    state,
    file: at,
    problems,
  });
  if (file === undefined) return fresh('new', undefined, []);

  await removeLeftovers(file);
  const read = await readWhole(file);
  if (read === undefined) return fresh('new', file, []);
  const found = typeof read === 'string' ? read : load(sql, read);
  if (found instanceof Sqlite) return { database: found, state: 'opened', file, problems: [] };
  if (found === tooNew) {
    const message =
      'It was written by a newer version of Keepthread and is left as it is; lists are rebuilt in memory.';
    return fresh('tooNew', undefined, [{ where: file, message }]);
  }
  try {
    const aside = await setAside(file);
    const message = `It could not be used (${found}). It was moved to ${aside} and is rebuilt from the vault.`;
    return fresh('setAside', file, [{ where: file, message }]);
  } catch (error) {
    const message = `It could not be used (${found}) nor moved away (${messageOf(error)}); lists are rebuilt in memory.`;
    return fresh('setAside', undefined, [{ where: file, message }]);
  }
}

const tooNew = Symbol('tooNew');

/** A database from a file's bytes; otherwise why not, in words, or {@link tooNew}. */
function load(sql: SqlJsStatic, bytes: Uint8Array): Sqlite | string | typeof tooNew {
  const bad = headerProblem(bytes);
  if (bad !== undefined) return bad;
  const database = new Sqlite(new sql.Database(bytes));
  try {
    const refused = prepare(sql, database);
    if (refused === undefined) return database;
    database.close();
    return refused;
  } catch (error) {
    database.close();
    return messageOf(error);
  }
}

function prepare(sql: SqlJsStatic, database: Sqlite): string | typeof tooNew | undefined {
  // What SQLite's makers advise for files that may be damaged: https://www.sqlite.org/security.html
  database.script('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON');
  if (pragma(database, 'application_id') !== applicationId) {
    return 'it is not a database of Keepthread';
  }
  const version = pragma(database, 'user_version');
  if (version > schemaVersion) return tooNew;
  const check = database.first('PRAGMA quick_check(1)', [], (row) => row.text('quick_check'));
  if (check !== 'ok') return check ?? 'the check gave no answer';
  if (version < schemaVersion) migrate(database, version);
  const expected = emptyDatabase(sql);
  const same = schemaOf(database) === schemaOf(expected);
  expected.close();
  return same ? undefined : 'its tables are not the expected ones';
}

/**
 * What the header says before SQLite reads the file: SQLite takes an empty file for an empty
 * database, and a cut one may open. Layout: https://www.sqlite.org/fileformat.html#the_database_header
 */
function headerProblem(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return 'it is empty';
  if (bytes.length < 100) return 'it is too short';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = new TextDecoder('latin1').decode(bytes.subarray(0, 16));
  if (magic !== 'SQLite format 3\0') return 'it is not an SQLite database';
  // sql.js leaves a write-ahead log unread, without an error; our own files never have one.
  if (bytes[18] !== 1 || bytes[19] !== 1) return 'another program keeps a write-ahead log for it';
  const pageSize = view.getUint16(16) === 1 ? 65536 : view.getUint16(16);
  const pages = view.getUint32(28);
  return pages * pageSize === bytes.length ? undefined : 'its length is not what its header says';
}

function emptyDatabase(sql: SqlJsStatic): Sqlite {
  const database = new Sqlite(new sql.Database());
  migrate(database, 0);
  return database;
}

const pragma = (database: Sqlite, name: string): number =>
  database.first(`PRAGMA ${name}`, [], (row) => row.number(name)) ?? 0;

/** The schema as text: a trigger that somebody added would act on our statements. */
const schemaOf = (database: Sqlite): string =>
  database
    .all(
      `SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name`,
      [],
      (row) => [row.text('name'), row.optionalText('sql')].join(' '),
    )
    .join('\n');

/** Names of the tables, all of them ours. */
export const tableNames = (database: Sqlite): readonly string[] =>
  database.all(
    `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'`,
    [],
    (row) => row.text('name'),
  );

/** The file's bytes, nothing when there is none, or in words why it cannot be read. */
async function readWhole(file: string): Promise<Uint8Array | string | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? undefined : messageOf(error);
  }
}

/** Deletes what writes that were killed left beside the file, once no writer can be at work any more. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = dirname(file);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${basename(file)}.`) || !name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > leftoverAge) await rm(path, { force: true }).catch(() => undefined);
  }
}

const leftoverAge = 60 * 60 * 1000;
