import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeError } from '../vault/writeError.js';

/** Folders of imports that were killed go after so long. */
const STALE_MS = 60 * 60 * 1000;

/**
 * A folder of its own below the store, for its owner only, in which a file that comes in is made ready;
 * gone afterwards, whatever happened.
 */
export async function inQuarantine<T>(
  store: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const root = join(store, 'quarantine');
  let folder: string;
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await removeStale(root);
    folder = await mkdtemp(join(root, 'import-'));
  } catch (error) {
    throw writeError(root, error);
  }
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeStale(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    const folder = join(root, name);
    const age = await stat(folder).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > STALE_MS) await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
