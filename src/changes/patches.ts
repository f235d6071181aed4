import { isExpected } from '../core/errors.js';
import type { GitResult, GitRunOptions } from './git.js';
import { complaintOf, runGit } from './git.js';

/** A larger patch is not kept. */
const maxPatchBytes = 32 * 1024 * 1024;
/** A command line holds only so many names. */
const maxExcluded = 100;

// Whatever a person's or the repository's configuration could change is given.
const diffArguments = [
  'diff',
  '--binary',
  '--full-index',
  '--no-color',
  '--no-ext-diff',
  '--no-textconv',
  '--no-relative',
  '--find-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--unified=3',
  '--inter-hunk-context=0',
  '--submodule=short',
  // A submodule's own changes are captured with that submodule, as a repository of its own.
  '--ignore-submodules=dirty',
  // No "* Unmerged path" lines, which no other program reads.
  '--diff-filter=u',
];

/** Which difference: what leads from HEAD to the index, or from there to the working tree. */
export type PatchKind = 'staged' | 'unstaged';

export interface PatchResult {
  /** For `git apply`; absent when nothing differs or it could not be had. */
  readonly patch?: Uint8Array | undefined;
  readonly problems: readonly string[];
}

/**
 * Takes one patch. Where it would be too large, the files of `largeFiles` are left out and named.
 *
 * @param head commit that the index is compared with; absent before the first one.
 * @param largeFiles paths below the root.
 */
export async function takePatch(
  root: string,
  kind: PatchKind,
  head: string | undefined,
  largeFiles: () => Promise<readonly string[]>,
  options: GitRunOptions,
): Promise<PatchResult> {
  // A path in conflict is compared with HEAD's own version: a combined diff cannot be applied.
  const side = kind === 'unstaged' ? ['--ours'] : ['--cached', ...(head ? [head] : [])];
  const run = (left: readonly string[]): Promise<GitResult> =>
    runGit(root, [...diffArguments, ...side, '--', ...left.map(excluded)], {
      ...options,
      maxBytes: maxPatchBytes,
    });
  try {
    const whole = await run([]);
    if (!whole.truncated) return outcome(whole, kind, []);
    const left = (await largeFiles()).slice(0, maxExcluded);
    return left.length === 0 ? tooLarge(kind) : outcome(await run(left), kind, left);
  } catch (error) {
    if (isExpected(error)) return { problems: [error.message] };
    throw error;
  }
}

const excluded = (path: string): string => `:(top,exclude,literal)${path}`;

function outcome(result: GitResult, kind: PatchKind, left: readonly string[]): PatchResult {
  if (result.truncated) return tooLarge(kind);
  if (result.code !== 0) {
    return { problems: [`The ${kind} changes could not be read: ${complaintOf(result)}`] };
  }
  return {
    patch: result.stdout.length === 0 ? undefined : result.stdout,
    problems: left.map((path) => `The ${kind} changes of ${path} are too large and were not kept.`),
  };
}

const tooLarge = (kind: PatchKind): PatchResult => ({
  problems: [`The ${kind} changes are larger than 32 MB and were not kept.`],
});
