import { basename } from 'node:path';
import { gitText } from '../changes/git.js';
import { readRemote } from '../changes/remote.js';
import { findRepositories } from '../changes/repositories.js';
import type { InspectedBase } from '../core/handoff.js';
import type { Surroundings } from '../handoff/inspectSession.js';
import { remoteName } from '../vault/remoteName.js';

/**
 * Finds for each repository of a session file the one here that it is a clone of: by its remote, else by the name of
 * its folder, else the only one. Nothing of the file reaches git but a commit's hash.
 *
 * @param folders absolute paths of folders that are trusted; empty: nothing is looked for
 */
export function baseFinder(folders: readonly string[]): Surroundings['findBase'] {
  let looking: Promise<readonly Here[]> | undefined;
  return async (base) => {
    looking ??= repositoriesIn(folders);
    const repositories = await looking;
    const here = match(base, repositories);
    if (!here) return {};
    const { head } = base;
    if (head === undefined || !/^[0-9a-f]{40,64}$/.test(head)) return { folder: here.root };
    const found = await gitText(here.root, ['cat-file', '-e', `${head}^{commit}`]);
    return { folder: here.root, isHere: found !== undefined };
  };
}

interface Here {
  readonly root: string;
  readonly remote: string | undefined;
}

async function repositoriesIn(folders: readonly string[]): Promise<readonly Here[]> {
  if (folders.length === 0) return [];
  const found = await findRepositories(folders);
  const here: Here[] = [];
  for (const repository of found) {
    if (!('gitDir' in repository)) continue;
    here.push({ root: repository.root, remote: await readRemote(repository.root, {}) });
  }
  return here;
}

function match(
  { name, remote }: Pick<InspectedBase, 'name' | 'remote'>,
  repositories: readonly Here[],
): Here | undefined {
  const wanted = remote === undefined ? undefined : remoteName(remote);
  const byRemote = repositories.find(
    (here) => wanted !== undefined && remoteName(here.remote ?? '') === wanted,
  );
  const byName = repositories.find(({ root }) => basename(root) === name);
  return byRemote ?? byName ?? (repositories.length === 1 ? repositories[0] : undefined);
}
