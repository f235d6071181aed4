import { resolve } from 'node:path';
import { isExpected } from '../core/errors.js';
import type { ChangedFile, Changes, RepositoryChanges } from '../core/model/changes.js';
import { keepConverted } from './converted.js';
import { fileUri } from './fileUri.js';
import type { GitRunOptions } from './git.js';
import { complaintOf, runGit } from './git.js';
import { withIndexCopy } from './indexCopy.js';
import type { PatchKind } from './patches.js';
import { takePatch } from './patches.js';
import { readRemote } from './remote.js';
import type { FoundRepository } from './repositories.js';
import { findRepositories } from './repositories.js';
import type { Status } from './status.js';
import { parseStatus } from './status.js';
import type { KeepLimits } from './untracked.js';
import { keepFiles } from './untracked.js';
import { pathBelow, statOf } from './wholeFile.js';

export interface CaptureOptions extends KeepLimits {
  /** Absolute path of git; else the one on the PATH. */
  readonly gitPath?: string | undefined;
}

/** More untracked files than this are counted, not named. */
const maxNames = 10_000;

const statusArguments = [
  'status',
  '--porcelain=v2',
  '-z',
  '--branch',
  '--no-ahead-behind',
  '--find-renames',
  '--untracked-files=all',
  '--ignored=no',
  '--ignore-submodules=dirty',
];

/**
 * Captures what differs from HEAD in the repositories of folders: patches and untracked files as
 * blobs, the rest by name. Writes nothing into a repository. What cannot be taken is said in its
 * `problems`; without git, so is that.
 *
 * Git's clean filters (Git LFS and the like) run as in any `git status`: only call this for folders
 * that the person trusts.
 *
 * @param folders absolute paths.
 * @throws the signal's reason when aborted; what `putBlob` throws.
 */
export async function captureChanges(
  folders: readonly string[],
  options: CaptureOptions,
): Promise<Changes> {
  const found = await findRepositories(folders, options);
  const roots = new Set(found.map(({ root }) => root));
  const repositories: RepositoryChanges[] = [];
  for (const repository of found) {
    repositories.push(
      'gitDir' in repository
        ? await captureOrSay(repository, roots, options)
        : unread(repository.root, repository.problem),
    );
  }
  return { repositories };
}

/** One repository that cannot be read must not cost the others. */
async function captureOrSay(
  repository: FoundRepository,
  roots: ReadonlySet<string>,
  options: CaptureOptions,
): Promise<RepositoryChanges> {
  try {
    return await captureRepository(repository, roots, options);
  } catch (error) {
    if (!isExpected(error) || !repositoryReasons.has(error.reason)) throw error;
    return unread(repository.root, error.message);
  }
}

const repositoryReasons: ReadonlySet<string> = new Set(['noGit', 'gitTimeout', 'indexUnreadable']);

const captureRepository = (
  repository: FoundRepository,
  roots: ReadonlySet<string>,
  options: CaptureOptions,
): Promise<RepositoryChanges> =>
  withIndexCopy(repository.gitDir, async (index) => {
    const { root } = repository;
    const git: GitRunOptions = { gitPath: options.gitPath, signal: options.signal, index };
    const result = await runGit(root, statusArguments, git);
    if (result.code !== 0 && !result.truncated) return unread(root, complaintOf(result));
    const status = parseStatus(result.stdout);
    const problems = result.truncated ? ['There are too many changed files to list them all.'] : [];

    const patch = async (kind: PatchKind): Promise<string | undefined> => {
      const large = (): Promise<readonly string[]> =>
        largeFiles(root, status, options.maxFileBytes);
      const taken = await takePatch(root, kind, status.head, large, git);
      problems.push(...taken.problems);
      return taken.patch && options.putBlob(taken.patch);
    };
    const staged = await patch('staged');
    const unstaged = await patch('unstaged');

    const converted = await keepConverted(root, status.files, git, options);
    problems.push(...converted.problems);
    const names = status.untracked.filter((name) => !isCaptured(root, name, roots));
    if (names.length > maxNames) {
      problems.push(`${names.length - maxNames} more untracked files are neither kept nor named.`);
    }
    const untracked = await keepFiles(
      root,
      [...status.orphans, ...names.slice(0, maxNames)],
      options,
    );
    if (status.conflicts > 0) {
      problems.push('Files in conflict are kept as they are; the state of the merge is not.');
    }
    return {
      root: fileUri(root),
      remote: await readRemote(root, git),
      branch: status.branch,
      head: status.head,
      staged,
      unstaged,
      files: status.files.map((file) => withContent(file, converted.contents.get(file.path))),
      untracked,
      problems,
    };
  });

const withContent = (file: ChangedFile, content: string | undefined): ChangedFile =>
  content === undefined ? file : { ...file, content };

const unread = (root: string, problem: string): RepositoryChanges => ({
  root: fileUri(root),
  files: [],
  untracked: [],
  problems: [problem],
});

/** A nested repository that has an entry of its own; git lists it with a slash at the end. */
const isCaptured = (root: string, name: Buffer, roots: ReadonlySet<string>): boolean =>
  name.at(-1) === slash && roots.has(resolve(root, name.toString('utf8')));

const slash = '/'.charCodeAt(0);

async function largeFiles(root: string, status: Status, bytes: number): Promise<readonly string[]> {
  const large: string[] = [];
  for (const { path } of status.files) {
    const stat = await statOf(pathBelow(root, Buffer.from(path)));
    if (stat !== undefined && stat.size > bytes) large.push(path);
  }
  return large;
}
