import type { SessionSummary, SnapshotReason } from './model/session.js';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;
const MONTH = 30 * DAY;

/** So many of a session's newest automatic snapshots stay, however close together. */
const NEWEST = 50;

/** What decides whether a snapshot stays. */
export interface KeptSnapshot {
  readonly id: string;
  /** Milliseconds since the epoch, as the wall clock said then. */
  readonly at: number;
  readonly reason: SnapshotReason;
  readonly label?: string | undefined;
}

/**
 * The snapshots of one session that are too many: automatic ones beyond the newest 50, of which the last in
 * each hour stays for a day, the last of each day for a month, then the last of each week. One that somebody
 * asked for or labelled always stays, and so does the newest.
 *
 * Ages are times of work: between two snapshots a day counts at most, and a clock that was set back not at all.
 * So neither a wrong clock nor a long holiday makes snapshots old, and nothing becomes too many by waiting.
 *
 * @param snapshots newest first, in the order of the vault's own clock
 * @returns ids
 */
export function tooMany(snapshots: readonly KeptSnapshot[]): ReadonlySet<string> {
  const dropped = new Set<string>();
  const taken = new Set<string>();
  let age = 0;
  let newer: KeptSnapshot | undefined;
  let automatic = 0;
  for (const snapshot of snapshots) {
    if (newer) age += Math.min(DAY, Math.max(0, newer.at - snapshot.at));
    newer = snapshot;
    if (wasAskedFor(snapshot)) continue;
    automatic += 1;
    const period = periodOf(snapshot.at, age);
    const isFirst = !taken.has(period);
    taken.add(period);
    if (automatic > NEWEST && !isFirst) dropped.add(snapshot.id);
  }
  const [newest] = snapshots;
  if (newest) dropped.delete(newest.id);
  return dropped;
}

const wasAskedFor = ({ reason, label }: KeptSnapshot): boolean =>
  reason === 'manual' || reason === 'capture' || label !== undefined;

/** Of each period one snapshot stays. Days lie within weeks and hours within days, so that the last of a week stays. */
function periodOf(at: number, age: number): string {
  const length = age < DAY ? HOUR : age < MONTH ? DAY : WEEK;
  return `${length} ${Math.floor(at / length)}`;
}

/** From this share of its quota on a vault is said to be nearly full. */
const NEARLY_FULL = 0.9;

/** How a vault stands to the size that a person set for it. */
export function quotaState(bytes: number, quota: number): 'fits' | 'nearlyFull' | 'full' {
  if (bytes >= quota) return 'full';
  return bytes >= NEARLY_FULL * quota ? 'nearlyFull' : 'fits';
}

/** Automatic backups that stay: the newest, and the last of each of so many days. */
const NEWEST_BACKUPS = 5;
const BACKUP_DAYS = 7;

/**
 * The backups that are too many, as places in the list.
 *
 * @param times when they were made, newest first in the order of their making, whatever the clock said
 */
export function oldBackups(times: readonly number[]): ReadonlySet<number> {
  const days = new Set<number>();
  const old = new Set<number>();
  for (const [place, at] of times.entries()) {
    const day = Math.floor(at / DAY);
    const isLastOfDay = !days.has(day) && days.size < BACKUP_DAYS;
    if (isLastOfDay) days.add(day);
    if (place >= NEWEST_BACKUPS && !isLastOfDay) old.add(place);
  }
  return old;
}

/**
 * Finished sessions that nobody has touched for so many days, oldest first: a person may want to let go of
 * them. Nothing removes them unasked.
 *
 * @param now milliseconds since the epoch
 */
export function sessionsToOffer(
  sessions: readonly SessionSummary[],
  days: number,
  now: number,
): readonly SessionSummary[] {
  return sessions
    .filter(
      ({ status, archived, updatedAt }) =>
        status === 'finished' && archived !== true && now - updatedAt > days * DAY,
    )
    .toSorted((a, b) => a.updatedAt - b.updatedAt);
}
