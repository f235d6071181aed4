import { z } from 'zod';
import type { Row, Sqlite } from '../sqlite.js';
import type { TermPage } from './termPages.js';

/** Tables of an image's database. ANY: text that may hold what TEXT cannot, see toSql. */
export const imageSchema = `
  CREATE TABLE pack (name TEXT PRIMARY KEY NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE thread (
    number INTEGER PRIMARY KEY,
    id ANY NOT NULL,
    generation INTEGER NOT NULL,
    records INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    rows INTEGER NOT NULL,
    before TEXT NOT NULL,
    digest TEXT NOT NULL,
    title ANY,
    cwd ANY,
    branch ANY
  ) STRICT;

  -- One row.
  CREATE TABLE layout (
    documents BLOB NOT NULL, -- rows that lie together, the oldest first; see documents.ts
    blocks TEXT NOT NULL, -- JSON: the size of each, one behind the other, the first behind the database
    pages TEXT NOT NULL -- JSON: [first term, size] of each, behind the blocks
  ) STRICT;
`;

/** Where something lies in the file. */
export interface Place {
  readonly offset: number;
  readonly size: number;
}

export interface ImageLayout {
  /** See {@link encodeDocumentTable}. */
  readonly documents: Uint8Array;
  readonly blocks: readonly Place[];
  readonly pages: readonly (Place & { readonly first: string })[];
}

export const insertLayout = (
  database: Sqlite,
  documents: Uint8Array,
  blocks: readonly Uint8Array[],
  pages: readonly TermPage[],
): void =>
  database.run('INSERT INTO layout VALUES (?, ?, ?)', [
    documents,
    JSON.stringify(blocks.map(({ length }) => length)),
    JSON.stringify(pages.map(({ first, bytes }) => [first, bytes.length])),
  ]);

/** @param databaseBytes size of the database, behind which the rest lies */
export function readLayout(database: Sqlite, databaseBytes: number): ImageLayout {
  const found = database.first('SELECT * FROM layout', [], (row) => ({
    // A copy: what the row has is a part of the database's memory.
    documents: Uint8Array.from(row.bytes('documents')),
    blocks: row.json('blocks', z.array(z.int().nonnegative())),
    pages: row.json('pages', z.array(z.tuple([z.string(), z.int().nonnegative()]))),
  }));
  if (!found) throw new Error('It has no layout.');
  let offset = databaseBytes;
  const place = (size: number): Place => {
    const at = { offset, size };
    offset += size;
    return at;
  };
  return {
    documents: found.documents,
    blocks: found.blocks.map(place),
    pages: found.pages.map(([first, size]) => ({ first, ...place(size) })),
  };
}

/** Some rows of one conversation, as one image has them. */
export interface ImageThread {
  readonly id: string;
  readonly generation: number;
  /** Records that were read. */
  readonly records: number;
  /** The rows are those from this number on; those before it are in other images, or there are none. */
  readonly firstRow: number;
  /** Rows of all these records. */
  readonly rows: number;
  /** Digests of the rows before the first one and of all; '' of none. */
  readonly before: string;
  readonly digest: string;
  readonly title?: string | undefined;
  readonly cwd?: string | undefined;
  readonly branch?: string | undefined;
}

export const insertThread = (database: Sqlite, number: number, thread: ImageThread): void =>
  database.run('INSERT INTO thread VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)', [
    number,
    thread.id,
    thread.generation,
    thread.records,
    thread.firstRow,
    thread.rows,
    thread.before,
    thread.digest,
    thread.title,
    thread.cwd,
    thread.branch,
  ]);

export const readThreads = (database: Sqlite): ImageThread[] =>
  database.all('SELECT * FROM thread ORDER BY number', [], toThread);

const toThread = (row: Row): ImageThread => ({
  id: row.text('id'),
  generation: row.number('generation'),
  records: row.number('records'),
  firstRow: row.number('first_row'),
  rows: row.number('rows'),
  before: row.text('before'),
  digest: row.text('digest'),
  title: row.optionalText('title'),
  cwd: row.optionalText('cwd'),
  branch: row.optionalText('branch'),
});

/** The rows of a block. */
export const blockSchema = z.array(
  z.object({
    turn: z.number(),
    turnId: z.string(),
    part: z.number(),
    kind: z.enum(['prompt', 'answer', 'thinking', 'toolInput', 'toolResult', 'notice']),
    role: z.enum(['user', 'assistant', 'system']),
    at: z.number().optional(),
    tool: z.string().optional(),
    files: z.array(z.string()).optional(),
    text: z.string(),
  }),
);
