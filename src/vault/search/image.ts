import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { SqlJsStatic } from 'sql.js';
import type { Lookup } from '../../core/search/needle.js';
import type { SearchRow } from '../../core/search/rows.js';
import { readBytes } from '../byteWindow.js';
import type { Row } from '../sqlite.js';
import { Sqlite } from '../sqlite.js';
import type { ImageState } from './imageFile.js';
import { readImage } from './imageFile.js';
import type { ImageThread } from './imageSchema.js';
import { blockSchema, readThreads } from './imageSchema.js';
import { markDocuments } from './postings.js';

/** Rows that are found as one. */
export interface ImageDocument {
  /** Its conversation, as a number in {@link SearchImage.threads}. */
  readonly thread: number;
  readonly block: number;
  readonly first: number;
  readonly count: number;
  readonly at: number;
}

const inflated = promisify<Buffer, Buffer>(inflate);

/** An image, loaded. */
export class SearchImage {
  private constructor(
    private readonly handle: FileHandle,
    private readonly database: Sqlite,
    /** Bytes that it holds in memory. */
    readonly bytes: number,
    readonly threads: readonly ImageThread[],
    readonly packs: readonly string[],
    /** The oldest first. */
    readonly documents: readonly ImageDocument[],
    private readonly blocks: readonly { readonly offset: number; readonly size: number }[],
  ) {}

  /**
   * Loads an image; what it is when it cannot be used.
   *
   * @throws Error of the file system when the file cannot be read
   */
  static async open(
    path: string,
    sql: SqlJsStatic,
  ): Promise<SearchImage | Exclude<ImageState, 'known'>> {
    const handle = await open(path, 'r');
    try {
      const { state, database } = await readImage(handle);
      const image = state === 'known' ? SearchImage.load(handle, sql, database) : state;
      if (typeof image === 'string') await handle.close();
      return image;
    } catch (error) {
      await handle.close();
      throw error;
    }
  }

  private static load(
    handle: FileHandle,
    { Database }: SqlJsStatic,
    bytes: Uint8Array,
  ): SearchImage | 'damaged' {
    const database = new Sqlite(new Database(bytes));
    try {
      // Many images are open at once.
      database.script('PRAGMA cache_size = -256; PRAGMA trusted_schema = OFF');
      const packs = database.all('SELECT name FROM pack', [], (row) => row.text('name'));
      const documents = database.all('SELECT * FROM document ORDER BY number', [], toDocument);
      const blocks = database.all('SELECT * FROM block ORDER BY number', [], (row) => ({
        offset: bytes.length + row.number('offset'),
        size: row.number('size'),
      }));
      const threads = readThreads(database);
      return new SearchImage(handle, database, bytes.length, threads, packs, documents, blocks);
    } catch {
      database.close();
      return 'damaged';
    }
  }

  /** A byte for each document: 1 where a needle with such a lookup may be. */
  mask(lookup: Lookup): Uint8Array {
    const mask = new Uint8Array(this.documents.length);
    if (lookup === 'everywhere') return mask.fill(1);
    if ('term' in lookup) {
      this.mark('SELECT documents FROM term WHERE term = ?', [lookup.term], mask);
      return mask;
    }
    if ('prefix' in lookup) {
      this.markRange(lookup.prefix, mask);
      return mask;
    }
    if ('all' in lookup) return lookup.all.map((one) => this.mask(one)).reduce(and, mask.fill(1));
    return lookup.any.map((one) => this.mask(one)).reduce(or, mask);
  }

  /** Documents with a term that begins so and meets a condition. */
  maskWhere(prefix: string, meets: (rest: string) => boolean): Uint8Array {
    const mask = new Uint8Array(this.documents.length);
    const terms = this.database.all(
      'SELECT term FROM term WHERE term >= ? AND term < ?',
      [prefix, prefix + highest],
      (row) => row.text('term'),
    );
    for (const term of terms.filter((one) => meets(one.slice(prefix.length)))) {
      this.mark('SELECT documents FROM term WHERE term = ?', [term], mask);
    }
    return mask;
  }

  /**
   * The rows of a block.
   *
   * @throws Error when it is damaged
   */
  async block(number: number): Promise<readonly SearchRow[]> {
    const place = this.blocks[number];
    if (!place) throw new Error('There is no such block.');
    const bytes = await readBytes(this.handle, place.offset, place.size);
    return blockSchema.parse(JSON.parse((await inflated(bytes)).toString('utf8')));
  }

  async close(): Promise<void> {
    this.database.close();
    await this.handle.close();
  }

  private markRange(prefix: string, mask: Uint8Array): void {
    const sql = 'SELECT documents FROM term WHERE term >= ? AND term < ?';
    this.mark(sql, [prefix, prefix + highest], mask);
  }

  private mark(sql: string, parameters: readonly string[], mask: Uint8Array): void {
    this.database.all(sql, parameters, (row) => markDocuments(row.bytes('documents'), mask));
  }
}

const toDocument = (row: Row): ImageDocument => ({
  thread: row.number('thread'),
  block: row.number('block'),
  first: row.number('first'),
  count: row.number('count'),
  at: row.number('at'),
});

/** Sorts behind all that a term can go on with. */
const highest = '\u{10ffff}';

function and(one: Uint8Array, other: Uint8Array): Uint8Array {
  for (let at = 0; at < one.length; at++) one[at] = (one[at] ?? 0) & (other[at] ?? 0);
  return one;
}

function or(one: Uint8Array, other: Uint8Array): Uint8Array {
  for (let at = 0; at < one.length; at++) one[at] = (one[at] ?? 0) | (other[at] ?? 0);
  return one;
}
