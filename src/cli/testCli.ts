import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Builds the command line into one file, which starts in a fraction of the time that the sources take;
 * below `node_modules`, where it finds its packages. Answers with the file; its folder is to be removed.
 */
export async function buildCli(): Promise<string> {
  const cache = join(root, 'node_modules', '.cache');
  mkdirSync(cache, { recursive: true });
  const outfile = join(mkdtempSync(join(cache, 'keepthread-cli-')), 'cli.js');
  await build({
    entryPoints: [join(root, 'src/cli/main.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    outfile,
  });
  return outfile;
}

/** Runs the real git as somebody; what it printed. */
export const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b.invalid', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user with an empty home, a store and a folder to work in; runs the real command line as them. */
export class TestUser {
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), 'keepthread-cli-')));
  readonly store = join(this.home, 'store');
  readonly folder = join(this.home, 'work');

  constructor(private readonly cli: string) {
    mkdirSync(this.folder);
  }

  run(
    args: readonly string[],
    options: {
      readonly closeStdout?: boolean;
      readonly env?: Readonly<Record<string, string>>;
    } = {},
  ): Promise<Run> {
    const child = spawn(process.execPath, [this.cli, ...args], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        SystemRoot: process.env['SystemRoot'],
        HOME: this.home,
        USERPROFILE: this.home,
        APPDATA: join(this.home, 'AppData'),
        KEEPTHREAD_HOME: this.store,
        TZ: 'UTC',
        ...options.env,
      },
    });
    if (options.closeStdout) child.stdout.destroy();
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** The value that a command prints; fails when the command does. */
  async json(...args: readonly string[]): Promise<unknown> {
    const { code, stdout, stderr } = await this.run([...args, '--json']);
    if (code !== 0) throw new Error(`exit code ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** A conversation of one prompt and answer a minute ago, as Claude Code keeps it; answers with its file. */
  claude(prompt: string, cwd = this.folder): string {
    const sessionId = randomUUID();
    const begin = Date.now() - 60_000;
    const prompted = randomUUID();
    const record = (type: string, after: number, message: object): string =>
      JSON.stringify({
        type,
        uuid: type === 'user' ? prompted : randomUUID(),
        parentUuid: type === 'user' ? null : prompted,
        sessionId,
        cwd,
        version: '2.0.0',
        timestamp: new Date(begin + after).toISOString(),
        message,
      });
    const file = join(
      this.home,
      '.claude/projects',
      cwd.replace(/[^A-Za-z0-9]/g, '-'),
      `${sessionId}.jsonl`,
    );
    mkdirSync(dirname(file), { recursive: true });
    const lines = [
      record('user', 0, { role: 'user', content: prompt }),
      record('assistant', 1000, {
        role: 'assistant',
        id: 'msg_1',
        model: 'claude-test',
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: 'Done.' }],
      }),
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }
}
