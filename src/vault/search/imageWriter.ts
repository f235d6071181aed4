import { deflateSync } from 'node:zlib';
import type { SqlJsStatic } from 'sql.js';
import type { SearchRow } from '../../core/search/rows.js';
import { addTerms } from '../../core/search/terms.js';
import { Sqlite } from '../sqlite.js';
import { encodeDocumentTable } from './documents.js';
import { addFilterTerms } from './filterTerms.js';
import { encodeTrailer } from './imageFile.js';
import type { ImageThread } from './imageSchema.js';
import { imageSchema, insertLayout, insertThread } from './imageSchema.js';
import { encodeDocuments } from './postings.js';
import type { TermPage } from './termPages.js';
import { encodePages } from './termPages.js';

/** Rows become a document, found as one, until they hold so much text, in UTF-16 units. */
const DOCUMENT = 4 * 1024;
/** Documents become a block, compressed as one. zlib looks back 32 KB, so that larger ones gain little. */
const BLOCK = 32 * 1024;
/** So many pages of terms are made in one go. */
const BETWEEN_PAUSES = 8;

interface Document {
  readonly thread: number;
  readonly block: number;
  readonly first: number;
  count: number;
  at: number;
  text: number;
}

/** Makes an image of rows, in memory. */
export class ImageWriter {
  private readonly packs = new Set<string>();
  private readonly threads: ImageThread[] = [];
  private readonly documents: Document[] = [];
  private readonly terms = new Map<string, number[]>();
  private readonly blocks: Buffer[] = [];
  private rows: SearchRow[] = [];
  private blockText = 0;
  private allText = 0;
  private open: Document | undefined;
  private openTerms = new Set<string>();
  private lastAt = 0;

  /** How much text is in it, in UTF-16 units. */
  get text(): number {
    return this.allText;
  }

  get isEmpty(): boolean {
    return this.threads.length === 0;
  }

  /**
   * Begins a conversation, whose rows are then {@link push}ed.
   *
   * @param packs names of the packs that its records lie in
   * @param at when it was last written to, for rows that do not say
   */
  begin(thread: ImageThread, packs: Iterable<string>, at: number): void {
    this.closeDocument();
    for (const pack of packs) this.packs.add(pack);
    this.threads.push(thread);
    this.lastAt = at;
  }

  push(row: SearchRow): void {
    this.open ??= {
      thread: this.threads.length - 1,
      block: this.blocks.length,
      first: this.rows.length,
      ...{ count: 0, at: 0, text: 0 },
    };
    const { open } = this;
    this.rows.push(row);
    addTerms(row.text, this.openTerms);
    addFilterTerms(row, this.openTerms);
    open.count += 1;
    open.at = Math.max(open.at, row.at ?? this.lastAt);
    open.text += row.text.length;
    this.blockText += row.text.length;
    this.allText += row.text.length;
    if (open.text >= DOCUMENT) this.closeDocument();
  }

  /**
   * The image's bytes.
   *
   * @param pause called now and then, to let others work
   */
  async finish(sql: SqlJsStatic, pause: () => Promise<void>): Promise<Uint8Array> {
    this.closeDocument();
    this.closeBlock();
    await pause();
    const order = [...this.documents.keys()].sort(
      (a, b) => (this.documents[a]?.at ?? 0) - (this.documents[b]?.at ?? 0) || a - b,
    );
    const pages = await this.pages(order, pause);
    const documents = encodeDocumentTable(order.flatMap((at) => this.documents[at] ?? []));
    const database = new Sqlite(new sql.Database());
    try {
      database.script(`PRAGMA journal_mode = OFF; ${imageSchema}`);
      database.transaction(() => {
        for (const pack of [...this.packs].sort()) {
          database.run('INSERT INTO pack VALUES (?)', [pack]);
        }
        for (const [number, thread] of this.threads.entries()) {
          insertThread(database, number, thread);
        }
        insertLayout(database, documents, this.blocks, pages);
      });
      const exported = database.export();
      const terms = pages.map(({ bytes }) => bytes);
      return Buffer.concat([exported, ...this.blocks, ...terms, encodeTrailer(exported)]);
    } finally {
      database.close();
    }
  }

  /** @param order places of the documents, by time */
  private async pages(
    order: readonly number[],
    pause: () => Promise<void>,
  ): Promise<readonly TermPage[]> {
    const numbers: number[] = [];
    for (const [number, at] of order.entries()) numbers[at] = number;
    const pages: TermPage[] = [];
    for (const page of encodePages(this.sortedTerms(numbers))) {
      pages.push(page);
      if (pages.length % BETWEEN_PAUSES === 0) await pause();
    }
    return pages;
  }

  private *sortedTerms(numbers: readonly number[]): Generator<readonly [string, Uint8Array]> {
    for (const term of [...this.terms.keys()].sort()) {
      const found = (this.terms.get(term) ?? []).map((document) => numbers[document] ?? 0);
      yield [term, encodeDocuments(found.sort((a, b) => a - b))];
    }
  }

  private note(term: string, document: number): void {
    const documents = this.terms.get(term);
    if (documents) documents.push(document);
    else this.terms.set(term, [document]);
  }

  private closeDocument(): void {
    if (!this.open) return;
    const document = this.documents.push(this.open) - 1;
    for (const term of this.openTerms) this.note(term, document);
    this.openTerms = new Set();
    this.open = undefined;
    if (this.blockText >= BLOCK) this.closeBlock();
  }

  private closeBlock(): void {
    if (this.rows.length === 0) return;
    this.blocks.push(deflateSync(JSON.stringify(this.rows)));
    this.rows = [];
    this.blockText = 0;
  }
}
