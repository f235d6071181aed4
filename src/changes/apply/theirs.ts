import { createHash } from 'node:crypto';
import type { RepositoryChanges } from '../../core/model/changes.js';
import type { Side } from '../../core/apply/decide.js';
import type { ConflictReason, LeftReason, PlanNote } from '../../core/apply/types.js';
import { patchSections } from '../../core/patchSections.js';
import type { Bench } from './bench.js';

/** A file as the session has it, against the commit that its changes lie on. */
export interface TheirFile {
  readonly path: string;
  /** Path at the commit, of a file that was moved. */
  readonly from?: string | undefined;
  readonly base?: Side | undefined;
  /** Absent: the session deleted it. */
  readonly theirs?: Side | undefined;
  /** SHA-256 (hex) of its bytes in the vault, where git does not have them. */
  readonly raw?: string | undefined;
}

export interface TheirState {
  /** Commit or tree that the changes lie on. */
  readonly base: string;
  readonly files: readonly TheirFile[];
  /** What their index has that the commit does not. */
  readonly staged: readonly TheirFile[];
  readonly left: readonly PlanNote<LeftReason>[];
  readonly conflicts: readonly PlanNote<ConflictReason>[];
}

const index = 'theirs';
const file = '100644';
const program = '100755';

/**
 * Lays a session's patches on their commit in an index of the bench's own. Names are as the session has
 * them: whoever writes has to look at them first.
 *
 * @param readBlob contents of the vault by SHA-256 (hex); rejects for one that is not there
 */
export async function readTheirs(
  bench: Bench,
  changes: RepositoryChanges,
  readBlob: (hash: string) => Promise<Uint8Array>,
): Promise<TheirState> {
  const base =
    changes.head ?? (await bench.run(['mktree'], { input: new Uint8Array() })).toString().trim();
  await bench.run(['read-tree', base], { index });
  const laid = new Laid(bench, changes);
  const lay = async (kind: 'staged' | 'unstaged'): Promise<readonly TheirFile[]> => {
    const hash = changes[kind];
    const patch = hash === undefined ? undefined : await readBlob(hash).catch(() => undefined);
    if (patch !== undefined) await laid.lay(kind, patch);
    return differencesFrom(bench, base, index);
  };
  const staged = changes.staged === undefined ? [] : await lay('staged');
  const files = new Map((await lay('unstaged')).map((one) => [one.path, one] as const));
  const left = [...laid.left];
  for (const { path, content, status } of changes.files) {
    if (laid.names.has(path)) continue;
    const bytes =
      content === undefined ? undefined : await readBlob(content).catch(() => undefined);
    if (bytes === undefined || content === undefined) {
      left.push({ path, reason: 'notSent' });
      continue;
    }
    const before = status === 'A ' ? undefined : await sideAt(bench, base, path);
    const theirs = { mode: before?.mode ?? file, content: blobHash(bytes, base.length) };
    files.set(path, { path, base: before, theirs, raw: content });
  }
  for (const { path, content, mode = 0 } of changes.untracked) {
    const bytes =
      content === undefined ? undefined : await readBlob(content).catch(() => undefined);
    if (bytes === undefined) {
      left.push({ path, reason: 'notSent' });
      continue;
    }
    const theirs = { mode: mode & 0o100 ? program : file, content: blobHash(bytes, base.length) };
    // Not tracked, so the commit has it only where the session's index deleted it.
    files.set(path, { path, base: files.get(path)?.base, theirs, raw: content });
  }
  return { base, staged, files: [...files.values()], left, conflicts: laid.conflicts };
}

/** What was laid on the commit, and what not. */
class Laid {
  readonly names = new Set<string>();
  readonly left: PlanNote<LeftReason>[] = [];
  readonly conflicts: PlanNote<ConflictReason>[] = [];

  constructor(
    private readonly bench: Bench,
    private readonly changes: RepositoryChanges,
  ) {}

  async lay(kind: 'staged' | 'unstaged', patch: Uint8Array): Promise<void> {
    if (await this.apply(patch)) {
      for (const name of await this.namesOf(patch)) this.names.add(name);
      return;
    }
    // As a whole it does not fit; by files it can be told which ones do not.
    for (const section of patchSections(patch)) {
      const [path = section.path] = await this.namesOf(section.bytes);
      const isFirstMissing = kind === 'unstaged' && this.isStaged(path) && !this.names.has(path);
      this.names.add(path);
      if (await this.apply(section.bytes)) continue;
      // The sender left out what this change lies on.
      if (isFirstMissing) this.left.push({ path, reason: 'notSent' });
      else this.conflicts.push({ path, reason: 'doesNotFit' });
    }
  }

  private async apply(patch: Uint8Array): Promise<boolean> {
    const args = [
      'apply',
      '--cached',
      '--binary',
      '--whitespace=nowarn',
      '--no-ignore-whitespace',
      '-',
    ];
    return (await this.bench.try(args, { index, input: patch })).code === 0;
  }

  private async namesOf(patch: Uint8Array): Promise<readonly string[]> {
    const { stdout } = await this.bench.try(['apply', '--numstat', '-z', '-'], { input: patch });
    return stdout
      .toString('utf8')
      .split('\0')
      .flatMap((line) => (line === '' ? [] : [line.split('\t').slice(2).join('\t')]));
  }

  private isStaged(path: string): boolean {
    const { status = '  ' } = this.changes.files.find((one) => one.path === path) ?? {};
    return status.charAt(0) !== ' ';
  }
}

/** The hash that git gives to a content; the repository's hashes are so long (SHA-1 or SHA-256). */
function blobHash(bytes: Uint8Array, digits: number): string {
  const hash = createHash(digits === 40 ? 'sha1' : 'sha256');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

async function sideAt(bench: Bench, tree: string, path: string): Promise<Side | undefined> {
  const out = await bench.try(['ls-tree', '-z', '--full-tree', tree, '--', path]);
  const [mode, , content] = text(out.stdout).split(/[ \t]/);
  return out.code !== 0 || !mode || !content ? undefined : { mode, content };
}

/** What an index of the bench has that a commit does not, with what git takes for moved. */
export async function differencesFrom(
  bench: Bench,
  base: string,
  name: string,
): Promise<readonly TheirFile[]> {
  const args = ['diff-index', '--cached', '--raw', '-z', '-r', '-M', '--no-abbrev', base];
  return parseRaw(await bench.run(args, { index: name }));
}

/** Format: https://git-scm.com/docs/git-diff-index#_raw_output_format */
function parseRaw(output: Buffer): readonly TheirFile[] {
  const fields = output.toString('utf8').split('\0');
  const files: TheirFile[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const [before = '', after = '', from = '', to = '', status = ''] =
      fields[at]?.slice(1).split(' ') ?? [];
    const isMove = /^[RC]/.test(status);
    const path = fields[at + (isMove ? 2 : 1)] ?? '';
    files.push({
      path,
      from: isMove ? fields[at + 1] : undefined,
      base: side(before, from),
      theirs: side(after, to),
    });
    at += isMove ? 3 : 2;
  }
  return files;
}

const side = (mode: string, content: string): Side | undefined =>
  /^0+$/.test(mode) ? undefined : { mode, content };

const text = (bytes: Buffer): string => bytes.toString('utf8').trim();
