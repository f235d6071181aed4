import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { CommanderError } from 'commander';
import { fileUri } from '../changes/fileUri.js';
import {
  unresolvedIn,
  type ApplyPlan,
  type ApplyReport,
  type ApplyRequest,
} from '../core/apply/types.js';
import type { Capture, Engine, Problem } from '../core/engine.js';
import { ExpectedError } from '../core/errors.js';
import type { SnapshotSummary } from '../core/model/session.js';
import type { ApplyCall, ApplyOptions } from './applyCommands.js';
import { describeApply, describeUndo } from './applyWords.js';
import { exitCode } from './failure.js';
import { existingFolder } from './existingFolder.js';
import { withFolders } from './folderEngine.js';
import { findById } from './sessionCommands.js';
import type { Settings } from './settings.js';

/** `session apply`. */
export async function applySession(id: string, call: ApplyCall, settings: Settings): Promise<void> {
  const folder = existingFolder(call.folder);
  await withFolders([folder, ...mappedFolders(call)], settings, async (engine, problems) => {
    const session = findById(await engine.listSessions(), id);
    const snapshots = call.snapshot === undefined ? [] : await engine.listSnapshots(session.id);
    const snapshotId = call.snapshot && oneSnapshot(snapshots, call.snapshot).id;
    const request = { sessionId: session.id, snapshotId };
    const report = await applyWith(engine, folder, call, request, settings);
    settings.output.problems(problems);
    sayApply(report, call, problems, settings);
  });
}

export interface ApplyOutcome extends ApplyReport {
  readonly applied: boolean;
  /** Paths of the files with conflict markers, or those that would have them. */
  readonly unresolved: readonly string[];
}

/** Makes the plan, fetches what it lacks where that is allowed, and carries it out unless it is only asked for. */
export async function applyWith(
  engine: Engine,
  folder: string,
  call: ApplyOptions & { readonly dryRun?: boolean },
  about: Pick<ApplyRequest, 'sessionId' | 'snapshotId'>,
  { version }: Settings,
): Promise<ApplyOutcome> {
  const { without, sensitive, staged, merge: markers, dryRun = false } = call;
  const base = { ...about, without, sensitive, staged, markers };
  const first = await engine.planApply(base);
  const places = placesOf(first, call);
  const request = { ...base, places };
  let plan = places === undefined ? first : await engine.planApply(request);
  if (call.fetch === true && !dryRun) {
    for (const { root, state, fetchFrom } of plan.repositories) {
      if (state === 'noCommit' && fetchFrom) await engine.fetchCommit({ ...request, root });
    }
    plan = await engine.planApply(request);
  }
  const unresolved = unresolvedIn(plan);
  if (dryRun || plan.state !== 'ready') return { plan, applied: false, unresolved };
  const keepIn = await sessionToKeepIn(engine, folder);
  const label = 'Before applying changes';
  const { token: expect } = plan;
  const report = await engine.applyChanges(
    { ...request, expect, keepIn, label },
    captureOf(folder, version),
  );
  return { ...report, applied: report.undo !== undefined, unresolved };
}

/** What was done or would be; the exit code says whether it could be. */
function sayApply(
  outcome: ApplyOutcome,
  call: ApplyCall,
  problems: readonly Problem[],
  { output }: Settings,
): void {
  output.result({ ...outcome, problems }, () => describeApply(outcome, call));
  markExit(outcome);
}

/** A script must never take for done what was not written, or what a person has to choose yet. */
export function markExit({ plan, applied, unresolved }: ApplyOutcome): void {
  if (plan.state === 'blocked') process.exitCode = exitCode.error;
  else if (applied && unresolved.length > 0) process.exitCode = exitCode.unresolved;
}

/** `session unapply`. */
export async function unapply(
  id: string,
  call: { readonly folder?: string },
  settings: Settings,
): Promise<void> {
  const folder = existingFolder(call.folder);
  await withFolders([folder], settings, async (engine, problems) => {
    const all: SnapshotSummary[] = [];
    for (const session of await engine.listSessions()) {
      all.push(...(await engine.listSnapshots(session.id)));
    }
    const report = await engine.undoApply(oneSnapshot(all, id).id);
    settings.output.problems(problems);
    settings.output.result(report, () => describeUndo(report));
  });
}

/** The folder's active session, as `capture` continues it, or a new one. */
async function sessionToKeepIn(engine: Engine, folder: string): Promise<string> {
  const uri = fileUri(folder);
  const active = (await engine.listSessions()).find(
    ({ workspace, status, origin }) => workspace === uri && status === 'active' && !origin,
  );
  return active?.id ?? (await engine.createSession({ status: 'active' })).id;
}

const captureOf = (folder: string, version: string): Capture => ({
  drafts: [],
  environment: {
    keepthread: version,
    os: process.platform,
    arch: process.arch,
    node: process.versions.node,
    folders: [{ name: basename(folder), uri: fileUri(folder) }],
    agents: {},
  },
});

function placesOf(plan: ApplyPlan, { map }: ApplyOptions): ApplyRequest['places'] {
  if (map === undefined) return undefined;
  return Object.fromEntries(
    map.map((entry) => {
      const [name, folder] = splitMap(entry);
      const roots = plan.repositories.filter((one) => one.name === name || one.root === name);
      const [repository] = roots;
      if (repository && roots.length === 1) return [repository.root, folder];
      const names = plan.repositories.map((one) => one.name).join(', ');
      throw new ExpectedError('repositoryMissing', 'The session has no repository {0}.', [name], {
        next: `It has: ${names}.`,
      });
    }),
  );
}

/** `null`: to be left out. */
function splitMap(entry: string): readonly [string, string | null] {
  const at = entry.lastIndexOf('=');
  const folder = entry.slice(at + 1);
  if (at < 1 || folder === '') {
    throw new CommanderError(
      2,
      'keepthread.apply',
      '--map is NAME=DIR, or NAME=- to leave one out.',
    );
  }
  return [entry.slice(0, at), folder === '-' ? null : realpathSync(existingFolder(folder))];
}

function oneSnapshot(all: readonly SnapshotSummary[], start: string): SnapshotSummary {
  const [first, ...others] = all.filter(({ id }) => id.startsWith(start));
  const next = 'Run "keepthread session show ID" to see the ids.';
  if (!first) {
    throw new ExpectedError('snapshotMissing', 'There is no snapshot {0}.', [start], { next });
  }
  if (others.length === 0) return first;
  const count = others.length + 1;
  throw new ExpectedError('ambiguous', `{0} of them begin with {1}.`, [count, start], { next });
}

/** The folders that `--map` names. */
export const mappedFolders = ({ map = [] }: ApplyOptions): readonly string[] =>
  map.flatMap((entry) => splitMap(entry)[1] ?? []);
