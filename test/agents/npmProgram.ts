import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { askInTerminal, type InTerminal } from './terminal.js';

/** An agent's program that npm brings, and how it is driven without a person. */
export interface NpmProgram {
  /** Of its command. */
  readonly name: string;
  /** Its package; of a program that is built for each platform, that of this one, if there is any. */
  readonly package: string | ((on: Platform) => string | undefined);
  /** Kept transcripts carry it in their name. */
  readonly version: string;
  /** The program in its package, where it is built; else its command is a script, which Node.js runs. */
  readonly binary?: string;
  /** Settings, by path below the home. */
  readonly settings: (endpoint: string) => Readonly<Record<string, unknown>>;
  /** `folder` is where the program is installed: what it unpacks may stay there. */
  readonly env: (endpoint: string, folder: string) => Readonly<Record<string, string>>;
  /** Arguments for one prompt; those that name the session to go on with come from us. */
  readonly args: (prompt: string, session: Session) => readonly string[];
  /** Where a session can only be gone on with in a terminal. */
  readonly terminal?: {
    /** Flags beside ours. */
    readonly flags: readonly string[];
    readonly isReady: InTerminal['isReady'];
    readonly isDone: (home: string, prompt: string) => Promise<boolean>;
  };
}

export interface Platform {
  readonly system: 'linux' | 'darwin' | 'windows';
  readonly arch: string;
  readonly isMusl: boolean;
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

const folderOf = ({ name, version }: Installable): string => path.join(root, `${name}-${version}`);

type Installable = Pick<NpmProgram, 'name' | 'version'>;

const here: Platform = {
  system:
    process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'darwin' : 'linux',
  arch: process.arch,
  isMusl: existsSync('/etc/alpine-release'),
};

const packageOf = ({ package: named }: NpmProgram): string | undefined =>
  typeof named === 'string' ? named : named(here);

/** Why the real program cannot be had here; undefined when it can. */
export function whyNot(program: NpmProgram): string | undefined {
  return packageOf(program) === undefined
    ? `${program.name} is not built for ${here.system}-${here.arch}`
    : undefined;
}

/** Puts the real program into `.vscode-test/agents`, once. */
export async function install(program: NpmProgram): Promise<void> {
  const name = packageOf(program);
  if (name === undefined) throw new Error(whyNot(program));
  await installPackage(program, name);
  if (program.terminal !== undefined) await installPackage(pty, '@lydell/node-pty');
}

const pty: Installable = { name: 'pty', version: '1.1.0' };

/** No install script is run. */
async function installPackage(wanted: Installable, name: string): Promise<void> {
  const folder = folderOf(wanted);
  if (existsSync(path.join(folder, 'node_modules', name, 'package.json'))) return;
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', ...flags, `${name}@${wanted.version}`], {
    cwd: folder,
    // npm is a script on Windows, which only a shell starts; nothing here comes from outside.
    shell: process.platform === 'win32',
  });
}

/** The program, and its script where Node.js runs it: its command would need a shell on Windows. */
async function commandOf(program: NpmProgram): Promise<readonly [string, ...string[]]> {
  const name = packageOf(program) ?? '';
  const folder = path.join(folderOf(program), 'node_modules', name);
  if (program.binary !== undefined) {
    return [path.join(folder, program.binary + (here.system === 'windows' ? '.exe' : ''))];
  }
  const { bin } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as {
    bin: string | Readonly<Record<string, string>>;
  };
  const script = typeof bin === 'string' ? bin : bin[program.name];
  if (script === undefined) throw new Error(`${name} has no command ${program.name}`);
  return [process.execPath, path.join(folder, script)];
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

/** No way out but the endpoint, and nothing of the person who runs the tests. */
function envOf({ program, endpoint, home }: Run): Record<string, string | undefined> {
  const { PATH, SystemRoot } = process.env;
  const own = program.env(endpoint, folderOf(program));
  const temporary = path.join(path.dirname(home), 'tmp');
  return {
    PATH,
    SystemRoot,
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TEMP: temporary,
    TERM: 'dumb',
    ...own,
  };
}

/** What the program's own commands are started with: it is in the search path. */
export async function environmentOf(run: Run): Promise<Record<string, string | undefined>> {
  const [command] = await commandOf(run.program);
  const env = envOf(run);
  return { ...env, PATH: [path.dirname(command), env['PATH']].join(path.delimiter) };
}

/** Starts one prompt: in a home of its own, as a group of processes. */
export async function start(
  run: Run,
  prompt: string,
  session: Session = 'new',
): Promise<ChildProcess> {
  const [command, ...before] = await commandOf(run.program);
  return spawn(command, [...before, ...run.program.args(prompt, session)], {
    cwd: run.cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: envOf(run),
  });
}

/** Ends a program and all that it started, at once. */
export function kill({ pid }: ChildProcess): void {
  if (pid !== undefined) process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
}

/** One prompt from start to end; rejects with what the program printed if it fails. */
export async function ask(run: Run, prompt: string, session: Session = 'new'): Promise<void> {
  const { terminal, name } = run.program;
  if (terminal !== undefined && session !== 'new' && session !== 'latest') {
    const command = [...(await commandOf(run.program)), ...session, ...terminal.flags];
    const isDone = (typed: string): Promise<boolean> => terminal.isDone(run.home, typed);
    const about = { ptyFolder: folderOf(pty), cwd: run.cwd, command, env: envOf(run) };
    await askInTerminal({ ...about, isReady: terminal.isReady, isDone }, prompt);
    return;
  }
  const child = await start(run, prompt, session);
  let printed = '';
  child.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${printed}`);
}
