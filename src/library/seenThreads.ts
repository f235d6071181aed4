import { stat } from 'node:fs/promises';
import type { FoundThread } from '../agents/source.js';
import type { Cursor } from '../core/model/records.js';

/** In a cursor's state, beside what its source keeps there. */
const stampKey = 'seen';
/** To be raised when a source gives more records of the same file. */
const version = 1;

const stampOf = ({ bytes, modifiedAt }: FoundThread): string => `${version} ${bytes} ${modifiedAt}`;

/**
 * Which threads are as they were when they were last read to their end. The vault's cursors say so for
 * an earlier window: a start opens no file that has not changed, nor asks a database for every
 * conversation again.
 */
export class SeenThreads {
  private readonly stamps = new Map<string, { readonly stamp: string; readonly isKept: boolean }>();

  /** @param cursor Where reading of the thread stopped */
  async has(id: string, found: FoundThread, cursor: Cursor | undefined): Promise<boolean> {
    const own = this.stamps.get(id);
    // What the vault held and does not any more was forgotten meanwhile, and may be taken in again.
    const isGone = own?.isKept === true && cursor === undefined;
    const known = isGone ? undefined : (own?.stamp ?? (await seenBefore(found, cursor)));
    if (known !== stampOf(found)) return false;
    this.note(id, found, cursor);
    return true;
  }

  note(id: string, found: FoundThread, cursor: Cursor | undefined): void {
    this.stamps.set(id, { stamp: stampOf(found), isKept: cursor !== undefined });
  }
}

/** A cursor that tells later windows that the thread was read to its end. */
export const readToEnd = (cursor: Cursor, found: FoundThread): Cursor => ({
  ...cursor,
  state: { ...cursor.state, [stampKey]: stampOf(found) },
});

/** Undefined when the file is another one than that of the cursor, or nothing is known. */
async function seenBefore(
  { path }: FoundThread,
  cursor: Cursor | undefined,
): Promise<string | undefined> {
  const seen = cursor?.state[stampKey];
  if (cursor?.path !== path || typeof seen !== 'string') return undefined;
  const { inode } = cursor.state;
  if (inode === undefined) return seen;
  const now = await stat(path, { bigint: true }).catch(() => undefined);
  return now?.ino.toString() === inode ? seen : undefined;
}
