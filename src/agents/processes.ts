import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A process of this user, as far as the system tells. */
export interface SeenProcess {
  readonly pid: number;
  readonly argv: readonly string[];
  /** Its working folder; only Linux tells it without a helper. */
  readonly cwd?: string | undefined;
  /** Milliseconds since the epoch; told with {@link cwd}. */
  readonly startedAt?: number | undefined;
}

/**
 * The processes of this user, without this one; undefined where the system has no list that can be asked in time
 * (Windows).
 */
export async function listProcesses(
  platform: NodeJS.Platform = process.platform,
): Promise<readonly SeenProcess[] | undefined> {
  if (platform === 'linux') return fromProc();
  return platform === 'win32' ? undefined : fromPs();
}

const proc = '/proc';
/** What the kernel counts a process's start in: USER_HZ, 100 a second on every usual Linux. */
const msPerTick = 10;

async function fromProc(): Promise<readonly SeenProcess[] | undefined> {
  const names = await readdir(proc).catch(() => undefined);
  const pids = names?.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const bootedAt = Date.now() - uptime() * 1000;
  return pids && (await Promise.all(pids.map((pid) => seenInProc(pid, bootedAt)))).flat();
}

async function seenInProc(name: string, bootedAt: number): Promise<readonly SeenProcess[]> {
  try {
    // The folder of another user's process cannot be read.
    const cwd = await readlink(join(proc, name, 'cwd'));
    const line = await readFile(join(proc, name, 'cmdline'), 'utf8');
    const argv = line.split('\0').filter((word) => word !== '');
    // proc_pid_stat(5): behind the name, which may hold anything, the start is the 20th field.
    const stat = await readFile(join(proc, name, 'stat'), 'utf8');
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]);
    const startedAt = bootedAt + ticks * msPerTick;
    return argv.length === 0 ? [] : [{ pid: Number(name), argv, cwd, startedAt }];
  } catch {
    return [];
  }
}

/** Whether a process has one of the files open; told on Linux alone. */
export async function hasOpen(pid: number, files: ReadonlySet<string>): Promise<boolean> {
  const folder = join(proc, String(pid), 'fd');
  const names = await readdir(folder).catch((): string[] => []);
  const open = await Promise.all(
    names.map((name) => readlink(join(folder, name)).catch(() => undefined)),
  );
  return open.some((path) => path !== undefined && files.has(path));
}

/** The words of a command that has spaces in it cannot be told apart, and ids have none. */
async function fromPs(): Promise<readonly SeenProcess[] | undefined> {
  try {
    const argv = ['-axww', '-o', 'pid=,command='];
    const { stdout } = await promisify(execFile)('ps', argv, { maxBuffer: 16 * 1024 ** 2 });
    return stdout.split('\n').flatMap((line) => {
      const [, pid = '', command = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
      const isOther = pid !== '' && Number(pid) !== process.pid;
      return isOther ? [{ pid: Number(pid), argv: command.split(/\s+/) }] : [];
    });
  } catch {
    return undefined;
  }
}
