import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** One hash of a folder's names, times, modes and bytes: equal before and after means untouched. */
export async function treeHash(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const names = (await readdir(folder, { recursive: true })).sort();
  for (const name of names) {
    const path = join(folder, name);
    const { mode, mtimeMs, size } = await stat(path);
    hash.update(JSON.stringify([name, mode, mtimeMs, size]));
    if ((await stat(path)).isFile()) hash.update(await readFile(path));
  }
  return hash.digest('hex');
}
