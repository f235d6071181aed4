import { markOf, type Origin } from '../core/model/origin.js';
import type { SessionEvent, SessionPatch, SessionStatus } from '../core/model/session.js';

/** A session as of the frames seen so far, in any order. */
export interface SessionState {
  readonly title: string;
  readonly goal: string;
  /** Absent while no event of the session was seen. */
  readonly status: SessionStatus | undefined;
  readonly tags: readonly string[];
  readonly deleted: boolean;
  readonly archived: boolean;
  readonly workspace: string | undefined;
  /** The mark of the first import, the file of the last one. */
  readonly origin: Origin | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly oldest: string;
  readonly newest: string;
  /** For each field that was set, the stamp of the frame that set it. */
  readonly stamps: Readonly<Record<string, string>>;
}

/**
 * Adds one event. Of two values of a field the one with the later stamp stays, of two workspaces the
 * earlier one; so the result is the same in any order, and adding an event twice changes nothing.
 */
export function addEvent(
  state: SessionState | undefined,
  event: SessionEvent,
  stamp: string,
): SessionState {
  const before = addMoment(state, event.at, stamp);
  const wins = (field: keyof SessionPatch): boolean => stamp >= (before.stamps[field] ?? '');
  const stamps: Record<string, string> = { ...before.stamps };
  const pick = <K extends keyof SessionPatch, T>(
    field: K,
    old: T,
  ): T | NonNullable<SessionPatch[K]> => {
    const value = event.set[field];
    if (value === undefined || !wins(field)) return old;
    stamps[field] = stamp;
    return value;
  };
  const ours = before.stamps['workspace'];
  const movesIn = event.workspace !== undefined && (ours === undefined || stamp < ours);
  if (movesIn) stamps['workspace'] = stamp;
  return {
    ...before,
    title: pick('title', before.title),
    goal: pick('goal', before.goal),
    status: pick('status', before.status ?? 'active'),
    tags: pick('tags', before.tags),
    deleted: pick('deleted', before.deleted),
    archived: pick('archived', before.archived),
    workspace: movesIn ? event.workspace : before.workspace,
    origin: event.origin ? addOrigin(before, event.origin, stamp, stamps) : before.origin,
    stamps,
  };
}

/** Who sent it is what was said first; what was sent is what came last. */
function addOrigin(
  { origin: before, stamps: was }: SessionState,
  origin: Origin,
  stamp: string,
  stamps: Record<string, string>,
): Origin {
  const { origin: last = '', mark: first } = was;
  const isLast = stamp >= last;
  const isFirst = first === undefined || stamp <= first;
  if (isLast) stamps['origin'] = stamp;
  if (isFirst) stamps['mark'] = stamp;
  if (before === undefined) return origin;
  return { ...(isLast ? origin : before), ...markOf(isFirst ? origin : before) };
}

/** Notes that something of the session (an event, a snapshot) happened at a time. */
export function addMoment(
  state: SessionState | undefined,
  at: number,
  stamp: string,
): SessionState {
  if (state === undefined) {
    return { ...unknownSession, createdAt: at, updatedAt: at, oldest: stamp, newest: stamp };
  }
  const older = stamp < state.oldest;
  const newer = stamp > state.newest;
  return {
    ...state,
    createdAt: older ? at : state.createdAt,
    oldest: older ? stamp : state.oldest,
    updatedAt: newer ? at : state.updatedAt,
    newest: newer ? stamp : state.newest,
  };
}

const unknownSession = {
  title: '',
  goal: '',
  status: undefined,
  tags: [],
  deleted: false,
  archived: false,
  workspace: undefined,
  origin: undefined,
  stamps: {},
} as const;
