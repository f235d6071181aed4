import type { Database, SqlJsStatic } from 'sql.js';
import { ExpectedError } from '../../core/errors.js';
import type { PagedBytes } from './pagedBytes.js';
import type { Answer, Question, Row, Select } from './question.js';

/** One answer holds no more than this, in UTF-16 units and bytes; no conversation of a person comes near. */
const largestAnswer = 256 * 1024 * 1024;

/**
 * Opens the bytes of a database that somebody else wrote. What its schema says is not trusted: no
 * function that it names may have an effect, and a damaged page is found before it is read wrongly.
 *
 * @throws ExpectedError `notADatabase`
 */
export function openForeign(
  sql: SqlJsStatic,
  path: string,
  bytes: Uint8Array | PagedBytes,
): Database {
  const magic = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  if (bytes.length > 0 && magic !== 'SQLite format 3\0') {
    throw new ExpectedError('notADatabase', '{0} is no SQLite database, or an encrypted one.', [
      path,
    ]);
  }
  const database = new sql.Database(bytes);
  database.exec('PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA query_only = ON');
  return database;
}

/**
 * Answers from the tables that are really there.
 *
 * @throws ExpectedError `formatNotKnown`, `answerTooLarge`
 */
export function answer(database: Database, question: Question): Omit<Answer, 'stamp'> {
  const tables = tablesOf(database);
  if (Object.keys(tables).length > 0) requireTables(question, tables);
  const rows: Record<string, readonly Row[]> = {};
  let room = largestAnswer;
  for (const [name, select] of Object.entries(question.selects)) {
    if (tables[select.from] === undefined) {
      rows[name] = [];
      continue;
    }
    const found = rowsOf(database, select, room, question.path);
    rows[name] = found.rows;
    room = found.room;
  }
  return { rows, tables };
}

function tablesOf(database: Database): Record<string, readonly string[]> {
  const [result] = database.exec(
    `SELECT name FROM sqlite_schema
     WHERE type = 'table' AND upper(sql) LIKE 'CREATE TABLE%' AND rootpage > 0`,
  );
  const names = result?.values.map(([name]) => String(name)) ?? [];
  return Object.fromEntries(names.map((name) => [name, columnsOf(database, name)]));
}

function columnsOf(database: Database, table: string): readonly string[] {
  const [result] = database.exec('SELECT name FROM pragma_table_info(?)', [table]);
  return result?.values.map(([name]) => String(name)) ?? [];
}

function requireTables({ path, needs }: Question, tables: Answer['tables']): void {
  const missing = Object.entries(needs).flatMap(([table, columns]) => {
    const there = tables[table];
    if (there === undefined) return [table];
    return columns
      .filter((column) => !there.includes(column))
      .map((column) => `${table}.${column}`);
  });
  if (missing.length > 0) throw formatNotKnown(path, missing.join(', '), tables);
}

export const formatNotKnown = (
  path: string,
  missing: string,
  tables: Answer['tables'],
): ExpectedError =>
  new ExpectedError(
    'formatNotKnown',
    'The format of {0} is not known: it has no {1}. Its tables are {2}.',
    [path, missing, Object.keys(tables).join(', ')],
    { next: 'A newer version of Keepthread may know it.' },
  );

function rowsOf(database: Database, select: Select, room: number, path: string) {
  const statement = database.prepare(select.sql, [...(select.parameters ?? [])]);
  try {
    const rows: Row[] = [];
    let left = room;
    while (statement.step()) {
      const row = statement.getAsObject();
      for (const value of Object.values(row)) left -= sizeOf(value);
      if (left < 0) throw tooLarge(path);
      rows.push(row);
    }
    return { rows, room: left };
  } finally {
    statement.free();
  }
}

const sizeOf = (value: unknown): number =>
  typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;

const tooLarge = (path: string): ExpectedError =>
  new ExpectedError('answerTooLarge', 'A conversation in {0} is too large to be read.', [path]);
