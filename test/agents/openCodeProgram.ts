import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A program of OpenCode's family: what it is called, and where npm has it built for each platform. */
export interface Program {
  readonly word: 'opencode' | 'kilo';
  readonly version: string;
  /** Name of the package for a platform (`linux-x64`). */
  readonly packageFor: (platform: string) => string;
}

export const openCodeProgram: Program = {
  word: 'opencode',
  version: process.env['OPENCODE_VERSION'] ?? '1.18.33',
  packageFor: (platform) => `opencode-${platform}`,
};

export const kiloProgram: Program = {
  word: 'kilo',
  version: process.env['KILO_VERSION'] ?? '7.7.9',
  packageFor: (platform) => `@kilocode/cli-${platform}`,
};

const built = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'];
const root = fileURLToPath(new URL('../../.vscode-test/agents', import.meta.url));

const platform = (): string => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const musl = system === 'linux' && existsSync('/etc/alpine-release') ? '-musl' : '';
  return `${system}-${process.arch}${musl}`;
};

/** Why the real program cannot be had here; undefined when it can. */
export const whyNot = (): string | undefined =>
  built.includes(platform().replace('-musl', '')) ? undefined : `it is not built for ${platform()}`;

/** Puts the real program into `.vscode-test/agents`, once; returns its path. No install script is run. */
export async function install({ word, version, packageFor }: Program): Promise<string> {
  const name = packageFor(platform());
  const folder = path.join(root, `${word}-${version}`);
  const file = process.platform === 'win32' ? `${word}.exe` : word;
  const program = path.join(folder, 'node_modules', name, 'bin', file);
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...flags, `${name}@${version}`], {
    cwd: folder,
    // npm is a script on Windows, which only a shell starts; nothing here comes from outside.
    shell: process.platform === 'win32',
  });
  return program;
}

export interface Run {
  readonly word: Program['word'];
  readonly program: string;
  readonly home: string;
  readonly cwd: string;
  /** The model's address. */
  readonly endpoint: string;
}

/** The program's settings: one model, on our endpoint, in the form that the endpoint speaks. */
export async function configure({ word, home, endpoint }: Run): Promise<void> {
  const folder = path.join(home, '.config', word);
  await mkdir(folder, { recursive: true });
  const provider = {
    npm: '@ai-sdk/anthropic',
    name: 'Scripted',
    options: { baseURL: `${endpoint}/v1`, apiKey: 'dummy' },
    models: { m1: { name: 'm1', tool_call: true, attachment: true } },
  };
  const config = {
    autoupdate: false,
    share: 'disabled',
    model: 'scripted/m1',
    small_model: 'scripted/m1',
    permission: { '*': 'allow' },
    provider: { scripted: provider },
  };
  await writeFile(path.join(folder, `${word}.json`), JSON.stringify(config));
}

/** Starts one prompt: in a home of its own, with no way out but the endpoint. */
export function start(run: Run, prompt: string, args: readonly string[] = []): ChildProcess {
  const { PATH, SystemRoot } = process.env;
  const upper = run.word.toUpperCase();
  const off = ['MODELS_FETCH', 'AUTOUPDATE', 'LSP_DOWNLOAD', 'DEFAULT_PLUGINS', 'SHARE'];
  return spawn(run.program, ['run', ...args, prompt], {
    cwd: run.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      SystemRoot,
      HOME: run.home,
      USERPROFILE: run.home,
      TERM: 'dumb',
      // It looks for a package of its own to put beside its settings.
      npm_config_registry: run.endpoint,
      ...Object.fromEntries(off.map((name) => [`${upper}_DISABLE_${name}`, '1'])),
    },
  });
}

/** One prompt from start to end; rejects with what the program printed if it fails. */
export async function ask(run: Run, prompt: string, args: readonly string[] = []): Promise<void> {
  const child = start(run, prompt, args);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${run.word} ended with ${String(code)}: ${printed}`);
}
