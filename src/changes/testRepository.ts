import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Changes, RepositoryChanges } from '../core/model/changes.js';
import type { CaptureOptions } from './capture.js';
import { captureChanges } from './capture.js';

// A person's own configuration (line endings, signing, hooks) must not decide a test.
process.env['GIT_CONFIG_GLOBAL'] = devNull;
process.env['GIT_CONFIG_NOSYSTEM'] = '1';

/** Temporary folders of one suite, for tests with the real git. */
export class TestFolders {
  private readonly made: string[] = [];

  /** A new empty folder, links resolved. */
  make(): string {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'keepthread-changes-')));
    this.made.push(folder);
    return folder;
  }

  /** A new repository, with one commit of the files. */
  repository(files: Readonly<Record<string, string | Buffer>> = { 'a.txt': 'a\n' }): string {
    const root = this.make();
    git(root, 'init', '-q', '-b', 'main');
    for (const [path, content] of Object.entries(files)) write(root, path, content);
    git(root, 'add', '-A');
    git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
    return root;
  }

  remove(): void {
    for (const folder of this.made.splice(0)) rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs the real git, without asking for a name; answers with what it printed. */
export function git(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid'];
  const local = ['-c', 'protocol.file.allow=always', '-c', 'commit.gpgSign=false'];
  return execFileSync('git', [...identity, ...local, ...args], {
    cwd: folder,
    env: { ...process.env, LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).toString('utf8');
}

export function write(root: string, path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}

export interface Captured {
  readonly changes: Changes;
  readonly blobs: ReadonlyMap<string, Buffer>;
  /** The blob of a hash, or an empty one. */
  readonly text: (hash: string | undefined) => string;
}

export async function capture(
  folder: string | readonly string[],
  options: Partial<CaptureOptions> = {},
): Promise<Captured> {
  const blobs = new Map<string, Buffer>();
  const putBlob = (bytes: Uint8Array): Promise<string> => {
    const hash = createHash('sha256').update(bytes).digest('hex');
    blobs.set(hash, Buffer.from(bytes));
    return Promise.resolve(hash);
  };
  const folders = typeof folder === 'string' ? [folder] : folder;
  const changes = await captureChanges(folders, {
    maxFileBytes: 1024 * 1024,
    maxFiles: 100,
    putBlob,
    ...options,
  });
  return { changes, blobs, text: (hash) => blobs.get(hash ?? '')?.toString('utf8') ?? '' };
}

/** The only repository of a capture. */
export async function captureOne(
  folder: string,
  options: Partial<CaptureOptions> = {},
): Promise<RepositoryChanges & { readonly captured: Captured }> {
  const captured = await capture(folder, options);
  const [repository, ...more] = captured.changes.repositories;
  if (repository === undefined || more.length > 0) throw new Error('expected one repository');
  return { ...repository, captured };
}

/** Clones a repository at the captured HEAD and lays the captured changes on it; answers with the clone. */
export function rebuild(
  repository: RepositoryChanges,
  { blobs }: Captured,
  clone: string,
  config: readonly string[] = [],
): string {
  const origin = fileURLToPath(repository.root);
  const settings = config.flatMap((entry) => ['-c', entry]);
  git(dirname(clone), 'clone', '-q', '--no-checkout', ...settings, origin, clone);
  if (repository.head !== undefined) git(clone, 'checkout', '-q', '--detach', repository.head);
  const apply = (hash: string | undefined, ...args: readonly string[]): void => {
    if (hash === undefined) return;
    const patch = join(clone, '.git', 'keepthread.patch');
    writeFileSync(patch, blobs.get(hash) ?? '');
    git(clone, 'apply', '--whitespace=nowarn', ...args, patch);
  };
  apply(repository.staged, '--index');
  apply(repository.unstaged);
  for (const { path, content } of [...repository.files, ...repository.untracked]) {
    if (content !== undefined) write(clone, path, blobs.get(content) ?? '');
  }
  for (const { path, mode } of repository.untracked) {
    if (mode !== undefined) chmodSync(join(clone, path), mode);
  }
  return clone;
}

/** Every file below a folder but git's own: kind, whether it runs, and its bytes. */
export const treeOf = (root: string): readonly string[] =>
  walk(root, '.git').flatMap((path) => {
    const stat = lstatSync(join(root, path));
    if (stat.isDirectory()) return [];
    if (stat.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(root, path))}`];
    const bytes = readFileSync(join(root, path)).toString('base64');
    return [`${path} ${stat.mode & 0o111 ? 'x' : '-'} ${bytes}`];
  });

/** Everything about a folder that a write would change: names, bytes, modes and times of modification. */
export const traceOf = (folder: string): readonly string[] =>
  walk(folder).map((path) => {
    const stat = lstatSync(join(folder, path));
    const bytes = stat.isFile() ? readFileSync(join(folder, path)) : '';
    const hash = createHash('sha256').update(bytes).digest('hex');
    return `${path} ${stat.mode} ${stat.mtimeMs} ${stat.ino} ${hash}`;
  });

function walk(root: string, skip = '', below = ''): readonly string[] {
  return readdirSync(join(root, below), { withFileTypes: true })
    .filter((entry) => entry.name !== skip)
    .flatMap((entry) => {
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      return entry.isDirectory() ? [path, ...walk(root, skip, path)] : [path];
    })
    .sort();
}
