import type { Capture, SaveRequest, SaveResult } from '../core/engine.js';
import type { Changes } from '../core/model/changes.js';
import type { Draft, Editors, Tab } from '../core/model/editors.js';
import { newId } from '../core/model/ids.js';
import type { SnapshotDelta } from '../core/model/session.js';
import type { Snapshot, ThreadPoint } from '../core/model/snapshot.js';
import type { ThreadSummary } from '../core/model/thread.js';
import type { Environment } from '../core/model/workbench.js';

/** What a snapshot is made of once everything was read and every text lies in the vault. */
export interface SnapshotParts {
  readonly editors: Editors | undefined;
  readonly workbench: Capture['workbench'];
  readonly changes: Changes | undefined;
  readonly environment: Environment;
}

export interface SnapshotInput {
  readonly request: SaveRequest;
  readonly at: number;
  readonly parts: SnapshotParts;
  /** Hashes of the parts' JSON in the vault. */
  readonly hashes: Snapshot['parts'];
  readonly threads: readonly ThreadSummary[];
  /** The session's newest snapshot and its editors and changes. */
  readonly before:
    | {
        readonly snapshot: Snapshot;
        readonly editors: Editors | undefined;
        readonly changes: Changes | undefined;
      }
    | undefined;
}

/** The snapshot to store, or undefined when it would equal the one before and nobody asked for it. */
export function composeSnapshot(input: SnapshotInput): Snapshot | undefined {
  const { request, hashes, parts, before } = input;
  const threads = input.threads.map(({ id, generation, records }) => ({ id, generation, records }));
  const asked = request.reason === 'manual' || request.label !== undefined;
  if (before && !asked && sameState(before.snapshot, hashes, threads)) return undefined;
  const tabs = tabsOf(parts.editors);
  const changed = changedPaths(parts.changes);
  return {
    schemaVersion: 1,
    id: newId(),
    sessionId: request.sessionId,
    at: input.at,
    reason: request.reason,
    label: request.label,
    parts: hashes,
    threads,
    summary: {
      tabs: tabs.length,
      changes: changed.length,
      turns: turnsOf(input.threads),
      branch: parts.changes?.repositories[0]?.branch,
      delta: before && delta(input, before),
    },
  };
}

/** The result for a save that stored nothing. */
export const unchanged = (sessionId: string, snapshotId: string): SaveResult => ({
  sessionId,
  snapshotId,
  stored: false,
  problems: [],
});

export function tabsOf(editors: Editors | undefined): readonly Tab[] {
  return editors?.groups.flatMap((group) => group.tabs) ?? [];
}

/** Paths that differ from HEAD, below the URI of their repository. */
export function changedPaths(changes: Changes | undefined): readonly string[] {
  return (changes?.repositories ?? []).flatMap((repository) =>
    [...repository.files, ...repository.untracked].map((file) => `${repository.root}/${file.path}`),
  );
}

/** Drafts with their texts named by hash instead of carried. */
export const withDrafts = (
  editors: Capture['editors'],
  drafts: readonly Draft[],
): Editors | undefined => editors && { ...editors, drafts: [...drafts] };

function sameState(
  before: Snapshot,
  hashes: Snapshot['parts'],
  threads: readonly ThreadPoint[],
): boolean {
  const { editors, workbench, changes, environment } = before.parts;
  return (
    editors === hashes.editors &&
    workbench === hashes.workbench &&
    changes === hashes.changes &&
    environment === hashes.environment &&
    samePoints(before.threads, threads)
  );
}

function samePoints(before: readonly ThreadPoint[], now: readonly ThreadPoint[]): boolean {
  if (before.length !== now.length) return false;
  const points = new Map(before.map((point) => [point.id, point]));
  return now.every(({ id, generation, records }) => {
    const point = points.get(id);
    return point?.generation === generation && point.records === records;
  });
}

function delta(input: SnapshotInput, before: NonNullable<SnapshotInput['before']>): SnapshotDelta {
  const tabs = (editors: Editors | undefined): Set<string> => new Set(tabsOf(editors).map(tabKey));
  const was = tabs(before.editors);
  const is = tabs(input.parts.editors);
  return {
    tabsOpened: countMissing(is, was),
    tabsClosed: countMissing(was, is),
    filesChanged: filesChanged(before.changes, input.parts.changes),
    turnsAdded: Math.max(0, turnsOf(input.threads) - before.snapshot.summary.turns),
  };
}

const turnsOf = (threads: readonly ThreadSummary[]): number =>
  // What came along from another thread counts there.
  threads.reduce(
    (sum, { turns, continues }) => sum + Math.max(0, turns - (continues?.prompts ?? 0)),
    0,
  );

function tabKey(tab: Tab): string {
  switch (tab.kind) {
    case 'text':
    case 'notebook':
    case 'custom':
      return `${tab.kind} ${tab.place.uri}`;
    case 'diff':
    case 'notebookDiff':
      return `${tab.kind} ${tab.original.uri} ${tab.modified.uri}`;
    default:
      return `${tab.kind} ${tab.label}`;
  }
}

/** How many of `of` are not in `others`. */
const countMissing = (of: ReadonlySet<string>, others: ReadonlySet<string>): number =>
  [...of].filter((item) => !others.has(item)).length;

/** Files by path, with what is known of their state. */
function fileStates(changes: Changes | undefined): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  for (const { root, files, untracked } of changes?.repositories ?? []) {
    for (const file of files) states.set(`${root}/${file.path}`, file.status);
    for (const file of untracked) states.set(`${root}/${file.path}`, file.content ?? '?');
  }
  return states;
}

/** At least one when only the text of a file that had changed before has changed again. */
function filesChanged(before: Changes | undefined, now: Changes | undefined): number {
  const was = fileStates(before);
  const is = fileStates(now);
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  const differing = paths.filter((path) => was.get(path) !== is.get(path)).length;
  return differing === 0 && patches(before) !== patches(now) ? 1 : differing;
}

const patches = (changes: Changes | undefined): string =>
  JSON.stringify(changes?.repositories.map(({ staged, unstaged }) => [staged, unstaged]) ?? []);
