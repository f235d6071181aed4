import type { ThreadSummary } from '../core/model/thread.js';
import type { SessionIndex } from '../vault/sessionIndex.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What was going on when Keepthread first looked belongs to the first session; older work does not. */
const RECENT_MS = 7 * DAY_MS;

/**
 * The threads that join a session at a save: those that got records while this window was open. When
 * they include a store's whole past, only what is recent joins, or the newest thread if nothing is;
 * the rest stays listed as belonging to no session.
 */
export function threadsToJoin(
  index: Pick<SessionIndex, 'threads' | 'thread'>,
  sessionId: string,
  touched: ReadonlySet<string>,
  now = Date.now(),
): readonly string[] {
  const own = new Set(index.threads(sessionId).map((thread) => thread.id));
  const candidates = [...touched]
    .filter((id) => !own.has(id))
    .map((id) => index.thread(id))
    .filter(
      (thread): thread is ThreadSummary => thread?.parent === undefined && thread !== undefined,
    );
  const recent = candidates.filter((thread) => (thread.lastAt ?? 0) >= now - RECENT_MS);
  if (recent.length > 0 || own.size > 0) return recent.map((thread) => thread.id);
  const newest = candidates.reduce<ThreadSummary | undefined>(
    (best, thread) => ((thread.lastAt ?? 0) > (best?.lastAt ?? -1) ? thread : best),
    undefined,
  );
  return newest ? [newest.id] : [];
}
