import { ExpectedError, isExpected } from '../core/errors.js';
import type { ListedThread, Source } from './source.js';

export interface Chosen {
  readonly source: Source;
  readonly found: ListedThread;
  /** Conversations in the file. */
  readonly conversations: number;
}

/**
 * One conversation of a file that holds many: the one of that id, or the newest that is no subagent's.
 * Undefined when the file belongs to none of the sources.
 *
 * @throws ExpectedError `noThread` when the file has no such conversation, and as `DatabaseReader.ask`
 */
export async function chooseThread(
  path: string,
  sources: readonly Source[],
  id: string | undefined,
): Promise<Chosen | undefined> {
  for (const source of sources) {
    try {
      const threads = await source.threadsIn?.(path);
      if (threads === undefined) continue;
      return { source, found: choose(path, threads, id), conversations: threads.length };
    } catch (error) {
      if (!isExpected(error, 'formatNotKnown') || sources.length === 1) throw error;
    }
  }
  return undefined;
}

function choose(path: string, threads: readonly ListedThread[], id: string | undefined) {
  const newest = threads.toSorted((one, other) => other.modifiedAt - one.modifiedAt);
  const found =
    id === undefined
      ? (newest.find(({ parent }) => parent === undefined) ?? newest[0])
      : newest.find(({ nativeId }) => nativeId === id);
  if (found !== undefined) return found;
  if (id === undefined) throw new ExpectedError('noThread', '{0} holds no conversation.', [path]);
  const known = newest
    .slice(0, 10)
    .map(({ nativeId, title = '' }) => `${nativeId} ${title}`.trim());
  throw new ExpectedError('noThread', '{0} holds no conversation {1}.', [path, id], {
    next: `Use one of: ${known.join(', ')}.`,
  });
}
