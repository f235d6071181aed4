import { lstat, readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize, relative } from 'node:path';
import { isExpected } from '../core/errors.js';
import type { GitOptions } from './git.js';
import { complaintOf, gitText, runGit } from './git.js';

export interface FoundRepository {
  /** Absolute path of the working tree, links resolved. */
  readonly root: string;
  /** Absolute path of the repository's folder for this working tree. */
  readonly gitDir: string;
}

/** A folder that looks like a repository, but git cannot read it. */
export interface UnreadableRepository {
  readonly root: string;
  readonly problem: string;
}

/** Levels below a folder in which nested repositories are looked for (`.claude/worktrees/<name>` is three). */
const maxDepth = 3;
/** So many folders are looked into at most, whatever the depth. */
const maxFoldersVisited = 5000;

/**
 * The repositories with a working tree that folders belong to or hold: the one around a folder, those
 * nested in it, submodules and linked worktrees, each once. A bare repository has no changes and is
 * left out.
 *
 * @param folders absolute paths; one that does not exist has none.
 */
export async function findRepositories(
  folders: readonly string[],
  options: GitOptions = {},
): Promise<readonly (FoundRepository | UnreadableRepository)[]> {
  const found = new Map<string, FoundRepository | UnreadableRepository>();
  const looked = new Set<string>();
  const queue: string[] = [];
  for (const folder of folders) {
    const around = await repositoryAround(folder);
    if (around !== undefined) queue.push(around);
    queue.push(...(await repositoriesBelow(folder, options.signal)));
  }
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    if (looked.has(next)) continue;
    looked.add(next);
    const repository = await probe(next, options);
    if (repository === undefined || found.has(repository.root)) continue;
    found.set(repository.root, repository);
    if ('gitDir' in repository) queue.push(...(await submodules(repository.root, options)));
  }
  return [...found.values()];
}

/** The repository around a folder; `undefined` where there is none, or a bare one. */
export async function repositoryOf(
  folder: string,
  options: GitOptions = {},
): Promise<FoundRepository | UnreadableRepository | undefined> {
  const around = await repositoryAround(folder);
  return around === undefined ? undefined : probe(around, options);
}

/** Asks git about a folder that holds a `.git`; `undefined` for a bare repository. */
async function probe(
  folder: string,
  options: GitOptions,
): Promise<FoundRepository | UnreadableRepository | undefined> {
  try {
    // The root comes last, and the other folder in a run of its own: their names may hold line ends.
    const args = ['rev-parse', '--is-bare-repository', '--show-toplevel'];
    const result = await runGit(folder, args, options);
    const text = result.stdout.toString('utf8');
    if (text.startsWith('true')) return undefined;
    const gitDir = await gitText(folder, ['rev-parse', '--absolute-git-dir'], options);
    if (result.code !== 0 || gitDir === undefined) {
      return { root: folder, problem: complaintOf(result) };
    }
    const root = text.slice(text.indexOf('\n') + 1).replace(/\r?\n$/, '');
    return { root: normalize(root), gitDir: normalize(gitDir) };
  } catch (error) {
    if (isExpected(error)) return { root: folder, problem: error.message };
    throw error;
  }
}

async function repositoryAround(folder: string): Promise<string | undefined> {
  for (let at = folder; ; at = dirname(at)) {
    if (await exists(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

async function repositoriesBelow(
  folder: string,
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const repositories: string[] = [];
  let level = [folder];
  let visited = 0;
  for (let depth = 0; depth <= maxDepth; depth++) {
    const below: string[] = [];
    for (const at of level) {
      signal?.throwIfAborted();
      if (++visited > maxFoldersVisited) return repositories;
      const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
      if (entries.some((entry) => entry.name === '.git')) repositories.push(at);
      below.push(
        ...entries
          .filter((entry) => entry.isDirectory() && !neverWalked.has(entry.name))
          .map((entry) => join(at, entry.name)),
      );
    }
    level = below;
  }
  return repositories;
}

const neverWalked = new Set(['.git', 'node_modules']);

/** Submodules that are checked out, at any depth: those that `.gitmodules` names inside the root. */
async function submodules(root: string, options: GitOptions): Promise<readonly string[]> {
  const file = join(root, '.gitmodules');
  if (!(await lstat(file).catch(() => undefined))?.isFile()) return [];
  const args = ['config', '-z', '-f', file, '--get-regexp', '^submodule\\..*\\.path$'];
  const { stdout } = await runGit(root, args, options);
  const paths = stdout
    .toString('utf8')
    .split('\0')
    .filter((entry) => entry.includes('\n'))
    .map((entry) => join(root, entry.slice(entry.indexOf('\n') + 1)));
  const checkedOut: string[] = [];
  for (const path of paths) {
    if (isInside(root, path) && (await exists(join(path, '.git')))) checkedOut.push(path);
  }
  return checkedOut;
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '' && !isAbsolute(way) && way.split(/[\\/]/)[0] !== '..';
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  );
