import { clockTime } from '../core/clock.js';
import { threadEventSchema } from '../core/model/records.js';
import { sessionEventSchema } from '../core/model/session.js';
import { tooMany } from '../core/retention.js';
import { batchThread } from './batch.js';
import type { ProjectView } from './openView.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

/** What of a vault is still needed. */
export interface Needed {
  has(frame: Frame): boolean;
  /** Snapshots that are not: of deleted sessions, and automatic ones that are too many. */
  readonly deadSnapshots: number;
  /** Sessions that were deleted long enough ago. */
  readonly deadSessions: ReadonlySet<string>;
}

/**
 * Finds out what is needed. Not needed is: what happened to a session that was deleted before a time; automatic
 * snapshots that are too many (see `tooMany`); content that no other snapshot names; the records of threads that
 * were forgotten. That a session was deleted is needed for ever: an old copy of its snapshots may turn up.
 *
 * Conversations stay when their sessions go: the agent may have deleted its own file. Content of the last while
 * is needed: a snapshot that names it may be on its way. That is told by the vault's own clock, so that no jump of
 * the wall clock makes it old.
 *
 * @param deletedBefore milliseconds since the epoch
 * @param inFlightMs how long a save may take
 */
export async function findNeeded(
  view: ProjectView,
  deletedBefore: number,
  inFlightMs: number,
): Promise<Needed> {
  const { index } = view;
  const youngFrom = clockTime(index.newestClock() ?? 0n) - inFlightMs;
  const deadSessions = new Set(
    [...index.deletedSessions()]
      .filter(([, clock]) => clockTime(clock) < deletedBefore)
      .map(([id]) => id),
  );
  const { live, dead } = sortSnapshots(view, deadSessions);
  const blobs = await namedBy(view, live);
  const forgotten = index.forgottenThreads();
  return {
    deadSessions,
    deadSnapshots: dead.size,
    has(frame) {
      switch (frame.type) {
        case FrameType.session:
          return (
            frame.sessionId === undefined || !deadSessions.has(frame.sessionId) || deletes(frame)
          );
        case FrameType.snapshot:
          return !dead.has(snapshotId(frame) ?? '');
        case FrameType.records:
          return !forgotten.has(batchThread(frame.payload) ?? '');
        case FrameType.blob:
          return blobs.has(frame.hash) || clockTime(frame.clock) > youngFrom;
        case FrameType.thread:
          return forgets(frame) || !forgotten.has(threadOf(frame) ?? '');
        default:
          return true;
      }
    },
  };
}

function sortSnapshots(
  { index }: ProjectView,
  deadSessions: ReadonlySet<string>,
): { readonly live: ReadonlySet<string>; readonly dead: ReadonlySet<string> } {
  const live = new Set<string>();
  const dead = new Set<string>();
  for (const session of index.sessionIds()) {
    const snapshots = index.snapshots(session);
    const gone = deadSessions.has(session)
      ? new Set(snapshots.map(({ id }) => id))
      : tooMany(snapshots);
    for (const { id } of snapshots) (gone.has(id) ? dead : live).add(id);
  }
  return { live, dead };
}

/** Hashes of all content that snapshots name, and that this content names. Rather too many than too few. */
export async function namedBy(
  { vault, index }: ProjectView,
  snapshots: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const id of snapshots) {
    const ref = index.snapshotRef(id);
    if (!ref) continue;
    for (const part of hashesIn((await vault.readFrame(ref)).payload)) {
      if (named.has(part)) continue;
      named.add(part);
      const blob = index.blobRef(part);
      if (!blob) continue;
      for (const hash of hashesIn((await vault.readFrame(blob)).payload)) named.add(hash);
    }
  }
  return named;
}

/** Every string in JSON that may be a SHA-256. */
export const hashesIn = (payload: Uint8Array): readonly string[] =>
  [...new TextDecoder().decode(payload).matchAll(/"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash);

/** Undefined for what is no JSON. */
export const jsonOf = (payload: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return undefined;
  }
};

/** Whether the frame says that a session was deleted, or brought back. */
export function deletes(frame: Frame): boolean {
  if (frame.type !== FrameType.session) return false;
  const event = sessionEventSchema.safeParse(jsonOf(frame.payload));
  return !event.success || event.data.set.deleted !== undefined;
}

function snapshotId(frame: Frame): string | undefined {
  const value = jsonOf(frame.payload);
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined;
  return typeof value.id === 'string' ? value.id : undefined;
}

export const threadOf = (frame: Frame): string | undefined =>
  threadEventSchema.safeParse(jsonOf(frame.payload)).data?.thread;

export const forgets = (frame: Frame): boolean =>
  threadEventSchema.safeParse(jsonOf(frame.payload)).data?.state === 'forgotten';
