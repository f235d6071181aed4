import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from './bench.js';
import type { FileResult } from './filePlanner.js';
import { readIndex, type IndexEntry, type IndexWrite } from './indexEntries.js';
import { movedIn } from './movedHere.js';
import type { OurFile } from './ours.js';
import { planFiles, type FilesPlan, type Here, type PlanChoice } from './planFiles.js';
import type { TheirState } from './theirs.js';

const index = 'staged';

export type StagedPlan = Pick<FilesPlan, 'changes' | 'conflicts' | 'results'>;

/** Decides what would be staged here: the same three-way comparison, with what the index has here. */
export async function planStaged(
  bench: Bench,
  { base, staged }: TheirState,
  choice: PlanChoice,
  readBlob: Here['readBlob'],
): Promise<StagedPlan> {
  if (staged.length === 0) return { changes: [], conflicts: [], results: [] };
  await copyFile(join(bench.repository.gitDir, 'index'), bench.path(index)).catch(() => undefined);
  const entries = await readIndex(bench.root, { index: bench.path(index) });
  const plan = await planFiles(
    bench,
    staged,
    { ...choice, markers: false, isUnsaved: () => false },
    {
      read: (paths) => Promise.resolve(sidesOf(entries, paths)),
      moved: () => movedIn(bench, base, index),
      readBlob,
    },
  );
  const refused = new Map(plan.conflicts.map((one) => [one.path, one]));
  for (const { path } of plan.results) {
    if ((entries.get(path)?.length ?? 0) > 1) refused.set(path, { path, reason: 'unmerged' });
  }
  for (const path of inTheWay(plan.results, entries)) {
    refused.set(path, { path, reason: 'inTheWay' });
  }
  // A move is staged whole or not at all.
  const kept = plan.changes.filter(
    ({ path, from = path }) => !refused.has(path) && !refused.has(from),
  );
  const names = new Set(kept.flatMap(({ path, from = path }) => [path, from]));
  return {
    changes: kept,
    conflicts: [...refused.values()],
    results: plan.results.filter(({ path }) => names.has(path)),
  };
}

function sidesOf(
  entries: ReadonlyMap<string, readonly IndexEntry[]>,
  paths: readonly string[],
): ReadonlyMap<string, OurFile> {
  return new Map(
    paths.flatMap((path): [string, OurFile][] => {
      const [first] = entries.get(path) ?? [];
      return first === undefined ? [] : [[path, { mode: first.mode, content: first.object }]];
    }),
  );
}

/** Paths that a folder of the index, or a file above them, would have to give way to: git would drop that one. */
function inTheWay(
  results: readonly FileResult[],
  entries: ReadonlyMap<string, readonly IndexEntry[]>,
): readonly string[] {
  const gone = new Set(results.filter(({ side }) => !side).map(({ path }) => path));
  const stay = [...entries.keys()].filter((path) => !gone.has(path));
  const files = new Set(stay);
  const folders = new Set(stay.flatMap(above));
  return results
    .filter(({ side }) => side !== undefined)
    .map(({ path }) => path)
    .filter((path) => folders.has(path) || above(path).some((folder) => files.has(folder)));
}

const above = (path: string): readonly string[] => {
  const names = path.split('/');
  return names.slice(1).map((_, at) => names.slice(0, at + 1).join('/'));
};

/**
 * What comes into the index: what is staged, where that is asked for, and for files with conflict markers the versions
 * that a person has to choose between, as git has them in the middle of a merge.
 */
export async function indexWrites(
  bench: Bench,
  files: readonly FileResult[],
  staged: readonly FileResult[],
): Promise<readonly IndexWrite[]> {
  const unmerged = files.filter((file) => file.unmerged !== undefined);
  if (unmerged.length + staged.length === 0) return [];
  const now = await readIndex(bench.root);
  const after = new Map<string, readonly IndexEntry[]>();
  for (const { path, side } of staged) after.set(path, side ? [entry(side, 0)] : []);
  for (const { path, unmerged: versions } of unmerged) {
    // What git does not track here stays out of its index.
    if (versions === undefined || !now.has(path)) continue;
    const { base, ours, theirs } = versions;
    const stages = [...(base ? [entry(base, 1)] : []), entry(ours, 2), entry(theirs, 3)];
    after.set(path, stages);
  }
  return [...after].map(([path, entries]) => ({
    root: bench.root,
    path,
    before: now.get(path) ?? [],
    after: entries,
    read: (object) => bench.run(['cat-file', 'blob', object]),
  }));
}

const entry = (
  { mode, content }: { readonly mode: string; readonly content: string },
  stage: number,
): IndexEntry => ({ mode, object: content, stage });
