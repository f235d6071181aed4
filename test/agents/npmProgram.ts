import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** An agent's program that npm brings, and how it is driven without a person. */
export interface NpmProgram {
  /** Of its command. */
  readonly name: string;
  readonly package: string;
  /** Kept transcripts carry it in their name. */
  readonly version: string;
  /** Settings, by path below the home. */
  readonly settings: (endpoint: string) => Readonly<Record<string, unknown>>;
  readonly env: (endpoint: string) => Readonly<Record<string, string>>;
  /** Arguments for one prompt; those that name the session to go on with come from us. */
  readonly args: (prompt: string, session: Session) => readonly string[];
}

/** A new session, the newest one, or the one that an argv of ours names. */
export type Session = 'new' | 'latest' | readonly string[];

export interface Run {
  readonly program: NpmProgram;
  readonly home: string;
  readonly cwd: string;
  readonly endpoint: string;
}

const root = fileURLToPath(new URL('../../.vscode-test/agents', import.meta.url));

const folderOf = ({ name, version }: NpmProgram): string => path.join(root, `${name}-${version}`);

const packageOf = (program: NpmProgram): string =>
  path.join(folderOf(program), 'node_modules', program.package);

/** Puts the real program into `.vscode-test/agents`, once. No install script is run. */
export async function install(program: NpmProgram): Promise<void> {
  if (existsSync(path.join(packageOf(program), 'package.json'))) return;
  const folder = folderOf(program);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const wanted = `${program.package}@${program.version}`;
  await promisify(execFile)('npm', ['install', ...flags, wanted], {
    cwd: folder,
    // npm is a script on Windows, which only a shell starts; nothing here comes from outside.
    shell: process.platform === 'win32',
  });
}

/** The program's script, which Node.js runs: its command would need a shell on Windows. */
async function scriptOf(program: NpmProgram): Promise<string> {
  const file = path.join(packageOf(program), 'package.json');
  const { bin } = JSON.parse(await readFile(file, 'utf8')) as {
    bin: string | Readonly<Record<string, string>>;
  };
  const script = typeof bin === 'string' ? bin : bin[program.name];
  if (script === undefined) throw new Error(`${program.package} has no command ${program.name}`);
  return path.join(packageOf(program), script);
}

/** Writes the settings, where they are not there yet. */
export async function configure({ program, home, endpoint }: Run): Promise<void> {
  for (const [name, value] of Object.entries(program.settings(endpoint))) {
    const file = path.join(home, name);
    if (existsSync(file)) continue;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof value === 'string' ? value : JSON.stringify(value));
  }
}

/** Starts one prompt: in a home of its own, with no way out but the endpoint, as a group of processes. */
export async function start(
  run: Run,
  prompt: string,
  session: Session = 'new',
): Promise<ChildProcess> {
  const { program, endpoint, home, cwd } = run;
  const { PATH, SystemRoot } = process.env;
  const script = await scriptOf(program);
  return spawn(process.execPath, [script, ...program.args(prompt, session)], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      SystemRoot,
      HOME: home,
      USERPROFILE: home,
      TERM: 'dumb',
      ...program.env(endpoint),
    },
  });
}

/** Ends a program and all that it started, at once. */
export function kill({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

/** One prompt from start to end; rejects with what the program printed if it fails. */
export async function ask(run: Run, prompt: string, session: Session = 'new'): Promise<void> {
  const child = await start(run, prompt, session);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${run.program.name} ended with ${String(code)}: ${printed}`);
}
