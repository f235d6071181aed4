import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fieldsOf, isString } from '../json.js';
import type { FoundThread } from '../source.js';
import { DatabaseList } from '../sqlite/list.js';
import { databases } from '../sqlite/reader.js';

const indexKey = 'chat.ChatSessionStore.index';

/** Ids that VS Code's own lists have, by database; undefined where there is no list that is known. */
export const createListing = (): DatabaseList<string> =>
  new DatabaseList(async (path) => {
    const { rows, stamp } = await databases.ask({
      path,
      needs: { ItemTable: ['key', 'value'] },
      selects: {
        index: {
          from: 'ItemTable',
          sql: 'SELECT value FROM ItemTable WHERE key = ?',
          parameters: [indexKey],
        },
      },
    });
    return { items: idsIn(rows['index']?.[0]?.['value']), stamp };
  });

function idsIn(value: unknown): readonly string[] | undefined {
  const text = value instanceof Uint8Array ? new TextDecoder().decode(value) : value;
  try {
    const index = isString(text) ? fieldsOf(JSON.parse(text)) : undefined;
    const entries = index?.['version'] === 1 ? fieldsOf(index['entries']) : undefined;
    return entries && Object.keys(entries);
  } catch {
    return undefined;
  }
}

/** VS Code keeps its list in memory and writes it now and then. */
const writtenWithinMs = 5 * 60 * 1000;

/**
 * Marks chats of one folder that VS Code's list leaves out: it holds 400 at most, and loses them when a
 * folder becomes part of a workspace. One that is newer than the list on disk may be listed in memory.
 */
export async function markUnlisted(
  store: string,
  threads: readonly FoundThread[],
  listing: DatabaseList<string>,
): Promise<readonly FoundThread[]> {
  if (threads.length === 0) return threads;
  const path = join(dirname(store), 'state.vscdb');
  try {
    const { mtimeMs } = await stat(path);
    const ids = await listing.of(path);
    if (ids === undefined) return threads;
    const listed = new Set(ids);
    return threads.map((thread) => {
      const isNewer = thread.modifiedAt > mtimeMs - writtenWithinMs;
      return isNewer || listed.has(thread.nativeId) ? thread : { ...thread, isUnlisted: true };
    });
  } catch {
    // Without its list, a chat is there all the same.
    return threads;
  }
}
