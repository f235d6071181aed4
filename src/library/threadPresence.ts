import { stat } from 'node:fs/promises';
import type { Source } from '../agents/source.js';
import { threadId } from '../core/model/ids.js';

/**
 * Whether the agent still has a thread that the vault holds. One of another window's folder is not
 * found for this one, and is still there.
 *
 * @param path the file that it was last read from
 */
export async function isThere(source: Source, id: string, path: string): Promise<boolean> {
  try {
    const listed = await source.threadsIn?.(path);
    if (listed === undefined) return await exists(path);
    return listed.some(({ nativeId }) => threadId(source.agent, nativeId) === id);
  } catch {
    // A database that cannot be read right now has not lost anything.
    return exists(path);
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
