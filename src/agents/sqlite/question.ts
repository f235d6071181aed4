/** What is asked of another program's database; plain data, since it is answered in a process of its own. */
export interface Question {
  /** Absolute path of the database's file. */
  readonly path: string;
  /** Tables and columns that the format has; without one of them it is not known. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  readonly selects: Readonly<Record<string, Select>>;
  /** What was read so many milliseconds ago is new enough; absent: only what is there now. */
  readonly maxAgeMs?: number;
}

/** For a conversation that was just found: while its database grows it is not read again for each. */
export const justFoundMs = 2000;

export interface Select {
  /** The table that the statement reads; one that is not there has no rows. */
  readonly from: string;
  readonly sql: string;
  readonly parameters?: readonly (string | number)[];
}

/** TEXT is a string, INTEGER and REAL a number, BLOB bytes. */
export type Value = string | number | Uint8Array | null;
export type Row = Readonly<Record<string, Value>>;

export interface Answer {
  /** Rows of each select, by its name. */
  readonly rows: Readonly<Record<string, readonly Row[]>>;
  /** Tables of the database with their columns; only real ones, no views and no virtual tables. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
  /** The state of the database that was read; see `stampOf`. */
  readonly stamp: string;
}

export const textIn = (row: Row | undefined, column: string): string | undefined => {
  const value = row?.[column];
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const numberIn = (row: Row | undefined, column: string): number | undefined => {
  const value = row?.[column];
  return typeof value === 'number' ? value : undefined;
};
