import type { SearchRow } from '../../core/search/rows.js';
import type { Covered } from '../../vault/search/coverage.js';
import type { ThreadFacts } from '../../vault/search/facts.js';
import type { Store } from '../store.js';
import type { Pause, RowsPiece } from './readRows.js';
import { readRows, RowDigest } from './readRows.js';

/** Rows of a conversation that no image holds. */
export interface NewRows extends RowsPiece {
  /** Number of the first of them in the conversation, and of the one behind the last. */
  readonly firstRow: number;
  readonly endRow: number;
  /** Digests of the rows before the first one, and of those up to the last. */
  readonly before: string;
  readonly digest: string;
}

/**
 * What a conversation has beyond what images hold of it. When that is not how it begins any more, because a tool
 * answered late or a branch was left, all of it is new.
 */
export async function* newRows(
  store: Store,
  thread: ThreadFacts,
  covered: Covered | undefined,
  pause: Pause,
): AsyncGenerator<NewRows, void, undefined> {
  const known = covered ?? { rows: 0, digest: '' };
  const digest = new RowDigest();
  let isKnown = known.rows === 0;
  for await (const piece of readRows(store, thread, pause)) {
    const rows: SearchRow[] = [];
    let firstRow = digest.rows;
    let before = digest.value;
    for (const row of piece.rows) {
      digest.push(row);
      if (isKnown) {
        rows.push(row);
      } else if (digest.rows === known.rows) {
        isKnown = digest.value === known.digest;
        if (!isKnown) break;
        firstRow = digest.rows;
        before = digest.value;
      }
    }
    const isOther = !isKnown && digest.rows >= known.rows;
    if (isOther) break;
    if (isKnown) {
      yield { ...piece, rows, firstRow, endRow: digest.rows, before, digest: digest.value };
    }
  }
  if (!isKnown) yield* newRows(store, thread, undefined, pause);
}
