import { z } from 'zod';
import type { Row, Sqlite } from '../sqlite.js';

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

  -- Documents: rows that lie together. Numbered by time, the oldest first.
  CREATE TABLE document (
    number INTEGER PRIMARY KEY,
    thread INTEGER NOT NULL,
    block INTEGER NOT NULL,
    first INTEGER NOT NULL, -- row in the block
    count INTEGER NOT NULL,
    at REAL NOT NULL -- milliseconds since the epoch, of the newest row
  ) STRICT;

  CREATE TABLE block (
    number INTEGER PRIMARY KEY,
    offset INTEGER NOT NULL, -- behind the database
    size INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE term (
    term TEXT PRIMARY KEY NOT NULL,
    documents BLOB NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

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
