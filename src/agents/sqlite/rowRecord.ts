import { isFields, isString, textOf, type Fields } from '../json.js';
import type { LogRow } from './rowLog.js';

/**
 * A row as a record, `{"table": …, "row": {…}}`. A column that holds a JSON object is put in as it is, so that the
 * agent's own bytes are kept; a BLOB that is no text becomes `{"base64": …}`.
 */
export function rowRecord(table: string, id: string, row: Fields): LogRow {
  const columns = Object.entries(row).map(
    ([column, value]) => `${JSON.stringify(column)}:${jsonOf(value)}`,
  );
  const record = `{"table":${JSON.stringify(table)},"row":{${columns.join(',')}}}`;
  return { key: keyOf(table, id), record };
}

const keyOf = (table: string, id: string): string => `${table} ${id}`;

function jsonOf(value: unknown): string {
  if (value instanceof Uint8Array) return bytesAsJson(value);
  return isString(value) && isJsonObject(value) ? value : JSON.stringify(value ?? null);
}

function bytesAsJson(value: Uint8Array): string {
  try {
    return jsonOf(new TextDecoder('utf-8', { fatal: true }).decode(value));
  } catch {
    return JSON.stringify({ base64: Buffer.from(value).toString('base64') });
  }
}

function isJsonObject(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}

/** What a record of a row log says; undefined when it is no such record. */
export function readRowRecord(
  record: Fields,
):
  | { readonly table: string; readonly row: Fields }
  | { readonly present: readonly string[] }
  | undefined {
  const { table, row, present } = record;
  if (Array.isArray(present)) return { present: present.filter(isString) };
  return isString(table) && isFields(row) ? { table, row } : undefined;
}

/**
 * The rows of a log as of its last record: the last version of each, whether it is still there or not.
 */
export class RowFold<T> {
  private readonly versions = new Map<string, T>();
  /** When each was found to be gone, by the number of that finding. */
  private readonly gone = new Map<string, number>();
  private findings = 0;
  private isDropping = false;

  put(table: string, row: Fields, value: T): void {
    const key = keyOf(table, textOf(row['id']) ?? '');
    this.isDropping = false;
    this.versions.set(key, value);
    this.gone.delete(key);
  }

  /** A row that is there still, but belongs to the rest no more; several at once are one finding. */
  drop(table: string, row: Fields): boolean {
    const key = keyOf(table, textOf(row['id']) ?? '');
    if (!this.versions.has(key)) return false;
    if (this.gone.has(key)) return true;
    if (!this.isDropping) this.findings += 1;
    this.isDropping = true;
    this.gone.set(key, this.findings);
    return true;
  }

  keepOnly(present: readonly string[]): void {
    const left = new Set(present);
    this.isDropping = false;
    this.findings += 1;
    for (const key of this.versions.keys()) {
      if (!left.has(key) && !this.gone.has(key)) this.gone.set(key, this.findings);
    }
  }

  /** The numbers of the findings at which rows were gone, in order. */
  losses(): readonly number[] {
    return [...new Set(this.gone.values())].sort((one, other) => one - other);
  }

  /** What was gone at a finding. */
  lostAt(finding: number): readonly T[] {
    return this.where((gone) => gone === finding);
  }

  /** What was there before a finding; also rows that came after it. */
  before(finding: number): readonly T[] {
    return this.where((gone) => gone === undefined || gone >= finding);
  }

  /** Also those that the agent has deleted since. */
  all(): readonly T[] {
    return [...this.versions.values()];
  }

  present(): readonly T[] {
    return this.where((gone) => gone === undefined);
  }

  private where(test: (gone: number | undefined) => boolean): readonly T[] {
    return [...this.versions].filter(([key]) => test(this.gone.get(key))).map(([, value]) => value);
  }
}
