import { ExpectedError } from '../../core/errors.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import type { Sessions } from '../sessions.js';

/**
 * A conversation of this project by its id.
 *
 * @throws ExpectedError `threadMissing`
 */
export async function findThread(sessions: Sessions, threadId: string): Promise<ThreadSummary> {
  const engine = await sessions.engine();
  const all = (await engine.listSessions()).toSorted((a, b) => b.updatedAt - a.updatedAt);
  for (const sessionId of [null, ...all.map(({ id }) => id)]) {
    const thread = (await engine.listThreads(sessionId)).find(({ id }) => id === threadId);
    if (thread) return thread;
  }
  throw new ExpectedError('threadMissing', 'There is no conversation {0} in this project.', [
    threadId,
  ]);
}
