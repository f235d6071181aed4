import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The version that the suite drives; kept transcripts carry it in their name. */
export const claudeVersion = process.env['CLAUDE_VERSION'] ?? '2.1.332';

const built = [
  'linux-x64',
  'linux-arm64',
  'darwin-x64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
];
const root = fileURLToPath(new URL('../../.vscode-test/agents', import.meta.url));

/** Why the real program cannot be had here; undefined when it can. */
export function whyNoClaude(): string | undefined {
  const platform = `${process.platform}-${process.arch}`;
  return built.includes(platform) ? undefined : `Claude Code is not built for ${platform}`;
}

/**
 * Puts the real Claude Code into `.vscode-test/agents`, once; returns its path. The package for the
 * platform holds the program itself, so no install script is run.
 */
export async function installClaude(): Promise<string> {
  const name = `@anthropic-ai/claude-code-${process.platform}-${process.arch}${libc()}`;
  const folder = path.join(root, `claude-code-${claudeVersion}`);
  const program = path.join(
    folder,
    'node_modules',
    name,
    process.platform === 'win32' ? 'claude.exe' : 'claude',
  );
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...flags, `${name}@${claudeVersion}`], {
    cwd: folder,
    // npm is a script on Windows, which only a shell starts; nothing here comes from outside.
    shell: process.platform === 'win32',
  });
  return program;
}

const libc = (): string =>
  process.platform === 'linux' && existsSync('/etc/alpine-release') ? '-musl' : '';

export interface ClaudeRun {
  readonly program: string;
  readonly home: string;
  readonly cwd: string;
  readonly endpoint: string;
}

const tools = ['Bash', 'Read', 'Write', 'Edit'];

/** Starts the program in print mode: in a home of its own, with no way out but the endpoint. */
export function startClaude(
  run: ClaudeRun,
  prompt: string,
  args: readonly string[] = [],
): ChildProcess {
  const { PATH, SystemRoot } = process.env;
  const all = [...args, '-p', prompt, '--output-format', 'json', '--allowedTools', tools.join(',')];
  return spawn(run.program, all, {
    cwd: run.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      SystemRoot,
      HOME: run.home,
      USERPROFILE: run.home,
      ANTHROPIC_BASE_URL: run.endpoint,
      ANTHROPIC_API_KEY: 'dummy',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    },
  });
}

/** One prompt from start to end; rejects with what the program printed if it fails. */
export async function askClaude(
  run: ClaudeRun,
  prompt: string,
  args: readonly string[] = [],
): Promise<void> {
  const child = startClaude(run, prompt, args);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`Claude Code ended with ${String(code)}: ${printed}`);
}
