import {
  sessionFields,
  type FieldDifference,
  type ImportRequest,
  type SessionField,
} from '../core/handoff.js';
import type { Origin } from '../core/model/origin.js';
import type { SessionPatch, SessionStatus, SessionSummary } from '../core/model/session.js';
import type { SessionEntry } from './schemas.js';

type Fields = Pick<SessionEntry, SessionField>;

export interface FieldMerge {
  /** What the sender changed and is taken over. */
  readonly set: SessionPatch;
  /** Changed here and by the sender, and as it is here for now. */
  readonly conflicts: readonly SessionField[];
  readonly differences: readonly FieldDifference[];
}

/**
 * Merges what a newer file says of a session with what is said of it here, by what the last file said. Tags of both
 * sides come together; of the rest, what both changed stays as it is here but for what `takeTheirs` says. What became empty
 * takes nothing's place.
 *
 * @param before absent: the session was never here
 */
export function mergeFields(
  entry: Fields,
  before: Pick<Origin['said'], SessionField> | undefined,
  now: SessionSummary | undefined,
  takeTheirs: ImportRequest['takeTheirs'],
): FieldMerge {
  const theirs = hereOf(entry);
  if (before === undefined || now === undefined) {
    return { set: theirs, conflicts: [], differences: [] };
  }
  const isTaken = (field: SessionField): boolean =>
    typeof takeTheirs === 'object' ? takeTheirs.includes(field) : takeTheirs === true;
  const old = hereOf(before);
  const set: Record<string, unknown> = {};
  const differences: FieldDifference[] = [];
  for (const field of sessionFields) {
    const [was, is, comes] = [old[field], now[field], theirs[field]];
    if (same(comes, was) || same(comes, is) || isEmptier(comes, is)) continue;
    if (field === 'tags') {
      const tags = mergeTags(old.tags, now.tags, theirs.tags);
      if (!same(tags, now.tags)) set[field] = tags;
    } else if (same(is, was) || isTaken(field)) {
      set[field] = comes;
    } else {
      differences.push({ field, here: String(is), theirs: String(comes) });
    }
  }
  return { set, conflicts: differences.map(({ field }) => field), differences };
}

function mergeTags(
  was: readonly string[],
  is: readonly string[],
  comes: readonly string[],
): string[] {
  const kept = is.filter((tag) => comes.includes(tag) || !was.includes(tag));
  const added = comes.filter((tag) => !was.includes(tag) && !is.includes(tag));
  return [...kept, ...added];
}

/** Nobody works here yet on what was active at the sender's; a window must not go on with it by itself. */
function hereOf({
  title,
  goal,
  status,
  tags,
}: {
  readonly title: string;
  readonly goal: string;
  readonly status: string;
  readonly tags: readonly string[];
}) {
  const here: SessionStatus = status === 'finished' ? 'finished' : 'paused';
  return { title, goal, status: here, tags: [...tags] };
}

const isEmptier = (comes: unknown, is: unknown): boolean => comes === '' && is !== '';

const same = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
