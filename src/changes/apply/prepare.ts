import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { RepositoryChanges } from '../../core/model/changes.js';
import { gitText, type GitOptions } from '../git.js';
import type { FoundRepository } from '../repositories.js';
import { Bench } from './bench.js';
import type { FileResult } from './filePlanner.js';
import type { IndexWrite } from './indexEntries.js';
import { movedHere } from './movedHere.js';
import { readOurs } from './ours.js';
import { planFiles, type FilesPlan, type PlanChoice } from './planFiles.js';
import { indexWrites, planStaged, type StagedPlan } from './planStaged.js';
import { readTheirs } from './theirs.js';
import { fileState, type FileWrite } from './writeFiles.js';

export interface PrepareOptions extends GitOptions {
  readonly choice: Omit<PlanChoice, 'ignoresCase'>;
  readonly readBlob: (hash: string) => Promise<Uint8Array>;
}

/** What a session's changes of one repository come to in a repository here. To be closed. */
export interface Prepared {
  readonly plan: FilesPlan;
  readonly staged: StagedPlan;
  /** What the index is to have, where that is asked for: of what is staged, too. */
  readonly indexWrites: (withStaged: boolean) => Promise<readonly IndexWrite[]>;
  /** The writes, with the bytes of each to be had until this is closed. */
  readonly writes: () => Promise<readonly FileWrite[]>;
  readonly close: () => Promise<void>;
}

/**
 * Works out in a place of its own what laying changes on a repository's files would do. Writes nothing into
 * the repository. The commit that the changes lie on has to be there.
 *
 * @throws ExpectedError `gitFailed` and what {@link Bench} and git throw
 */
export async function prepareChanges(
  repository: FoundRepository,
  changes: RepositoryChanges,
  { choice, readBlob, ...git }: PrepareOptions,
): Promise<Prepared> {
  const bench = await Bench.open(repository, git);
  try {
    const theirs = await readTheirs(bench, changes, readBlob);
    const ignoresCase =
      (await gitText(bench.root, ['config', '--bool', 'core.ignorecase'], git)) === 'true';
    const wanted = { ...choice, ignoresCase };
    const files = await planFiles(bench, theirs.files, wanted, {
      read: (paths) => readOurs(bench, paths),
      moved: () => movedHere(bench, theirs.base),
      readBlob,
    });
    const unfit = theirs.conflicts.filter(({ path }) => !choice.without.has(path));
    const plan: FilesPlan = {
      ...files,
      conflicts: [...unfit, ...files.conflicts],
      left: [...theirs.left, ...files.left],
    };
    const staged = await planStaged(bench, theirs, wanted, readBlob);
    return {
      plan,
      staged,
      indexWrites: (withStaged) =>
        indexWrites(bench, plan.results, withStaged ? staged.results : []),
      writes: () => writesOf(bench, plan, readBlob),
      close: () => bench.close(),
    };
  } catch (error) {
    await bench.close();
    throw error;
  }
}

async function writesOf(
  bench: Bench,
  plan: FilesPlan,
  readBlob: PrepareOptions['readBlob'],
): Promise<readonly FileWrite[]> {
  await checkOut(bench, plan.results);
  const writes: FileWrite[] = [];
  for (const { path, side, raw } of plan.results) {
    const before = await fileState(bench.root, path);
    if (before === undefined && side === undefined) continue;
    const out = bench.path('out', path);
    if (side !== undefined && raw !== undefined) {
      await mkdir(bench.path('out', path, '..'), { recursive: true });
      await writeFile(out, await readBlob(raw));
    }
    const made = side === undefined ? undefined : await fileState(bench.path('out'), path);
    const after = made && { hash: made.hash, mode: modeFor(side?.mode === '100755', before?.mode) };
    const read = (which: 'before' | 'after'): Promise<Uint8Array> =>
      which === 'after' ? readFile(out) : readBlob(before?.hash ?? '');
    writes.push({ root: bench.root, path, before, after, read });
  }
  return writes;
}

/** Lets git write contents as they belong into this working tree: line endings, filters. */
async function checkOut(bench: Bench, results: readonly FileResult[]): Promise<void> {
  const stored = results.filter(({ side, raw }) => side !== undefined && raw === undefined);
  await mkdir(bench.path('out'), { recursive: true, mode: 0o700 });
  const index = 'results';
  const info = stored.map(({ path, side }) => `${side?.mode} ${side?.content}\t${path}\0`).join('');
  await bench.run(['update-index', '-z', '--index-info'], { index, input: Buffer.from(info) });
  const names = Buffer.from(stored.map(({ path }) => `${path}\0`).join(''));
  const prefix = `--prefix=${bench.path('out')}/`;
  await bench.run(['checkout-index', '-q', '-z', '--stdin', prefix], { index, input: names });
}

/** A file that runs here goes on being one for the same people; a new one is as any new file. */
function modeFor(runs: boolean, before: number | undefined): number {
  if (before === undefined) return runs ? 0o777 : 0o666;
  return runs ? before | ((before & 0o444) >> 2) : before & ~0o111;
}
