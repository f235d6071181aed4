import { join } from 'node:path';
import {
  decide,
  decideMove,
  decideMovedHere,
  type Decision,
  type Side,
} from '../../core/apply/decide.js';
import { foldedPath, isSensitive } from '../../core/apply/paths.js';
import type {
  Conflict,
  ConflictReason,
  LeftReason,
  PlanNote,
  PlannedChange,
} from '../../core/apply/types.js';
import type { Bench } from './bench.js';
import { mergeContents, storeBlob, type Versions } from './merge.js';
import type { OurFile } from './ours.js';
import type { PlanChoice } from './planFiles.js';
import type { TheirFile } from './theirs.js';

/** What is to be written at one path: a content that git has, or bytes of the vault. */
export interface FileResult {
  readonly path: string;
  /** Absent: the file goes. */
  readonly side?: Side | undefined;
  readonly raw?: string | undefined;
  /** The versions that a person has to choose between, where the content has both. */
  readonly unmerged?: Versions | undefined;
}

/** Collects what comes of the files of one session here. */
export class FilePlanner {
  readonly changes: PlannedChange[] = [];
  readonly conflicts: Conflict[] = [];
  readonly left: PlanNote<LeftReason>[] = [];
  readonly results: FileResult[] = [];

  /** @param readBlob contents of the vault by SHA-256 (hex) */
  constructor(
    private readonly bench: Bench,
    private readonly ours: ReadonlyMap<string, OurFile>,
    private readonly choice: PlanChoice,
    private readonly readBlob: (hash: string) => Promise<Uint8Array>,
  ) {}

  /** @param movedTo where the file is here, if it was moved here */
  async add(file: TheirFile, movedTo: string | undefined): Promise<void> {
    if (movedTo === undefined) return this.carryOut(file, this.decide(file));
    const here = this.ours.get(movedTo);
    if (here === 'inTheWay') {
      this.refuse(movedTo, here);
      return;
    }
    const isMoved = file.from !== undefined && file.path !== movedTo;
    const decision = decideMovedHere({ ...file, ours: here }, isMoved);
    const there = file.path === movedTo ? undefined : file.path;
    return this.carryOut({ ...file, path: movedTo, from: undefined }, decision, there);
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

  /** @param there what the session calls a file that was moved here */
  private async carryOut(file: TheirFile, decision: Decision, there?: string): Promise<void> {
    const { path, from, theirs, raw } = file;
    const about = { path, from, there };
    switch (decision.do) {
      case 'nothing':
        return;
      case 'leave':
        this.left.push({ path, reason: decision.reason });
        return;
      case 'refuse': {
        const ours = this.ours.get(path);
        const isPair = from === undefined && theirs !== undefined && typeof ours === 'object';
        if (decision.reason !== 'bothAdded' || !isPair) this.refuse(path, decision.reason);
        else await this.merge(about, theirs.mode, { ours, theirs }, raw);
        return;
      }
      case 'delete':
        this.change({ ...about, kind: 'delete' }, { path });
        return;
      case 'write': {
        const kind = from === undefined ? decision.kind : 'move';
        const { side } = decision;
        this.change(
          { ...about, kind },
          { path, side, raw: side.content === theirs?.content ? raw : undefined },
        );
        return;
      }
      case 'merge': {
        const { mode, base, ours } = decision;
        if (theirs !== undefined) await this.merge(about, mode, { base, ours, theirs }, raw);
      }
    }
  }

  private async merge(
    about: Pick<PlannedChange, 'path' | 'from' | 'there'>,
    mode: string,
    versions: Versions,
    raw: string | undefined,
  ): Promise<void> {
    const { path, from } = about;
    const { base, ours } = versions;
    if (raw !== undefined) await storeBlob(this.bench, await this.readBlob(raw));
    const isRaw = raw !== undefined;
    const merged = await mergeContents(this.bench, path, { ...versions, isRaw });
    if ('content' in merged) {
      const side: Side = { mode, content: merged.content };
      // What nobody has compared yet is no version that could be followed by another.
      if (base === undefined) this.conflicts.push({ path, reason: 'bothAdded', canMerge: true });
      else if (from === undefined && mode === ours.mode && side.content === ours.content) return;
      else this.change({ ...about, kind: 'merge' }, { path, side });
    } else if (merged.conflict === 'binary') {
      this.refuse(path, base === undefined ? 'bothAdded' : 'binary');
    } else if (this.choice.markers) {
      const side: Side = { mode, content: merged.marked };
      this.change({ ...about, kind: 'markers' }, { path, side, unmerged: versions });
    } else {
      const reason = base === undefined ? 'bothAdded' : 'bothChanged';
      this.conflicts.push({ path, reason, canMerge: true });
    }
  }

  private change(change: Omit<PlannedChange, 'isSensitive'>, result: FileResult): void {
    const { from } = change;
    const results = from === undefined ? [result] : [{ path: from }, result];
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
