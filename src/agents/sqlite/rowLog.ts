import { createHash } from 'node:crypto';
import type { Cursor } from '../../core/model/records.js';
import type { ReadResult } from '../source.js';

/** One row of a conversation, as the record that is kept of it. */
export interface LogRow {
  /** Unique in the conversation. */
  readonly key: string;
  /** JSON. */
  readonly record: string;
}

export interface Conversation {
  /** Few rows that change often, such as the session's own. */
  readonly heads: readonly LogRow[];
  /** Rows in the order in which they were made: new ones come at the end. */
  readonly rows: readonly LogRow[];
}

/**
 * What a conversation in a database has gained since the cursor, as a log of row versions: a row that
 * changed is written again, and the last version of a row counts. So an answer that streams into its
 * row costs that row, not the conversation.
 *
 * The cursor knows the rows by hashes: single ones at the end, where most changes are, and of growing
 * runs before, so it stays small; a change further back brings its run again. When rows have gone, a
 * record `{"present": [keys]}` says which are left.
 */
export function logSince(
  path: string,
  { heads, rows }: Conversation,
  cursor: Cursor | undefined,
): ReadResult {
  const state = cursor?.state ?? {};
  const changedHeads = heads.filter(({ key, record }) => state[`head ${key}`] !== hashOf([record]));
  const known = Number(state['rows'] ?? 0);
  const sameKeys = keysHash(rows.slice(0, known)) === state['keys'] || known === 0;
  const changedRows = rows.filter(isChanged(rows, known, String(state['spans'] ?? '')));
  const present = sameKeys ? [] : [JSON.stringify({ present: rows.map(({ key }) => key) })];
  const records = [
    ...[...changedHeads, ...changedRows].map(({ record }) => record),
    ...present,
  ].map((record) => Buffer.from(record));
  return {
    records,
    cursor: {
      path,
      offset: 0,
      generation: cursor?.generation ?? 0,
      records: (cursor?.records ?? 0) + records.length,
      state: {
        ...Object.fromEntries(heads.map(({ key, record }) => [`head ${key}`, hashOf([record])])),
        rows: rows.length,
        keys: keysHash(rows),
        spans: spansOf(rows.length)
          .map((span) => spanHash(rows, span))
          .join(''),
      },
    },
    bytesRead: [...heads, ...rows].reduce((sum, { record }) => sum + record.length, 0),
    more: false,
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** So many rows at the end are told one by one; a run further back is 1/16 of what follows it. */
const single = 16;
const hashLength = 8;

/** Runs that cover `count` rows, in order; they follow from the count alone. */
function spansOf(count: number): readonly Span[] {
  const spans: Span[] = [];
  for (let to = count; to > 0;) {
    const size = Math.max(1, Math.floor((count - to) / single));
    const from = Math.max(0, to - size);
    spans.push({ from, to });
    to = from;
  }
  return spans.reverse();
}

function isChanged(rows: readonly LogRow[], known: number, hashes: string) {
  const same = spansOf(known).filter(
    (span, at) => spanHash(rows, span) === hashes.slice(at * hashLength, (at + 1) * hashLength),
  );
  const unchanged = new Set(same.flatMap(({ from, to }) => rows.slice(from, to)));
  return (row: LogRow): boolean => !unchanged.has(row);
}

const spanHash = (rows: readonly LogRow[], { from, to }: Span): string =>
  hashOf(rows.slice(from, to).map(({ record }) => record));

const keysHash = (rows: readonly LogRow[]): string => hashOf(rows.map(({ key }) => key));

function hashOf(texts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(text).update('\n');
  return hash.digest('base64').slice(0, hashLength);
}
