import { isSafePath, isSensitive } from '../../core/apply/paths.js';
import type { Conflict, LeftReason, PlanNote, PlannedChange } from '../../core/apply/types.js';
import type { Bench } from './bench.js';
import { FilePlanner, type FileResult } from './filePlanner.js';
import type { OurFile } from './ours.js';
import type { TheirFile } from './theirs.js';

export interface FilesPlan {
  readonly changes: readonly PlannedChange[];
  readonly conflicts: readonly Conflict[];
  readonly left: readonly PlanNote<LeftReason>[];
  /** What the changes come to, deletions first. */
  readonly results: readonly FileResult[];
  /** What is here of every path that was looked at. */
  readonly ours: ReadonlyMap<string, OurFile>;
}

export interface PlanChoice {
  readonly without: ReadonlySet<string>;
  readonly sensitive: boolean;
  /** See `ApplyRequest.markers`. */
  readonly markers: boolean;
  /** Whether an editor holds text of a file, by absolute path, that is not on disk. */
  readonly isUnsaved: (path: string) => boolean;
  /** Names that differ in case are one here. */
  readonly ignoresCase: boolean;
}

/** The side that changes are laid on: the working tree, or the index. */
export interface Here {
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, OurFile>>;
  /** Where files of the commit went, by their paths there. */
  readonly moved: () => Promise<ReadonlyMap<string, string>>;
  readonly readBlob: (hash: string) => Promise<Uint8Array>;
}

/** Decides for every file of a session what would be done with it here. Writes nothing outside of the bench. */
export async function planFiles(
  bench: Bench,
  files: readonly TheirFile[],
  choice: PlanChoice,
  here: Here,
): Promise<FilesPlan> {
  const left: PlanNote<LeftReason>[] = [];
  const isTaken = (path: string, file: TheirFile): boolean => {
    const reason = leftReason({ ...file, path }, choice);
    if (reason !== undefined) left.push({ path, reason });
    return reason === undefined;
  };
  const taken = files.filter((file) => isTaken(file.path, file));
  const paths = taken.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const ours = new Map(await here.read([...new Set(paths)]));
  const isGone = ({ path, from = path, base }: TheirFile): boolean =>
    base !== undefined && ours.get(from) === undefined;
  const moved = taken.some(isGone) ? await here.moved() : new Map<string, string>();
  const wanted: { readonly file: TheirFile; readonly movedTo?: string | undefined }[] = [];
  for (const file of taken) {
    const movedTo = isGone(file) ? moved.get(file.from ?? file.path) : undefined;
    if (movedTo === undefined || isTaken(movedTo, file)) wanted.push({ file, movedTo });
  }
  const targets = wanted.flatMap(({ movedTo }) => movedTo ?? []).filter((path) => !ours.has(path));
  for (const [path, one] of await here.read(targets)) ours.set(path, one);

  const planner = new FilePlanner(bench, ours, choice, here.readBlob);
  for (const { file, movedTo } of wanted) await planner.add(file, movedTo);
  planner.refuseCollisions(files);
  return {
    changes: planner.changes,
    conflicts: planner.conflicts,
    left: [...left, ...planner.left],
    results: planner.results.toSorted((a, b) => rank(a) - rank(b)),
    ours,
  };
}

const rank = ({ side }: FileResult): number => (side === undefined ? 0 : 1);

function leftReason(
  { path, from, base, theirs }: TheirFile,
  { without, sensitive }: PlanChoice,
): LeftReason | undefined {
  if (without.has(path)) return 'asked';
  if (!isSafePath(path) || (from !== undefined && !isSafePath(from))) return 'name';
  const isChanged = base?.content !== theirs?.content || base?.mode !== theirs?.mode;
  const names = from === undefined ? [path] : [path, from];
  return isChanged && !sensitive && names.some(isSensitive) ? 'sensitive' : undefined;
}
