import { spawn } from 'node:child_process';
import { devNull } from 'node:os';
import { dirname } from 'node:path';
import { ExpectedError } from '../core/errors.js';

export interface GitOptions {
  /** Absolute path of git, as VS Code's git extension found it; else `git` on the PATH. */
  readonly gitPath?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface GitRunOptions extends GitOptions {
  /** Standard output above this many bytes ends git; the result is then `truncated`. */
  readonly maxBytes?: number;
  /** Milliseconds after which git is ended. */
  readonly timeoutMs?: number;
  /** Index file to read instead of the repository's own. */
  readonly index?: string | undefined;
  /** Folder for new objects instead of the repository's own, which is never written then. */
  readonly objects?: string | undefined;
  readonly input?: Uint8Array | undefined;
  /** Lets git speak to a remote, without asking for a password. */
  readonly network?: boolean | undefined;
}

export interface GitResult {
  /** -1 when git was ended by a signal. */
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** Git had more to say than `maxBytes`. */
  readonly truncated: boolean;
}

const defaultMaxBytes = 64 * 1024 * 1024;
const defaultTimeoutMs = 60_000;
const maxStderrBytes = 16 * 1024;

/** A repository's own configuration must not make reading it run a program. */
const safeArguments = ['--no-pager', '-c', 'core.fsmonitor=', '-c', `core.hooksPath=${devNull}`];

/**
 * Runs git on a folder by argv, without a shell, and collects what it says. An exit code other than
 * 0 is a result, not an error.
 *
 * @throws ExpectedError `noGit` where there is no git, `gitTimeout` when it took too long; the
 * signal's reason when aborted.
 */
export async function runGit(
  folder: string,
  args: readonly string[],
  options: GitRunOptions = {},
): Promise<GitResult> {
  const { gitPath = 'git', signal, maxBytes = defaultMaxBytes, input } = options;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const child = spawn(gitPath, [...safeArguments, '-C', folder, ...args], {
      // Windows looks for a bare name in the working folder first, which could be the repository.
      cwd: dirname(process.execPath),
      env: environment(options),
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const out = new Collected(maxBytes);
    const err = new Collected(maxStderrBytes);

    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      act();
    };
    // SIGTERM lets git end the filters that it started; it holds no lock that could stay behind.
    const end = (act: () => void): void => {
      child.kill('SIGTERM');
      child.stdout?.destroy();
      child.stderr?.destroy();
      settle(act);
    };
    const abort = (): void => end(() => reject(asError(signal?.reason)));
    const timer = setTimeout(() => {
      end(() => reject(timeoutError(args)));
    }, options.timeoutMs ?? defaultTimeoutMs);
    signal?.addEventListener('abort', abort, { once: true });

    const result = (code: number, truncated: boolean): GitResult => {
      return { code, stdout: out.bytes(), stderr: err.bytes().toString('utf8'), truncated };
    };
    child.stdout?.on('data', (chunk: Buffer) => {
      if (!out.add(chunk)) end(() => resolve(result(-1, true)));
    });
    child.stderr?.on('data', (chunk: Buffer) => void err.add(chunk));
    child.on('error', (error) => settle(() => reject(startError(error, gitPath))));
    child.on('close', (code) => settle(() => resolve(result(code ?? -1, false))));
    // Git may stop before it has read everything; its exit code tells the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** What a successful run printed, without the last line end; `undefined` when git answered with an error. */
export async function gitText(
  folder: string,
  args: readonly string[],
  options: GitRunOptions = {},
): Promise<string | undefined> {
  const { code, stdout } = await runGit(folder, args, options);
  return code === 0 ? stdout.toString('utf8').replace(/\r?\n$/, '') : undefined;
}

/** The first line of git's complaint, for a list of problems. */
export function complaintOf(result: GitResult): string {
  const [first = ''] = result.stderr.trim().split('\n');
  return first === '' ? `git ended with code ${result.code}` : first;
}

class Collected {
  private readonly chunks: Buffer[] = [];
  private length = 0;

  constructor(private readonly limit: number) {}

  /** Keeps what fits; false when something did not. */
  add(chunk: Buffer): boolean {
    const kept = chunk.subarray(0, this.limit - this.length);
    this.chunks.push(kept);
    this.length += kept.length;
    return kept.length === chunk.length;
  }

  bytes(): Buffer {
    return Buffer.concat(this.chunks);
  }
}

/** Variables that say how git is installed and configured; others would name another repository or run programs. */
const keptVariables = new Set([
  'GIT_CEILING_DIRECTORIES',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_CONFIG_SYSTEM',
  'GIT_DISCOVERY_ACROSS_FILESYSTEM',
  'GIT_EXEC_PATH',
]);

function environment({ index, objects, network = false }: GitRunOptions): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.toUpperCase().startsWith('GIT_') || keptVariables.has(name.toUpperCase()),
  );
  return {
    ...Object.fromEntries(inherited),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LFS_SKIP_SMUDGE: '1',
    ...(network
      ? {
          GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
          GIT_ASKPASS: '',
          SSH_ASKPASS_REQUIRE: 'never',
        }
      : // A partial clone fetches what a diff needs; no protocol is allowed, so that nothing goes out.
        { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1' }),
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    ...(objects === undefined ? {} : { GIT_OBJECT_DIRECTORY: objects }),
  };
}

function startError(error: NodeJS.ErrnoException, gitPath: string): Error {
  if (error.code !== 'ENOENT' && error.code !== 'EACCES') return error;
  return new ExpectedError('noGit', 'Git was not found ({0}).', [gitPath], {
    cause: error,
    next: 'Install git or set its path, then try again.',
  });
}

function timeoutError(args: readonly string[]): Error {
  return new ExpectedError('gitTimeout', 'git {0} took too long and was ended.', [args[0] ?? '']);
}

function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
