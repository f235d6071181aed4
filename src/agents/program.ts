import { access, constants, readFile, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home: agents install themselves below it; absent: only the search path is looked through. */
  readonly userHome?: string | undefined;
  /** The program that runs scripts; absent: this process's own. */
  readonly node?: string | undefined;
}

/** A program and its arguments, fit for `spawn` and for a terminal's `shellPath` and `shellArgs`. */
export interface Started {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * Finds a command in the search path, and says how to start it without a shell. On Windows most agents
 * are `.cmd` files that npm made: those only a shell starts, and a shell would read the arguments, so
 * what they start is started instead. Undefined: it is not installed.
 */
export async function findProgram(
  argv: readonly string[],
  machine: Machine,
): Promise<Started | undefined> {
  const [name = '', ...args] = argv;
  const file = await inSearchPath(name, machine);
  if (file === undefined) return undefined;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args };
  const script = scriptOfShim(await readFile(file, 'utf8').catch(() => ''), win32.dirname(file));
  if (script === undefined) return undefined;
  return /\.[cm]?js$/i.test(script)
    ? { file: machine.node ?? process.execPath, args: [script, ...args] }
    : { file: script, args };
}

/** Where agents install themselves. An editor that no shell started often has a shorter search path. */
const usual = ['.local/bin', '.claude/local', '.npm-global/bin', '.opencode/bin', '.bun/bin'];

async function inSearchPath(
  name: string,
  { platform, env, userHome }: Machine,
): Promise<string | undefined> {
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const entry = Object.entries(env).find(([key]) =>
    isWindows ? key.toUpperCase() === 'PATH' : key === 'PATH',
  );
  const endings = isWindows ? ['.exe', '.cmd', '.bat'] : [''];
  const own = userHome === undefined ? [] : usual.map((folder) => path.join(userHome, folder));
  for (const folder of [...(entry?.[1] ?? '').split(path.delimiter), ...own]) {
    // A relative folder would mean another program in every folder.
    if (!path.isAbsolute(folder)) continue;
    for (const ending of endings) {
      const file = path.join(folder, `${name}${ending}`);
      if (await isProgram(file, isWindows)) return file;
    }
  }
  return undefined;
}

async function isProgram(file: string, isWindows: boolean): Promise<boolean> {
  try {
    if (!(await stat(file)).isFile()) return false;
    if (!isWindows) await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * What a `.cmd` file of npm starts: its last line is `… "%dp0%\node_modules\…\cli.js" %*`. Undefined for
 * any other file.
 */
export function scriptOfShim(shim: string, folder: string): string | undefined {
  const [, inner] = /"%(?:~dp0|dp0%)\\?([^"%]+)"\s+%\*/i.exec(shim) ?? [];
  return inner === undefined ? undefined : win32.join(folder, inner);
}
