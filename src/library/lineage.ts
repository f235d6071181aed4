import { threadId } from '../core/model/ids.js';
import type { Continuation } from '../core/model/continuation.js';
import type { Store } from './store.js';

/**
 * Notes where a new thread goes on from, with the report of its conversion, and puts it into the sessions that the
 * earlier one is in. A brief has no thread yet, and one that goes on where it is has nothing new.
 */
export async function noteLineage(
  store: Store,
  from: string,
  {
    agent,
    sessionId,
    report,
    prompts,
  }: Pick<Continuation, 'agent' | 'sessionId' | 'report' | 'prompts'>,
): Promise<void> {
  if (sessionId === null) return;
  const thread = threadId(agent, sessionId);
  if (thread === from) return;
  const at = Date.now();
  const continues = { thread: from, prompts, report };
  await store.appendThreadEvent({ schemaVersion: 1, thread, at, state: 'live', continues });
  for (const session of store.index.sessionsOf(from)) {
    const joins = [thread];
    await store.appendSession({ schemaVersion: 1, sessionId: session, at, joins, set: {} });
  }
}
