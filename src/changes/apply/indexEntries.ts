import { ExpectedError } from '../../core/errors.js';
import type { Restaged } from '../../core/model/changes.js';
import { complaintOf, runGit, type GitResult, type GitRunOptions } from '../git.js';

/** What an index has of a path; several in the middle of a merge. */
export interface IndexEntry {
  readonly mode: string;
  readonly object: string;
  readonly stage: number;
}

/** What the index is to have of one path, instead of what it has. */
export interface IndexWrite {
  /** Absolute path of the repository's root. */
  readonly root: string;
  readonly path: string;
  readonly before: readonly IndexEntry[];
  readonly after: readonly IndexEntry[];
  /** Bytes of an object of `before` or `after`. */
  readonly read: (object: string) => Promise<Uint8Array>;
}

/** Format: https://git-scm.com/docs/git-ls-files#_output */
export async function readIndex(
  root: string,
  git: GitRunOptions = {},
): Promise<ReadonlyMap<string, readonly IndexEntry[]>> {
  const found = new Map<string, IndexEntry[]>();
  const output = await run(root, ['ls-files', '--stage', '-z'], git);
  for (const line of output.stdout.toString('utf8').split('\0')) {
    const tab = line.indexOf('\t');
    const [mode, object, stage] = line.slice(0, tab).split(' ');
    if (tab < 0 || !mode || !object) continue;
    const path = line.slice(tab + 1);
    const entries = found.get(path) ?? [];
    entries.push({ mode, object, stage: Number(stage) });
    found.set(path, entries);
  }
  return found;
}

/**
 * Lets git change what the index of each repository has of some paths; all else in it stays. What is not as it was
 * expected to be ends the work before anything is written to that index.
 *
 * @throws ExpectedError `indexChanged`, `gitFailed` (such as for an index that another git works on)
 */
export async function writeIndex(writes: readonly IndexWrite[]): Promise<void> {
  const done: IndexWrite[] = [];
  const of = (all: readonly IndexWrite[], root: string): readonly IndexWrite[] =>
    all.filter((write) => write.root === root);
  const roots = new Set(writes.map(({ root }) => root));
  try {
    for (const root of roots) {
      await writeOne(root, of(writes, root));
      done.push(...of(writes, root));
    }
  } catch (error) {
    const back = done.map((one) => ({ ...one, before: one.after, after: one.before }));
    for (const root of roots) if (of(back, root).length > 0) await writeOne(root, of(back, root));
    throw error;
  }
}

async function writeOne(root: string, writes: readonly IndexWrite[]): Promise<void> {
  const now = await readIndex(root);
  const other = writes.find(({ path, before }) => !sameEntries(now.get(path) ?? [], before));
  if (other !== undefined) {
    throw new ExpectedError(
      'indexChanged',
      'What is staged of {0} has changed meanwhile.',
      [other.path],
      { next: 'Look at the plan again.' },
    );
  }
  const lines: string[] = [];
  for (const { path, before, after, read } of writes) {
    for (const { object } of after) await keepObject(root, object, read);
    // A path's entries go first: what is staged and what is unmerged cannot stand together.
    const none = (before[0] ?? after[0])?.object.replace(/./g, '0') ?? '';
    lines.push(`0 ${none}\t${path}\0`);
    for (const { mode, object, stage } of after) {
      lines.push(`${mode} ${object} ${stage}\t${path}\0`);
    }
  }
  await run(root, ['update-index', '-z', '--index-info'], { input: Buffer.from(lines.join('')) });
}

async function keepObject(root: string, object: string, read: IndexWrite['read']): Promise<void> {
  if ((await runGit(root, ['cat-file', '-e', object])).code === 0) return;
  const args = ['hash-object', '-w', '--stdin', '--no-filters'];
  const { stdout } = await run(root, args, { input: await read(object) });
  if (stdout.toString('utf8').trim() !== object) {
    throw new Error(`Git has another name for ${object}.`);
  }
}

async function run(root: string, args: readonly string[], git: GitRunOptions): Promise<GitResult> {
  const result = await runGit(root, args, git);
  if (result.code === 0 && !result.truncated) return result;
  throw new ExpectedError('gitFailed', 'git {0} failed in {1}: {2}', [
    args[0] ?? '',
    root,
    complaintOf(result),
  ]);
}

export const sameEntries = (
  some: Restaged['before'] | readonly IndexEntry[],
  others: Restaged['before'] | readonly IndexEntry[],
): boolean => keyOf(some) === keyOf(others);

const keyOf = (entries: readonly IndexEntry[]): string =>
  JSON.stringify(entries.map(({ mode, object, stage }) => [mode, object, stage]));
