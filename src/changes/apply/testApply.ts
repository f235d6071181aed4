import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RepositoryChanges } from '../../core/model/changes.js';
import { capture, git, traceOf, type TestFolders } from '../testRepository.js';
import { candidatesIn } from './match.js';
import { writeIndex } from './indexEntries.js';
import { prepareChanges, type Prepared, type PrepareOptions } from './prepare.js';
import { writeFiles } from './writeFiles.js';

/** Twenty lines, some of them changed. */
export const lines = (...changed: readonly [number, string][]): string => {
  const all = Array.from({ length: 20 }, (_, at) => `line ${at}`);
  for (const [at, text] of changed) all[at] = text;
  return `${all.join('\n')}\n`;
};
export const binary = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7) % 256));

/** As `traceOf`, but for objects: git notes on one that it has already that it is still used. */
export const traceHere = (root: string): readonly string[] =>
  traceOf(root).filter((line) => !line.startsWith('.git/objects/'));

export interface Pair {
  /** Whose changes go along. */
  readonly ann: string;
  /** Where they are laid: a clone of the same commit. */
  readonly bob: string;
}

/** Two clones of one commit. */
export function twoClones(
  folders: TestFolders,
  files?: Readonly<Record<string, string | Buffer>>,
): Pair {
  const ann = folders.repository(files);
  const bob = join(folders.make(), 'bob');
  git(ann, 'clone', '-q', ann, bob);
  return { ann, bob };
}

export interface Applied {
  /** The plan in short, sorted: `add a.txt`, `CONFLICT b.txt bothChanged`, `left c.txt link`. */
  readonly plan: readonly string[];
  /** What would be staged in short, as in the plan. */
  readonly staged: readonly string[];
  /** Undefined: something stood against it, or it was only planned. */
  readonly written?: readonly string[] | undefined;
}

/** Captures what Ann has changed and lays it on Bob's files, unless only the plan is wanted. */
export async function applyAll(
  { ann, bob }: Pair,
  options: {
    readonly dryRun?: boolean;
    /** Stage here what is staged there. */
    readonly staged?: boolean;
    readonly choice?: Partial<PrepareOptions['choice']>;
    /** What the session file made of the capture. */
    readonly change?: (changes: RepositoryChanges, blobs: Map<string, Buffer>) => RepositoryChanges;
  } = {},
): Promise<Applied> {
  const captured = await capture(ann);
  const blobs = new Map(captured.blobs);
  const [taken] = captured.changes.repositories;
  if (taken === undefined) throw new Error('Ann has no repository');
  const changes = options.change?.(taken, blobs) ?? taken;
  const [repository] = await candidatesIn([bob], {});
  if (repository === undefined) throw new Error('Bob has no repository');
  const prepared = await prepareChanges(repository, changes, {
    choice: {
      without: new Set(),
      sensitive: false,
      markers: false,
      isUnsaved: () => false,
      ...options.choice,
    },
    readBlob: (hash) => {
      const bytes = blobs.get(hash);
      return bytes ? Promise.resolve(bytes) : Promise.reject(new Error(`no blob ${hash}`));
    },
  });
  try {
    const { conflicts, left } = prepared.plan;
    const plan = [
      ...inShort(prepared.plan),
      ...left.map(({ path, reason }) => `left ${path} ${reason}`),
    ].sort();
    const staged = [...inShort(prepared.staged)].sort();
    if (options.dryRun === true || conflicts.length > 0) return { plan, staged };
    const writes = await prepared.writes();
    for (const { root, path, before } of writes) {
      if (before === undefined) continue;
      const bytes = readFileSync(join(root, path));
      blobs.set(createHash('sha256').update(bytes).digest('hex'), bytes);
    }
    const indexWrites = await prepared.indexWrites(options.staged === true);
    await writeFiles(writes, () => writeIndex(indexWrites));
    return { plan, staged, written: writes.map(({ path }) => path) };
  } finally {
    await prepared.close();
  }
}

const inShort = ({
  changes,
  conflicts,
}: Pick<Prepared['plan'], 'changes' | 'conflicts'>): readonly string[] => [
  ...changes.map(({ kind, path, from, there }) => {
    const before = from === undefined ? '' : `${from} > `;
    return `${kind} ${before}${path}${there === undefined ? '' : ` (there ${there})`}`;
  }),
  ...conflicts.map(({ path, reason }) => `CONFLICT ${path} ${reason}`),
];
