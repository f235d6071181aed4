import { deflateSync } from 'node:zlib';
import type { SqlJsStatic } from 'sql.js';
import type { SearchRow } from '../../core/search/rows.js';
import { addTerms } from '../../core/search/terms.js';
import { Sqlite } from '../sqlite.js';
import { addFilterTerms } from './filterTerms.js';
import { encodeTrailer } from './imageFile.js';
import type { ImageThread } from './imageSchema.js';
import { imageSchema, insertThread } from './imageSchema.js';
import { encodeDocuments } from './postings.js';

/** Rows become a document, found as one, until they hold so much text, in UTF-16 units. */
const DOCUMENT = 4 * 1024;
/** Documents become a block, compressed as one. */
const BLOCK = 128 * 1024;

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

  /** How much text is in it, in UTF-16 units. */
  get text(): number {
    return this.allText;
  }

  get isEmpty(): boolean {
    return this.threads.length === 0;
  }

  /**
   * Adds rows of one conversation.
   *
   * @param packs names of the packs that its records lie in
   * @param at when it was last written to, for rows that do not say
   */
  add(thread: ImageThread, rows: Iterable<SearchRow>, packs: Iterable<string>, at: number): void {
    for (const pack of packs) this.packs.add(pack);
    const number = this.threads.push(thread) - 1;
    let open: Document | undefined;
    let terms = new Set<string>();
    const close = (): void => {
      if (!open) return;
      const document = this.documents.push(open) - 1;
      for (const term of terms) this.note(term, document);
      terms = new Set();
      open = undefined;
      if (this.blockText >= BLOCK) this.closeBlock();
    };
    for (const row of rows) {
      open ??= {
        thread: number,
        block: this.blocks.length,
        first: this.rows.length,
        ...{ count: 0, at: 0, text: 0 },
      };
      this.rows.push(row);
      addTerms(row.text, terms);
      addFilterTerms(row, terms);
      open.count += 1;
      open.at = Math.max(open.at, row.at ?? at);
      open.text += row.text.length;
      this.blockText += row.text.length;
      this.allText += row.text.length;
      if (open.text >= DOCUMENT) close();
    }
    close();
  }

  /** The image's bytes. */
  finish(sql: SqlJsStatic): Uint8Array {
    this.closeBlock();
    const database = new Sqlite(new sql.Database());
    try {
      database.script(imageSchema);
      const bytes = database.transaction(() => this.fill(database));
      const exported = database.export();
      // Blocks lie behind the database, whose size is known only now.
      return Buffer.concat([exported, ...bytes, encodeTrailer(exported)]);
    } finally {
      database.close();
    }
  }

  private fill(database: Sqlite): readonly Buffer[] {
    for (const pack of [...this.packs].sort()) {
      database.run('INSERT INTO pack VALUES (?)', [pack]);
    }
    for (const [number, thread] of this.threads.entries()) insertThread(database, number, thread);
    const numbers = this.insertDocuments(database);
    let offset = 0;
    for (const [number, block] of this.blocks.entries()) {
      database.run('INSERT INTO block VALUES (?, ?, ?)', [number, offset, block.length]);
      offset += block.length;
    }
    for (const term of [...this.terms.keys()].sort()) {
      const found = this.terms.get(term) ?? [];
      const renumbered = found.map((document) => numbers[document] ?? 0).sort((a, b) => a - b);
      database.run('INSERT INTO term VALUES (?, ?)', [term, encodeDocuments(renumbered)]);
    }
    return this.blocks;
  }

  /** Numbers documents by time; answers with each one's number. */
  private insertDocuments(database: Sqlite): readonly number[] {
    const order = [...this.documents.keys()].sort(
      (a, b) => (this.documents[a]?.at ?? 0) - (this.documents[b]?.at ?? 0) || a - b,
    );
    const numbers: number[] = [];
    for (const [number, at] of order.entries()) {
      const document = this.documents[at];
      if (!document) continue;
      numbers[at] = number;
      const { thread, block, first, count } = document;
      database.run('INSERT INTO document VALUES (?, ?, ?, ?, ?, ?)', [
        ...[number, thread, block, first, count, document.at],
      ]);
    }
    return numbers;
  }

  private note(term: string, document: number): void {
    const documents = this.terms.get(term);
    if (documents) documents.push(document);
    else this.terms.set(term, [document]);
  }

  private closeBlock(): void {
    if (this.rows.length === 0) return;
    this.blocks.push(deflateSync(JSON.stringify(this.rows)));
    this.rows = [];
    this.blockText = 0;
  }
}
