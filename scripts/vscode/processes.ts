import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

const running = new Set<ChildProcess>();

/**
 * Starts a process together with whatever it will start itself; all of them end with this one, on
 * Ctrl-C too.
 */
export const start = (
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess => {
  // Its own group on POSIX, so that the extension hosts and shells it starts can be ended with it.
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32' });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
};

/** Ends a process and those it started, and waits until it is gone. */
export const stop = async (
  child: ChildProcess,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  signalTree(child, signal);
  const late = setTimeout(() => signalTree(child, 'SIGKILL'), 5_000);
  await gone;
  clearTimeout(late);
};

const signalTree = ({ pid }: ChildProcess, signal: NodeJS.Signals): void => {
  if (pid === undefined) return;
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The group has gone already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

process.once('exit', () => {
  for (const child of running) signalTree(child, 'SIGKILL');
});
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  process.once(signal, () => process.exit(code));
}
