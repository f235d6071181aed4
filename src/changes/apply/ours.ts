import { copyFile, lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Side } from '../../core/apply/decide.js';
import type { Bench } from './bench.js';

/** What is at a path here: a file or link as git has it, nothing, or something in the way of a file. */
export type OurFile = Side | 'inTheWay' | undefined;

const index = 'ours';

/**
 * Files of the working tree as git would store them, read through an index of the bench's own. Nothing is
 * read through a link.
 *
 * @param paths safe ones, below the root
 */
export async function readOurs(
  bench: Bench,
  paths: readonly string[],
): Promise<ReadonlyMap<string, OurFile>> {
  const found = new Map<string, OurFile>();
  const files: string[] = [];
  for (const path of paths) {
    const kind = await kindOf(bench.root, path);
    if (kind === 'file') files.push(path);
    else if (kind === 'inTheWay') found.set(path, kind);
  }
  await copyFile(join(bench.repository.gitDir, 'index'), bench.path(index)).catch(() => undefined);
  const input = Buffer.from(files.map((path) => `${path}\0`).join(''));
  await bench.run(['update-index', '--add', '-z', '--stdin'], { index, input });
  const wanted = new Set(files);
  const entries = (await bench.run(['ls-files', '--stage', '-z'], { index })).toString('utf8');
  for (const entry of entries.split('\0')) {
    const tab = entry.indexOf('\t');
    const path = entry.slice(tab + 1);
    const [mode, content] = entry.slice(0, tab).split(' ');
    if (tab > 0 && mode && content && wanted.has(path)) found.set(path, { mode, content });
  }
  return found;
}

async function kindOf(root: string, path: string): Promise<'file' | 'inTheWay' | 'nothing'> {
  const names = path.split('/');
  for (let depth = 1; depth < names.length; depth++) {
    const folder = await lstat(join(root, ...names.slice(0, depth))).catch(() => undefined);
    if (folder === undefined) return 'nothing';
    if (!folder.isDirectory()) return 'inTheWay';
  }
  const stat = await lstat(join(root, ...names)).catch(() => undefined);
  if (stat === undefined) return 'nothing';
  return stat.isFile() || stat.isSymbolicLink() ? 'file' : 'inTheWay';
}
