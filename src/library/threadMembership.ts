import type { SessionEvent, SessionSummary } from '../core/model/session.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { SessionIndex } from '../vault/sessionIndex.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What was going on when Keepthread first looked belongs to the first session; older work does not. */
const RECENT_MS = 7 * DAY_MS;

const TITLE_LENGTH = 80;

type Threads = Pick<SessionIndex, 'threads' | 'thread'>;

/**
 * What a save says of its session first: the threads that join it, and a title, taken from its first
 * conversation, while nobody has given it one. Undefined when there is nothing to say.
 */
export function eventBeforeSave(
  session: SessionSummary,
  index: Threads,
  touched: ReadonlySet<string>,
  now = Date.now(),
): SessionEvent | undefined {
  const joins = threadsToJoin(index, session.id, touched, now);
  const title = session.title === '' ? titleOf(joins[0] ?? index.threads(session.id)[0]) : '';
  if (joins.length === 0 && title === '') return undefined;
  return {
    schemaVersion: 1,
    sessionId: session.id,
    at: now,
    joins: joins.map(({ id }) => id),
    set: title === '' ? {} : { title },
  };
}

const titleOf = (thread: ThreadSummary | undefined): string =>
  (thread?.title ?? '').replace(/\s+/g, ' ').trim().slice(0, TITLE_LENGTH);

/**
 * The threads that join a session at a save: those that got records while this window was open. When
 * they include a store's whole past, only what is recent joins, or the newest thread if nothing is;
 * the rest stays listed as belonging to no session.
 */
function threadsToJoin(
  index: Threads,
  sessionId: string,
  touched: ReadonlySet<string>,
  now: number,
): readonly ThreadSummary[] {
  const own = new Set(index.threads(sessionId).map((thread) => thread.id));
  const candidates = [...touched]
    .filter((id) => !own.has(id))
    .map((id) => index.thread(id))
    .filter(
      (thread): thread is ThreadSummary => thread?.parent === undefined && thread !== undefined,
    );
  const recent = candidates.filter((thread) => (thread.lastAt ?? 0) >= now - RECENT_MS);
  if (recent.length > 0 || own.size > 0) return recent;
  const newest = candidates.reduce<ThreadSummary | undefined>(
    (best, thread) => ((thread.lastAt ?? 0) > (best?.lastAt ?? -1) ? thread : best),
    undefined,
  );
  return newest ? [newest] : [];
}
