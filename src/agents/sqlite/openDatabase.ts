import { stat } from 'node:fs/promises';
import type { Database, SqlJsStatic } from 'sql.js';
import { openForeign } from './answer.js';
import { readImage, walOf } from './image.js';
import { PagedDatabase } from './paged.js';
import type { PageCache } from './pagedBytes.js';

/** A state of another program's database. */
export interface OpenDatabase {
  readonly database: Database;
  /** See `stampOf`. */
  readonly stamp: string;
  /** Whether it was read whole: then nothing that happens to the file changes what is found. */
  readonly isWhole: boolean;
  /**
   * Whether what was found so far belongs to one state of the file.
   *
   * @throws the error of `node:fs` when reading failed meanwhile
   */
  isSound(): boolean;
  close(): void;
}

/**
 * Opens a database: whole when its file and its log have no more than `wholeBytes`, else page by page,
 * which needs the same few megabytes however large it is. Undefined when a writer moved pages meanwhile.
 *
 * @throws ExpectedError `databaseBusy`, `notADatabase`
 */
export async function openDatabase(
  sql: SqlJsStatic,
  path: string,
  wholeBytes: number,
  cache?: PageCache,
): Promise<OpenDatabase | undefined> {
  const log = await stat(walOf(path)).catch(() => undefined);
  const bytes = (await stat(path)).size + (log?.size ?? 0);
  return bytes <= wholeBytes ? openWhole(sql, path) : openPaged(sql, path, cache);
}

async function openWhole(sql: SqlJsStatic, path: string): Promise<OpenDatabase> {
  const { bytes, stamp } = await readImage(path);
  const database = openForeign(sql, path, bytes);
  return { database, stamp, isWhole: true, isSound: () => true, close: () => database.close() };
}

async function openPaged(
  sql: SqlJsStatic,
  path: string,
  cache: PageCache | undefined,
): Promise<OpenDatabase | undefined> {
  const paged = await PagedDatabase.open(path, cache);
  try {
    const database = openForeign(sql, path, paged.bytes);
    return {
      database,
      stamp: paged.stamp,
      isWhole: false,
      isSound: () => paged.isSound(),
      close: () => {
        database.close();
        paged.close();
      },
    };
  } catch (error) {
    try {
      if (paged.isSound()) throw error;
      return undefined;
    } finally {
      paged.close();
    }
  }
}
