import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { AgentId } from '../core/model/thread.js';
import { agentName } from '../core/thread/names.js';
import { hasOpen, listProcesses, type SeenProcess } from './processes.js';
import { targets } from './targets.js';
import { sourceOf } from './registry.js';

/** A session that its agent may be working on at this moment. */
export interface WorkedOn {
  readonly agent: AgentId;
  readonly nativeId: string;
  /** The files that hold it, and nothing else. */
  readonly files: readonly string[];
}

/** Where no list of processes can be had, a file that was written so lately is being written. */
const lately = 10_000;

/**
 * Refuses while an agent works on a session: a second one on the same file would mix up both. It is told by the agent's
 * process, which names the session in its arguments or has its file open; where processes cannot be seen, by a file
 * that has just been written.
 *
 * @throws ExpectedError `agentRunning`
 */
export async function refuseWhileRunning(session: WorkedOn): Promise<void> {
  const pid = await findRunning(session);
  if (pid === undefined) return;
  const name = agentName(session.agent);
  throw new ExpectedError(
    'agentRunning',
    '{0} is working on this conversation at the moment ({1}).',
    [name, pid === 0 ? 'its file has just been written' : `process ${pid}`],
    { next: 'End it there first, or go on from here as a new conversation.' },
  );
}

/** The process that works on a session; 0 when only its file tells, undefined when there is none. */
export async function findRunning(session: WorkedOn): Promise<number | undefined> {
  const seen = await listProcesses();
  if (seen === undefined) return (await isBeingWritten(session.files)) ? 0 : undefined;
  const files = new Set(session.files);
  for (const one of seen.filter(isProgramOf(session.agent))) {
    if (names(one, session.nativeId) || (await hasOpen(one.pid, files))) return one.pid;
  }
  return undefined;
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

async function isBeingWritten(files: readonly string[]): Promise<boolean> {
  const now = Date.now();
  for (const file of files) {
    const at = await stat(file).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    );
    if (now - at < lately) return true;
  }
  return false;
}
