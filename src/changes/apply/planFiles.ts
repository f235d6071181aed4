import { join } from 'node:path';
import { decide, decideMove, type Decision, type Side } from '../../core/apply/decide.js';
import { foldedPath, isSafePath, isSensitive } from '../../core/apply/paths.js';
import type {
  ConflictReason,
  LeftReason,
  PlanNote,
  PlannedChange,
} from '../../core/apply/types.js';
import type { Bench } from './bench.js';
import { mergeContents } from './merge.js';
import { readOurs, type OurFile } from './ours.js';
import type { TheirFile, TheirState } from './theirs.js';

/** What is to be written at one path: a content that git has, or bytes of the vault. */
export interface FileResult {
  readonly path: string;
  /** Absent: the file goes. */
  readonly side?: Side | undefined;
  readonly raw?: string | undefined;
}

export interface FilesPlan {
  readonly changes: readonly PlannedChange[];
  readonly conflicts: readonly PlanNote<ConflictReason>[];
  readonly left: readonly PlanNote<LeftReason>[];
  /** What the changes come to, deletions first. */
  readonly results: readonly FileResult[];
  /** What is here of every path that was looked at. */
  readonly ours: ReadonlyMap<string, OurFile>;
}

export interface PlanChoice {
  readonly without: ReadonlySet<string>;
  readonly sensitive: boolean;
  /** Whether an editor holds text of a file, by absolute path, that is not on disk. */
  readonly isUnsaved: (path: string) => boolean;
  /** Names that differ in case are one here. */
  readonly ignoresCase: boolean;
}

/** Decides for every file of a session what would be done with it here. Writes nothing outside of the bench. */
export async function planFiles(
  bench: Bench,
  theirs: TheirState,
  choice: PlanChoice,
): Promise<FilesPlan> {
  const left = [...theirs.left];
  const wanted = theirs.files.filter((file) => {
    const reason = leftReason(file, choice);
    if (reason !== undefined) left.push({ path: file.path, reason });
    return reason === undefined;
  });
  const paths = wanted.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]));
  const ours = await readOurs(bench, [...new Set(paths)]);
  const planner = new FilePlanner(bench, ours, choice);
  for (const file of wanted) await planner.add(file);
  planner.refuseCollisions(theirs.files);
  const conflicts = theirs.conflicts.filter(({ path }) => !choice.without.has(path));
  return {
    changes: planner.changes,
    conflicts: [...conflicts, ...planner.conflicts],
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

class FilePlanner {
  readonly changes: PlannedChange[] = [];
  readonly conflicts: PlanNote<ConflictReason>[] = [];
  readonly left: PlanNote<LeftReason>[] = [];
  readonly results: FileResult[] = [];

  constructor(
    private readonly bench: Bench,
    private readonly ours: ReadonlyMap<string, OurFile>,
    private readonly choice: PlanChoice,
  ) {}

  async add(file: TheirFile): Promise<void> {
    const { path, from } = file;
    const decision = this.decide(file);
    switch (decision.do) {
      case 'nothing':
        return;
      case 'leave':
        this.left.push({ path, reason: decision.reason });
        return;
      case 'refuse':
        this.refuse(path, decision.reason);
        return;
      case 'delete':
        this.change({ path, kind: 'delete' }, [{ path }]);
        return;
      case 'write': {
        const kind = from === undefined ? decision.kind : 'move';
        const raw = decision.side.content === file.theirs?.content ? file.raw : undefined;
        this.change({ path, from, kind }, this.written(file, decision.side, raw));
        return;
      }
      case 'merge':
        return this.merge(file, decision);
    }
  }

  /** Two names that cannot both be: one is a folder of the other, or they differ in case only. */
  refuseCollisions(files: readonly TheirFile[]): void {
    const written = new Set(this.results.flatMap(({ side, path }) => (side ? [path] : [])));
    for (const path of written) {
      const names = path.split('/');
      const isBelow = names.some((_, at) => at > 0 && written.has(names.slice(0, at).join('/')));
      if (isBelow) this.refuse(path, 'inTheWay');
    }
    if (this.choice.ignoresCase) this.refuseSameCase(files, written);
  }

  private refuseSameCase(files: readonly TheirFile[], written: ReadonlySet<string>): void {
    const gone = new Set(this.results.filter(({ side }) => !side).map(({ path }) => path));
    const seen = new Map<string, string>();
    for (const path of [...files.map((file) => file.path), ...this.ours.keys()]) {
      const key = foldedPath(path);
      const other = seen.get(key);
      if (other === undefined || gone.has(other)) seen.set(key, path);
      else if (other !== path && !gone.has(path) && (written.has(path) || written.has(other))) {
        this.refuse(path, 'case');
      }
    }
  }

  private decide({ path, from, base, theirs }: TheirFile): Decision {
    const here = this.ours.get(path);
    const before = from === undefined ? undefined : this.ours.get(from);
    if (here === 'inTheWay' || before === 'inTheWay') return { do: 'refuse', reason: 'inTheWay' };
    if (from === undefined || theirs === undefined) return decide({ base, ours: here, theirs });
    return decideMove({ base, ours: before, theirs }, here);
  }

  private async merge(
    file: TheirFile,
    { mode, base, ours }: Extract<Decision, { readonly do: 'merge' }>,
  ): Promise<void> {
    const { path, from, theirs, raw } = file;
    // Bytes that git does not have cannot be merged by it.
    const merged =
      theirs === undefined || raw !== undefined
        ? ({ conflict: 'bothChanged' } as const)
        : await mergeContents(this.bench, path, { base, ours, theirs });
    if ('conflict' in merged) {
      this.refuse(path, merged.conflict);
      return;
    }
    const side = { mode, content: merged.content };
    this.change({ path, from, kind: 'merge' }, this.written(file, side, undefined));
  }

  private written({ path, from }: TheirFile, side: Side, raw: string | undefined): FileResult[] {
    const result = { path, side, raw };
    return from === undefined ? [result] : [{ path: from }, result];
  }

  private change(change: Omit<PlannedChange, 'isSensitive'>, results: readonly FileResult[]): void {
    const paths = results.map(({ path }) => path);
    const unsaved = paths.find((path) => this.choice.isUnsaved(join(this.bench.root, path)));
    if (unsaved !== undefined) {
      this.refuse(unsaved, 'unsaved');
      return;
    }
    this.changes.push({ ...change, isSensitive: paths.some(isSensitive) });
    this.results.push(...results);
  }

  private refuse(path: string, reason: ConflictReason): void {
    this.conflicts.push({ path, reason });
  }
}
