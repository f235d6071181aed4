import type { GitOptions } from './git.js';
import { gitText } from './git.js';
import { readRemote } from './remote.js';
import { repositoryOf } from './repositories.js';

/** What a project is called beyond its path, as far as git knows. */
export interface GitIdentity {
  /** Absolute path of the working tree around the folder, links resolved. */
  readonly root?: string | undefined;
  /** Oldest commit without a parent; absent before the first commit and in a shallow clone, which lacks it. */
  readonly rootCommit?: string | undefined;
  /** Address of `origin` or the first remote, without credentials: tells forks apart. */
  readonly remote?: string | undefined;
}

export interface IdentityOptions extends GitOptions {
  /** Root commits that this folder was seen with: one that is still there is found without a walk. */
  readonly knownRoots?: readonly string[];
}

/** Walking a long history takes seconds (a million commits: about ten); the answer never changes. */
const walkTimeoutMs = 120_000;

/**
 * Reads a folder's identity; empty without a readable repository.
 *
 * @throws ExpectedError `gitTimeout`: an identity that is sometimes another one would be worse than none.
 */
export async function gitIdentity(
  folder: string,
  { knownRoots = [], ...options }: IdentityOptions = {},
): Promise<GitIdentity> {
  const repository = await repositoryOf(folder, options);
  if (repository === undefined || !('gitDir' in repository)) return {};
  const { root } = repository;
  return {
    root,
    rootCommit:
      (await firstThere(root, knownRoots, options)) ?? (await readRootCommit(root, options)),
    remote: await readRemote(root, options),
  };
}

async function firstThere(
  root: string,
  commits: readonly string[],
  options: GitOptions,
): Promise<string | undefined> {
  for (const commit of commits) {
    const args = ['--no-replace-objects', 'cat-file', '-e', `${commit}^{commit}`];
    if ((await gitText(root, args, options)) !== undefined) return commit;
  }
  return undefined;
}

async function readRootCommit(root: string, options: GitOptions): Promise<string | undefined> {
  const shallow = await gitText(root, ['rev-parse', '--is-shallow-repository'], options);
  if (shallow !== 'false') return undefined;
  // A replaced commit is local to one clone and must not change who the project is.
  const args = ['--no-replace-objects', 'rev-list', '--max-parents=0', 'HEAD'];
  const commits = await gitText(root, args, { ...options, timeoutMs: walkTimeoutMs });
  return commits?.split('\n').at(-1);
}
