import type { SessionSummary } from '../../core/model/session.js';

/** Sessions of one stretch of time, or those that are finished or archived. */
export type SessionGroup =
  | {
      readonly kind: 'day' | 'month';
      /** Local start of the day or month, in milliseconds. */
      readonly start: number;
      readonly sessions: readonly SessionSummary[];
    }
  | { readonly kind: 'finished' | 'archived'; readonly sessions: readonly SessionSummary[] };

export interface GroupedSessions {
  /** The window's own session. */
  readonly active?: SessionSummary | undefined;
  readonly groups: readonly SessionGroup[];
}

/** So many days back, today included, have a group each; older ones share a month's. */
const DAYS = 30;

/** The order of the list: the active session, then recent ones by day, then finished ones, then archived ones. */
export function groupSessions(
  sessions: readonly SessionSummary[],
  activeId: string | undefined,
  now: number,
): GroupedSessions {
  const newestFirst = sessions.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const active = newestFirst.find((session) => session.id === activeId);
  const others = newestFirst.filter((session) => session !== active);
  const archived = others.filter((session) => session.archived === true);
  const rest = others.filter((session) => session.archived !== true);
  const oldestDay = daysBefore(now, DAYS - 1);

  const times = new Map<number, SessionSummary[]>();
  for (const session of rest.filter(({ status }) => status !== 'finished')) {
    const day = startOfDay(session.updatedAt);
    const start = day >= oldestDay ? day : startOfMonth(day);
    const group = times.get(start);
    if (group) group.push(session);
    else times.set(start, [session]);
  }
  const groups: SessionGroup[] = [...times].map(([start, members]) => ({
    kind: start >= oldestDay ? 'day' : 'month',
    start,
    sessions: members,
  }));
  const finished = rest.filter(({ status }) => status === 'finished');
  if (finished.length > 0) groups.push({ kind: 'finished', sessions: finished });
  if (archived.length > 0) groups.push({ kind: 'archived', sessions: archived });
  return { active, groups };
}

export function startOfDay(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

export function daysBefore(at: number, days: number): number {
  const date = new Date(startOfDay(at));
  // Not a multiple of 24 hours: days of a clock change are shorter or longer.
  date.setDate(date.getDate() - days);
  return date.getTime();
}

function startOfMonth(at: number): number {
  const date = new Date(startOfDay(at));
  date.setDate(1);
  return date.getTime();
}
