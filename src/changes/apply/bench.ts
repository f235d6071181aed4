import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ExpectedError } from '../../core/errors.js';
import { complaintOf, gitText, runGit, type GitOptions, type GitResult } from '../git.js';
import type { FoundRepository } from '../repositories.js';

export interface BenchCall {
  readonly input?: Uint8Array | undefined;
  /** Name of an index of the bench's own; absent: none is used. */
  readonly index?: string | undefined;
}

/**
 * A place to try things with a repository's content: indexes and new objects are in a folder of their own,
 * the repository is only read.
 */
export class Bench {
  private constructor(
    readonly repository: FoundRepository,
    readonly folder: string,
    private readonly options: GitOptions,
  ) {}

  static async open(repository: FoundRepository, options: GitOptions): Promise<Bench> {
    const folder = await mkdtemp(join(tmpdir(), 'keepthread-apply-'));
    const bench = new Bench(repository, folder, options);
    try {
      const { root } = repository;
      const own = await gitText(root, ['rev-parse', '--git-path', 'objects'], options);
      if (own === undefined) throw new ExpectedError('gitFailed', 'Git cannot read {0}.', [root]);
      const info = join(folder, 'objects', 'info');
      await mkdir(info, { recursive: true, mode: 0o700 });
      // https://git-scm.com/docs/gitrepository-layout: one path a line, quoted as in C.
      await writeFile(join(info, 'alternates'), `${quoted(resolve(root, own))}\n`);
      return bench;
    } catch (error) {
      await bench.close();
      throw error;
    }
  }

  get root(): string {
    return this.repository.root;
  }

  /** A path inside of the bench. */
  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  try(args: readonly string[], { input, index }: BenchCall = {}): Promise<GitResult> {
    return runGit(this.root, args, {
      ...this.options,
      input,
      index: this.path(index ?? 'none'),
      objects: this.path('objects'),
      timeoutMs: 300_000,
    });
  }

  /** @throws ExpectedError `gitFailed` */
  async run(args: readonly string[], call: BenchCall = {}): Promise<Buffer> {
    const result = await this.try(args, call);
    if (result.code === 0) return result.stdout;
    throw new ExpectedError('gitFailed', 'git {0} failed in {1}: {2}', [
      args[0] ?? '',
      this.root,
      result.truncated ? 'too much output' : complaintOf(result),
    ]);
  }

  async close(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

const quoted = (path: string): string =>
  /["\n\\]|^#/.test(path) ? `"${path.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"` : path;
