import {
  candidatesIn,
  hasCommit,
  matchRepository,
  type Candidate,
} from '../changes/apply/match.js';
import type { Surroundings } from '../handoff/inspectSession.js';
import { remoteName } from '../vault/remoteName.js';

/**
 * Finds for each repository of a session file the one here that it is a clone of. Nothing of the file reaches git
 * but a commit's hash.
 *
 * @param folders absolute paths of folders that are trusted; empty: nothing is looked for
 */
export function baseFinder(folders: readonly string[]): Surroundings['findBase'] {
  let looking: Promise<readonly Candidate[]> | undefined;
  return async (base) => {
    looking ??= candidatesIn(folders, {});
    const found = await matchRepository(base, await looking, { nameOf: remoteName });
    if (!found) return {};
    const folder = found.repository.root;
    if (base.head === undefined) return { folder };
    return { folder, isHere: await hasCommit(folder, base.head, {}) };
  };
}
