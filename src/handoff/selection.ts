import { ExpectedError } from '../core/errors.js';
import type { ExportChoice } from '../core/handoff.js';
import type { SessionSummary } from '../core/model/session.js';
import { snapshotSchema, type Snapshot, type ThreadPoint } from '../core/model/snapshot.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { SessionSource } from './source.js';

/** What of a session was chosen. */
export interface Selection {
  readonly session: SessionSummary;
  /** Oldest first. */
  readonly snapshots: readonly ChosenSnapshot[];
  /** Oldest first. */
  readonly threads: readonly ThreadSummary[];
  /** What of each thread, by id. */
  readonly wanted: ReadonlyMap<string, readonly Wanted[]>;
}

export interface ChosenSnapshot {
  /** As it lies in the vault. */
  readonly json: unknown;
  readonly snapshot: Snapshot;
}

/** A generation and how many of its records are wanted. */
export interface Wanted {
  readonly generation: number;
  readonly records: number;
}

/** @throws ExpectedError `sessionMissing`, `snapshotMissing`, `threadMissing`, `wrongOrder` */
export async function select(
  source: SessionSource,
  sessionId: string,
  choice: ExportChoice,
): Promise<Selection> {
  const session = source.session(sessionId);
  if (!session) {
    throw new ExpectedError('sessionMissing', 'There is no session {0} in this project.', [
      sessionId,
    ]);
  }
  const snapshots = await chosenSnapshots(source, sessionId, choice);
  const threads = chosenThreads(await source.threads(sessionId), choice.threads);
  const points = snapshots.flatMap(({ snapshot }) => snapshot.threads);
  const wanted = wantedRecords(threads, points, choice.to === undefined);
  return { session, snapshots, threads, wanted };
}

async function chosenSnapshots(
  source: SessionSource,
  sessionId: string,
  { from, to }: ExportChoice,
): Promise<readonly ChosenSnapshot[]> {
  const all = source.snapshots(sessionId).toReversed();
  const at = (id: string): number => {
    const found = all.findIndex((snapshot) => snapshot.id === id);
    if (found >= 0) return found;
    throw new ExpectedError('snapshotMissing', 'There is no snapshot {0} in this session.', [id]);
  };
  const first = from === undefined ? 0 : at(from);
  const last = to === undefined ? all.length - 1 : at(to);
  if (last < first && from !== undefined && to !== undefined) {
    throw new ExpectedError('wrongOrder', 'Snapshot {0} is newer than {1}.', [from, to], {
      next: 'Exchange the two.',
    });
  }
  const chosen: ChosenSnapshot[] = [];
  for (const { id } of all.slice(first, last + 1)) {
    const json = await source.snapshotJson(id);
    chosen.push({ json, snapshot: snapshotSchema.parse(json) });
  }
  return chosen;
}

function chosenThreads(
  all: readonly ThreadSummary[],
  asked: readonly string[] | undefined,
): readonly ThreadSummary[] {
  const order = all.toSorted(
    (a, b) => (a.firstAt ?? 0) - (b.firstAt ?? 0) || (a.id < b.id ? -1 : 1),
  );
  if (asked === undefined) return order;
  for (const id of asked) {
    if (all.some((thread) => thread.id === id)) continue;
    throw new ExpectedError('threadMissing', 'There is no conversation {0} in this session.', [id]);
  }
  const byId = new Map(all.map((thread) => [thread.id, thread]));
  const isChosen = (thread: ThreadSummary | undefined, depth = 0): boolean =>
    thread !== undefined &&
    depth < 100 &&
    (asked.includes(thread.id) || isChosen(byId.get(thread.parent ?? ''), depth + 1));
  return order.filter((thread) => isChosen(thread));
}

/** Which records of each thread are wanted: as of the points, and for a whole session as of now. */
function wantedRecords(
  threads: readonly ThreadSummary[],
  points: readonly ThreadPoint[],
  upToNow: boolean,
): ReadonlyMap<string, readonly Wanted[]> {
  const now = upToNow ? threads : [];
  const all = new Map<string, Map<number, number>>();
  for (const { id, generation, records } of [...points, ...now]) {
    const counts = all.get(id) ?? new Map<number, number>();
    counts.set(generation, Math.max(records, counts.get(generation) ?? 0));
    all.set(id, counts);
  }
  return new Map(
    threads.map(({ id }) => [
      id,
      [...(all.get(id) ?? new Map<number, number>())]
        .map(([generation, records]) => ({ generation, records }))
        .sort((a, b) => a.generation - b.generation),
    ]),
  );
}
