import { copyFile, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.js';
import { differencesFrom } from './theirs.js';

const index = 'here';
/** Larger new files are not looked at: git would have to read them to know what they were. */
const maxNewBytes = 16 * 1024 * 1024;
const maxNew = 5000;

/**
 * Where files of a commit went in the working tree, by git's own detection of renames: committed, staged or only moved.
 *
 * @returns paths here by those at the commit
 */
export async function movedHere(bench: Bench, base: string): Promise<ReadonlyMap<string, string>> {
  await copyFile(join(bench.repository.gitDir, 'index'), bench.path(index)).catch(() => undefined);
  const known = await listed(bench, ['--modified', '--deleted']);
  const added = await listed(bench, ['--others', '--exclude-standard']);
  const small: string[] = [];
  for (const path of added.slice(0, maxNew)) {
    // A nested repository ends in a slash, and is not of this one.
    const stat = path.endsWith('/')
      ? undefined
      : await lstat(join(bench.root, path)).catch(() => undefined);
    if (stat?.isFile() && stat.size <= maxNewBytes) small.push(path);
  }
  const input = Buffer.from([...known, ...small].map((path) => `${path}\0`).join(''));
  await bench.run(['update-index', '--add', '--remove', '-z', '--stdin'], { index, input });
  return movedIn(bench, base, index);
}

/** Where files of a commit went in an index of the bench. */
export async function movedIn(
  bench: Bench,
  base: string,
  name: string,
): Promise<ReadonlyMap<string, string>> {
  const differences = await differencesFrom(bench, base, name);
  return new Map(
    differences.flatMap(({ path, from }) => (from === undefined ? [] : [[from, path] as const])),
  );
}

async function listed(bench: Bench, which: readonly string[]): Promise<readonly string[]> {
  const output = await bench.run(['ls-files', '-z', ...which], { index });
  const names = output.toString('utf8').split('\0');
  return [...new Set(names)].filter((name) => name !== '');
}
