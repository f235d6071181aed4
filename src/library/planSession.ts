import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { fetchCommit, ownRemote } from '../changes/apply/fetchCommit.js';
import {
  candidatesIn,
  hasCommit,
  matchRepository,
  type Candidate,
  type Match,
} from '../changes/apply/match.js';
import { prepareChanges, type Prepared } from '../changes/apply/prepare.js';
import { gitText, type GitOptions } from '../changes/git.js';
import type { ApplyPlan, ApplyRequest, FetchRequest, RepositoryPlan } from '../core/apply/types.js';
import { ExpectedError, isExpected } from '../core/errors.js';
import type { RepositoryChanges } from '../core/model/changes.js';
import { uriPath } from '../core/restore/places.js';
import { remoteName } from '../vault/remoteName.js';
import type { Store } from './store.js';

export interface PlanContext {
  readonly store: Store;
  /** Absolute paths of the window's folders, which are trusted. */
  readonly folders: readonly string[];
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** A plan with what it takes to carry it out. To be closed. */
export interface PreparedPlan {
  readonly plan: ApplyPlan;
  readonly prepared: readonly Prepared[];
  close(): Promise<void>;
}

/** @throws ExpectedError `sessionMissing`, `snapshotMissing`, `noGit` */
export async function prepareSession(
  context: PlanContext,
  request: ApplyRequest,
): Promise<PreparedPlan> {
  const { store, folders, signal } = context;
  const { snapshotId, repositories } = await changesOf(store, request);
  const candidates = await candidatesIn(folders, { signal });
  const prepared: Prepared[] = [];
  const close = async (): Promise<void> => {
    for (const one of prepared) await one.close();
  };
  try {
    const plans: RepositoryPlan[] = [];
    for (const changes of repositories) {
      context.onProgress(plans.length, repositories.length);
      signal.throwIfAborted();
      const found = await place(context, changes, candidates, request);
      plans.push(await planOne(context, found, request, prepared));
    }
    const work = plans.filter(
      ({ changes, staged }) => changes.length + (request.staged === true ? staged.length : 0) > 0,
    );
    const isClear = plans.every(
      ({ state, conflicts }) =>
        conflicts.length === 0 && !['noFolder', 'noCommit', 'failed'].includes(state),
    );
    const { sessionId } = request;
    const token = tokenOf(plans, prepared);
    const state = !isClear ? 'blocked' : work.length > 0 ? 'ready' : 'nothing';
    return {
      plan: { sessionId, snapshotId, repositories: plans, state, token },
      prepared,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Fetches the commit that a plan misses, from this folder's own remote.
 *
 * @throws ExpectedError `fetchFailed`, `noRemote` and what {@link prepareSession} throws
 */
export async function fetchMissing(context: PlanContext, request: FetchRequest): Promise<void> {
  const { repositories } = await changesOf(context.store, request);
  const changes = repositories.find(({ root }) => root === request.root);
  const candidates = await candidatesIn(context.folders, { signal: context.signal });
  const found = changes && (await place(context, changes, candidates, request));
  const { state, folder, fetchFrom, head, branch } = found?.about ?? {};
  if (state !== 'noCommit' || folder === undefined || !fetchFrom || head === undefined) {
    throw new ExpectedError(
      'noRemote',
      'No remote of this folder leads to where it came from.',
      [],
      {
        next: 'Add the remote that the session names, and fetch from it.',
      },
    );
  }
  const git = { signal: context.signal };
  await fetchCommit(folder, { remote: fetchFrom.name, commit: head, branch }, git);
}

/** Snapshots of a session that are looked at for changes. */
const mostSnapshots = 100;

interface SessionChanges {
  readonly snapshotId?: string;
  readonly repositories: readonly RepositoryChanges[];
}

async function changesOf(
  store: Store,
  { sessionId, snapshotId }: Pick<ApplyRequest, 'sessionId' | 'snapshotId'>,
): Promise<SessionChanges> {
  if (store.index.session(sessionId) === undefined) {
    throw new ExpectedError('sessionMissing', 'There is no session {0} in this project.', [
      sessionId,
    ]);
  }
  // What was kept before a restore is what was here, not what the session is about.
  const ids =
    snapshotId === undefined
      ? store.index
          .snapshots(sessionId, mostSnapshots)
          .filter(({ reason }) => reason !== 'beforeRestore')
          .map(({ id }) => id)
      : [snapshotId];
  for (const id of ids) {
    const { snapshot, changes } = await store.readSnapshot(id);
    // Where the newest one has none, earlier ones were committed or thrown away since.
    if (changes) return { snapshotId: snapshot.id, repositories: changes.repositories };
  }
  return { repositories: [] };
}

const hasChanges = ({ files, untracked }: RepositoryChanges): boolean =>
  files.length + untracked.length > 0;

type About = Omit<RepositoryPlan, keyof typeof nothing>;

const nothing = { changes: [], conflicts: [], left: [], staged: [], notStaged: [] };

interface Found {
  readonly changes: RepositoryChanges;
  readonly about: About;
  readonly match?: Match | undefined;
}

/** Finds out where a repository of the session is here, and whether its commit is. */
async function place(
  { store, signal }: PlanContext,
  changes: RepositoryChanges,
  candidates: readonly Candidate[],
  { places, sessionId }: Pick<ApplyRequest, 'places' | 'sessionId'>,
): Promise<Found> {
  const { root, remote, branch, head } = changes;
  const name = uriPath(root).replace(/\/+$/, '').split('/').at(-1) ?? '';
  const base = { root, name, remote, branch, head, candidates: candidates.map((one) => one.root) };
  const chosen = places?.[root];
  if (chosen === null) return { changes, about: { ...base, state: 'leftOut' } };
  const git = { signal };
  const match =
    chosen === undefined
      ? await matchRepository({ name, remote, head }, candidates, {
          ...git,
          rootCommit: rootCommitOf(store, sessionId),
          nameOf: remoteName,
        })
      : chosenMatch(candidates, chosen);
  const isEmpty = !hasChanges(changes);
  if (match === undefined) {
    return { changes, about: { ...base, state: isEmpty ? 'empty' : 'noFolder' } };
  }
  const folder = match.repository.root;
  const found = { ...base, folder, foundBy: match.by };
  if (isEmpty) {
    const isBehind = await isMissingFrom(folder, head, git);
    return { changes, about: { ...found, state: 'empty', isBehind } };
  }
  if (head !== undefined && !(await hasCommit(folder, head, git))) {
    const fetchFrom = await ownRemote(folder, remote, remoteName, git);
    return { changes, match, about: { ...found, state: 'noCommit', fetchFrom } };
  }
  const isBehind = await isMissingFrom(folder, head, git);
  return { changes, match, about: { ...found, state: 'ready', isBehind } };
}

/** Out of the file that the session came in, or of this project. */
const rootCommitOf = (store: Store, sessionId: string): string | undefined =>
  store.index.origin(sessionId)?.rootCommit;

function chosenMatch(candidates: readonly Candidate[], folder: string): Match {
  const repository = candidates.find(({ root }) => root === folder);
  if (repository) return { repository, by: 'person' };
  throw new ExpectedError('notHere', '{0} is no repository of this window’s folders.', [folder], {
    next: 'Open its folder first.',
  });
}

/** Whether what is checked out here does not have a commit in its history. */
async function isMissingFrom(
  root: string,
  head: string | undefined,
  git: GitOptions,
): Promise<boolean> {
  if (head === undefined) return false;
  return (await gitText(root, ['merge-base', '--is-ancestor', head, 'HEAD'], git)) === undefined;
}

async function planOne(
  { store, signal }: PlanContext,
  { changes, about, match }: Found,
  { without = [], sensitive = false, markers = false, unsaved = [] }: ApplyRequest,
  prepared: Prepared[],
): Promise<RepositoryPlan> {
  if (about.state !== 'ready' || match === undefined) return { ...about, ...nothing };
  const isUnsaved = await unsavedFinder(unsaved);
  const choice = { without: new Set(without), sensitive, markers, isUnsaved };
  const readBlob = (hash: string): Promise<Uint8Array> => store.readBlob(hash);
  try {
    const one = await prepareChanges(match.repository, changes, { signal, choice, readBlob });
    prepared.push(one);
    const { changes: planned, conflicts, left } = one.plan;
    const { changes: staged, conflicts: notStaged } = one.staged;
    return { ...about, changes: planned, conflicts, left, staged, notStaged };
  } catch (error) {
    if (!isExpected(error)) throw error;
    return { ...about, ...nothing, state: 'failed', problem: error.message };
  }
}

/** An editor names a file as it was opened: by way of a link, or with a drive's letter in the other case. */
async function unsavedFinder(paths: readonly string[]): Promise<(path: string) => boolean> {
  const key = (path: string): string =>
    process.platform === 'win32' ? path.toLowerCase() : path.normalize('NFC');
  const real = await Promise.all(paths.map((path) => realpath(path).catch(() => path)));
  const unsaved = new Set([...paths, ...real].map(key));
  return (path) => unsaved.has(key(path));
}

/** The same only for the same plan over the same files. */
function tokenOf(plans: readonly RepositoryPlan[], prepared: readonly Prepared[]): string {
  const results = prepared.map(({ plan, staged }) => [
    plan.results,
    [...plan.ours],
    staged.results,
  ]);
  const places = plans.map(({ root, folder, state, conflicts, left }) => [
    root,
    folder,
    state,
    conflicts,
    left,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([places, results]))
    .digest('hex');
}
