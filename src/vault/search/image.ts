import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import type { SqlJsStatic } from 'sql.js';
import type { Lookup } from '../../core/search/needle.js';
import type { SearchRow } from '../../core/search/rows.js';
import { readBytes } from '../byteWindow.js';
import { Sqlite } from '../sqlite.js';
import { DocumentTable } from './documents.js';
import type { ImageState } from './imageFile.js';
import { readImage } from './imageFile.js';
import type { ImageLayout, ImageThread, Place } from './imageSchema.js';
import { blockSchema, readLayout, readThreads } from './imageSchema.js';
import { markDocuments } from './postings.js';
import { findInPage } from './termPages.js';

const inflated = promisify<Buffer, Buffer>(inflate);

/** An image that is searched: what is where in it is in memory, terms and texts are read as they are needed. */
export class SearchImage {
  /** The oldest first. */
  readonly documents: DocumentTable;

  private constructor(
    private readonly handle: FileHandle,
    /** Bytes that it holds in memory, about. */
    readonly bytes: number,
    readonly threads: readonly ImageThread[],
    readonly packs: readonly string[],
    private readonly layout: ImageLayout,
  ) {
    this.documents = new DocumentTable(layout.documents);
  }

  /** Bytes of its terms. */
  get terms(): number {
    return this.layout.pages.reduce((sum, { size }) => sum + size, 0);
  }

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
      database.script('PRAGMA trusted_schema = OFF');
      const packs = database.all('SELECT name FROM pack', [], (row) => row.text('name'));
      const threads = readThreads(database);
      const layout = readLayout(database, bytes.length);
      return new SearchImage(handle, bytes.length, threads, packs, layout);
    } catch {
      return 'damaged';
    } finally {
      database.close();
    }
  }

  /**
   * A byte for each document: 1 where a needle with such a lookup may be.
   *
   * @throws Error when its terms are damaged or cannot be read
   */
  async mask(lookup: Lookup): Promise<Uint8Array> {
    const mask = new Uint8Array(this.documents.length);
    if (lookup === 'everywhere') return mask.fill(1);
    if ('term' in lookup) await this.mark(lookup.term, { isPrefix: false, mask });
    else if ('prefix' in lookup) await this.mark(lookup.prefix, { isPrefix: true, mask });
    else if ('all' in lookup) {
      mask.fill(1);
      for (const one of lookup.all) and(mask, await this.mask(one));
    } else {
      for (const one of lookup.any) or(mask, await this.mask(one));
    }
    return mask;
  }

  /** Documents with a term that begins so and meets a condition. */
  async maskWhere(prefix: string, meets: (rest: string) => boolean): Promise<Uint8Array> {
    const mask = new Uint8Array(this.documents.length);
    await this.mark(prefix, { isPrefix: true, mask, meets });
    return mask;
  }

  /**
   * The rows of a block.
   *
   * @throws Error when it is damaged
   */
  async block(number: number): Promise<readonly SearchRow[]> {
    const bytes = await this.read(this.layout.blocks[number]);
    return blockSchema.parse(JSON.parse((await inflated(bytes)).toString('utf8')));
  }

  async close(): Promise<void> {
    await this.handle.close();
  }

  private async mark(
    word: string,
    options: {
      readonly isPrefix: boolean;
      readonly mask: Uint8Array;
      readonly meets?: (rest: string) => boolean;
    },
  ): Promise<void> {
    const { isPrefix, mask, meets } = options;
    const { pages } = this.layout;
    const bytes = Buffer.from(word);
    for (let number = this.pageOf(word); ; number++) {
      const page = pages[number];
      const isPast = page && page.first > word && !(isPrefix && page.first.startsWith(word));
      if (!page || isPast) return;
      for (const { term, documents } of findInPage(await this.read(page), bytes, isPrefix)) {
        if (meets && !meets(term.toString('utf8').slice(word.length))) continue;
        markDocuments(documents, mask);
      }
    }
  }

  /** The last page that begins with a word or before it. */
  private pageOf(word: string): number {
    const { pages } = this.layout;
    let low = 0;
    let high = pages.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((pages[middle]?.first ?? '') <= word) low = middle;
      else high = middle;
    }
    return low;
  }

  private read(place: Place | undefined): Promise<Buffer> {
    if (!place) throw new Error('There is no such place in it.');
    return readBytes(this.handle, place.offset, place.size);
  }
}

function and(one: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < one.length; at++) one[at] = (one[at] ?? 0) & (other[at] ?? 0);
}

function or(one: Uint8Array, other: Uint8Array): void {
  for (let at = 0; at < one.length; at++) one[at] = (one[at] ?? 0) | (other[at] ?? 0);
}
