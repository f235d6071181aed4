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
  private readonly gone = new Set<string>();

  put(table: string, row: Fields, value: T): void {
    const key = keyOf(table, textOf(row['id']) ?? '');
    this.versions.set(key, value);
    this.gone.delete(key);
  }

  keepOnly(present: readonly string[]): void {
    const left = new Set(present);
    for (const key of this.versions.keys()) if (!left.has(key)) this.gone.add(key);
  }

  /** Also those that the agent has deleted since. */
  all(): readonly T[] {
    return [...this.versions.values()];
  }

  present(): readonly T[] {
    return [...this.versions].filter(([key]) => !this.gone.has(key)).map(([, value]) => value);
  }
}
