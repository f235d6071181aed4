import { readFile } from 'node:fs/promises';
import type { Database, SqlJsStatic, SqlValue, Statement } from 'sql.js';
import type { z } from 'zod';
import { ExpectedError } from '../core/errors.js';
import type { FrameRef } from './types.js';

/**
 * Loads sql.js, whose code is read at the first call.
 *
 * @param wasm bytes of its `sql-wasm.wasm`, or the path
 */
export async function loadSql(wasm: Uint8Array | string): Promise<SqlJsStatic> {
  const { default: initSqlJs } = await import('sql.js');
  const bytes = typeof wasm === 'string' ? await readFile(wasm) : wasm;
  // A slice of its own, since a buffer that Node.js read into may be a part of a larger one.
  return initSqlJs({ wasmBinary: Uint8Array.from(bytes).buffer });
}

export type SqlParameter = string | number | Uint8Array | null | undefined;

/**
 * A database in memory, through sql.js's public API, with statements prepared once and rows read
 * with their types.
 */
export class Sqlite {
  private readonly statements = new Map<string, Statement>();

  constructor(private readonly database: Database) {}

  run(sql: string, parameters: readonly SqlParameter[] = []): void {
    const statement = this.statement(sql);
    try {
      statement.run(parameters.map(toSql));
    } finally {
      statement.reset();
    }
  }

  all<T>(sql: string, parameters: readonly SqlParameter[], read: (row: Row) => T): T[] {
    const statement = this.statement(sql);
    const found: T[] = [];
    try {
      statement.bind(parameters.map(toSql));
      while (statement.step()) found.push(read(new Row(statement.getAsObject())));
    } finally {
      statement.reset();
    }
    return found;
  }

  first<T>(sql: string, parameters: readonly SqlParameter[], read: (row: Row) => T): T | undefined {
    return this.all(sql, parameters, read)[0];
  }

  /** Several statements without parameters. */
  script(sql: string): void {
    this.database.exec(sql);
  }

  /** All of `body` or nothing of it. Not to be nested. */
  transaction<T>(body: () => T): T {
    this.script('BEGIN IMMEDIATE');
    try {
      const result = body();
      this.script('COMMIT');
      return result;
    } catch (error) {
      this.script('ROLLBACK');
      throw error;
    }
  }

  /** The database file's bytes. Throws inside a transaction. */
  export(): Uint8Array {
    return this.database.export();
  }

  close(): void {
    this.statements.clear();
    this.database.close();
  }

  private statement(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (statement === undefined) {
      statement = this.database.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }
}

/** One row of a result. A value of another kind than asked for means a damaged database. */
export class Row {
  constructor(private readonly values: Readonly<Record<string, SqlValue>>) {}

  text(column: string): string {
    return this.optionalText(column) ?? damaged(column);
  }

  optionalText(column: string): string | undefined {
    const value = this.value(column);
    if (value === null) return undefined;
    if (typeof value === 'string') return value;
    if (typeof value === 'number') return damaged(column);
    const parsed = parseJson(new TextDecoder().decode(value), column);
    return typeof parsed === 'string' ? parsed : damaged(column);
  }

  /** One of a fixed set of words. */
  word<T>(column: string, schema: z.ZodType<T>): T {
    return this.optionalWord(column, schema) ?? damaged(column);
  }

  optionalWord<T>(column: string, schema: z.ZodType<T>): T | undefined {
    const value = this.optionalText(column);
    return value === undefined ? undefined : checked(value, column, schema);
  }

  number(column: string): number {
    return this.optionalNumber(column) ?? damaged(column);
  }

  optionalNumber(column: string): number | undefined {
    const value = this.value(column);
    if (value === null) return undefined;
    return typeof value === 'number' ? value : damaged(column);
  }

  bytes(column: string): Uint8Array {
    const value = this.value(column);
    return value instanceof Uint8Array ? value : damaged(column);
  }

  json<T>(column: string, schema: z.ZodType<T>): T {
    return this.optionalJson(column, schema) ?? damaged(column);
  }

  optionalJson<T>(column: string, schema: z.ZodType<T>): T | undefined {
    const value = this.value(column);
    if (value === null) return undefined;
    return checked(parseJson(this.text(column), column), column, schema);
  }

  private value(column: string): SqlValue {
    const value = this.values[column];
    if (value === undefined) throw new Error(`The query has no column ${column}.`);
    return value;
  }
}

/**
 * SQLite TEXT holds UTF-8 up to a NUL: a lone surrogate would come back as U+FFFD, and what follows a NUL may be
 * lost in a tool; a byte order mark at its start is taken for none of it by what reads it. Such a string is a BLOB of its JSON instead; columns for it have the type ANY. Each string
 * has one form only, so that both forms compare equal to themselves in a query.
 */
export const toSql = (value: SqlParameter): SqlValue => {
  if (value === undefined) return null;
  if (typeof value === 'string' && /^\ufeff|[\0\p{Surrogate}]/u.test(value)) {
    return new TextEncoder().encode(JSON.stringify(value));
  }
  return value;
};

function checked<T>(value: unknown, column: string, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : damaged(column);
}

function parseJson(text: string, column: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return damaged(column);
  }
}

function damaged(column: string): never {
  throw new ExpectedError(
    'indexDamaged',
    'The sessions database is damaged (column {0}).',
    [column],
    {
      next: 'Close the window, delete the file sessions.db and open the window again: it is rebuilt from the vault.',
    },
  );
}

/** Where a frame lies, of a row that joins its pack. */
export const frameRefOf = (row: Row): FrameRef => ({
  pack: row.text('name'),
  offset: row.number('offset'),
});
