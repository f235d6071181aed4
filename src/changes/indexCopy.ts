import { copyFile, mkdtemp, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ExpectedError, messageOf } from '../core/errors.js';

/**
 * Runs with a copy of a repository's index. All of one capture reads the same index, whatever other
 * programs do meanwhile; and the repository's own is never written, which `git diff` does to refresh
 * it even with GIT_OPTIONAL_LOCKS=0 (seen with git 2.39).
 *
 * @param gitDir the repository's folder for this working tree.
 * @throws ExpectedError `indexUnreadable`.
 */
export async function withIndexCopy<T>(
  gitDir: string,
  run: (index: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'keepthread-index-'));
  try {
    const copy = join(folder, 'index');
    await copyIndex(join(gitDir, 'index'), copy);
    return await run(copy);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function copyIndex(index: string, copy: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(index);
    await copyFile(index, copy);
    // Git trusts an entry's times only when they are older than its index. A copy that looked newer
    // would hide files that changed right after the original was written.
    const time = Math.floor(mtimeMs - 1) / 1000;
    await utimes(copy, time, time);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing) return; // an index appears with the first `git add`
    throw new ExpectedError('indexUnreadable', 'The index of {0} could not be read: {1}', [
      index,
      messageOf(error),
    ]);
  }
}
