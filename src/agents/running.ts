import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { AgentId } from '../core/model/thread.js';
import { agentName } from '../core/thread/names.js';
import { lockFiles, notedProcesses, type NotedIn } from './noted.js';
import { hasOpen, listProcesses, type SeenProcess } from './processes.js';
import { targets } from './targets.js';
import { sourceOf } from './registry.js';

/** A session that its agent may be working on at this moment. */
export interface WorkedOn {
  readonly agent: AgentId;
  readonly nativeId: string;
  /** The files that hold it, and nothing else. */
  readonly files: readonly string[];
  /**
   * Where it worked. An agent that runs there, and was running when the session was written last, counts as working on
   * it; absent: only what tells for certain does.
   */
  readonly cwd?: string | undefined;
  /** When it was written last, where the files are not known; milliseconds since the epoch. */
  readonly writtenAt?: number | undefined;
}

/** Where no list of processes can be had, a file that was written so lately is being written. */
const lately = 10_000;

/**
 * Refuses while an agent works on a session: a second one on the same file would mix up both. It is told by the agent's
 * own note of it, by a process that names the session in its arguments or has its file open; where processes cannot be
 * seen, by a file that has just been written.
 *
 * @throws ExpectedError `agentRunning`
 */
export async function refuseWhileRunning(session: WorkedOn, home: NotedIn = here): Promise<void> {
  const pid = await findRunning(session, home);
  if (pid === undefined) return;
  const name = agentName(session.agent);
  if (pid === 0) {
    throw new ExpectedError(
      'agentRunning',
      '{0} has written to this conversation just now.',
      [name],
      {
        next: 'Wait until it is done, or go on from here as a new conversation.',
      },
    );
  }
  throw new ExpectedError(
    'agentRunning',
    '{0} is working on this conversation at the moment (process {1}).',
    [name, pid],
    { next: 'End it there first, or go on from here as a new conversation.' },
  );
}

const here: NotedIn = { env: process.env, userHome: homedir() };

/** The process that works on a session; 0 when only its file tells, undefined when there is none. */
export async function findRunning(
  { agent, nativeId, files, cwd, writtenAt: known = 0 }: WorkedOn,
  home: NotedIn = here,
): Promise<number | undefined> {
  const seen = await listProcesses();
  const noted = await notedProcesses(agent, nativeId, home);
  const isRunning = (pid: number): boolean =>
    seen === undefined ? isAlive(pid) : seen.some((one) => one.pid === pid && isOf(one));
  const isOf = isProgramOf(agent);
  const pid = noted?.find(isRunning);
  if (pid !== undefined) return pid;
  const writtenAt = Math.max(known, await lastWritten(files));
  if (seen === undefined) return Date.now() - writtenAt < lately ? 0 : undefined;
  const open = new Set([...files, ...lockFiles(agent, nativeId, home)]);
  for (const one of seen.filter(isOf)) {
    if (names(one, nativeId) || (await hasOpen(one.pid, open))) return one.pid;
    // An agent that writes down what it works on is not on a session that it does not name.
    const isThere = noted === undefined && cwd !== undefined && one.cwd === cwd;
    if (isThere && (one.startedAt ?? Infinity) < writtenAt && !namesAnother(one)) return one.pid;
  }
  return undefined;
}

/** Whether a process was told to go on with some session. */
const namesAnother = ({ argv }: SeenProcess): boolean =>
  argv.some((word) =>
    /^(?:.*=)?(?:ses_\w+|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(word),
  );

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** `ID`, `--resume=ID`. */
const names = ({ argv }: SeenProcess, nativeId: string): boolean =>
  argv.some((word) => word === nativeId || word.endsWith(`=${nativeId}`));

/** Whether a process is an agent's: its program, or a script of its package, stands first. */
function isProgramOf(agent: AgentId): (seen: SeenProcess) => boolean {
  const word = sourceOf(agent)?.resume?.({ nativeId: anyId })?.[0];
  const target = targets.find((one) => one.agent === agent);
  const session = { id: anyId, cwd: '', now: 0, facts: {}, uuid: () => anyId };
  const program = word ?? target?.resume(session)[0];
  const pack = /npm install -g (\S+)/.exec(target?.getIt ?? '')?.[1];
  return ({ argv }) =>
    argv.slice(0, 4).some((part) => {
      const name = basename(part.replaceAll('\\', '/')).replace(/\.(?:[cm]?js|exe)$/, '');
      return name === program || (pack !== undefined && part.includes(`/${pack}/`));
    });
}

const anyId = '00000000-0000-4000-8000-000000000000';

/** When one of the files was written last, in milliseconds since the epoch; 0 for files that are not there. */
async function lastWritten(files: readonly string[]): Promise<number> {
  const times = files.map((file) =>
    stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    ),
  );
  return Math.max(0, ...(await Promise.all(times)));
}
