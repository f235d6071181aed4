import { basename } from 'node:path';
import type { FoundBy } from '../../core/apply/types.js';
import { gitText, type GitOptions } from '../git.js';
import { readRemote } from '../remote.js';
import { findRepositories, type FoundRepository } from '../repositories.js';

/** A repository of a session, as the file names it. */
export interface Wanted {
  readonly name: string;
  readonly remote?: string | undefined;
  readonly head?: string | undefined;
}

export interface Candidate extends FoundRepository {
  readonly remote: string | undefined;
}

export interface Match {
  readonly repository: Candidate;
  readonly by: FoundBy;
}

/** The readable repositories of folders that are trusted. */
export async function candidatesIn(
  folders: readonly string[],
  git: GitOptions,
): Promise<readonly Candidate[]> {
  if (folders.length === 0) return [];
  const found: Candidate[] = [];
  for (const repository of await findRepositories(folders, git)) {
    if (!('gitDir' in repository)) continue;
    found.push({ ...repository, remote: await readRemote(repository.root, git) });
  }
  return found;
}

export interface MatchOptions extends GitOptions {
  /** Oldest commit of the session's project. */
  readonly rootCommit?: string | undefined;
  /** What a remote is called, whatever way leads to it. */
  readonly nameOf: (remote: string) => string | undefined;
}

/**
 * The repository here that a session's one is a clone of: one that has the commit its changes lie on or its
 * history, the one with the same remote first; else by remote; else, as a guess, by name or as the only one.
 */
export async function matchRepository(
  wanted: Wanted,
  candidates: readonly Candidate[],
  { rootCommit, nameOf, ...git }: MatchOptions,
): Promise<Match | undefined> {
  const remote = wanted.remote === undefined ? undefined : nameOf(wanted.remote);
  const isSameRemote = (here: Candidate): boolean =>
    remote !== undefined && here.remote !== undefined && nameOf(here.remote) === remote;
  const isNamed = ({ root }: Candidate): boolean => basename(root) === wanted.name;
  const order = (here: Candidate): number => (isSameRemote(here) ? 0 : isNamed(here) ? 1 : 2);
  const sorted = candidates.toSorted((a, b) => order(a) - order(b));
  for (const [by, commit] of [
    ['commit', wanted.head],
    ['history', rootCommit],
  ] as const) {
    for (const repository of sorted) {
      if (commit !== undefined && (await hasCommit(repository.root, commit, git))) {
        return { repository, by };
      }
    }
  }
  const [first] = sorted;
  if (first === undefined) return undefined;
  if (isSameRemote(first)) return { repository: first, by: 'remote' };
  if (isNamed(first)) return { repository: first, by: 'name' };
  return candidates.length === 1 ? { repository: first, by: 'only' } : undefined;
}

/** Nothing of a session reaches git but a hash. */
export async function hasCommit(root: string, commit: string, git: GitOptions): Promise<boolean> {
  if (!isCommit(commit)) return false;
  return (await gitText(root, ['cat-file', '-e', `${commit}^{commit}`], git)) !== undefined;
}

export const isCommit = (commit: string): boolean => /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit);
