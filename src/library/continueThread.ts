import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { convertThread, type Origin } from '../agents/convert.js';
import { readBack } from '../agents/readBack.js';
import { sourceOf } from '../agents/registry.js';
import type { Converted } from '../agents/target.js';
import { targetOf } from '../agents/targets.js';
import { takeBack, writeNew, type Written } from '../agents/writeNew.js';
import { ExpectedError } from '../core/errors.js';
import { threadId } from '../core/model/ids.js';
import type { ConversionReport } from '../core/model/conversion.js';
import type { Thread } from '../core/model/thread.js';

export interface ContinueRequest {
  /** The agent that goes on, which may be the thread's own. */
  readonly agent: string;
  /** The folder in which it goes on; absent: the thread's own. */
  readonly folder?: string | undefined;
  /**
   * Goes on after this point as a new conversation: the id of the last turn that stays, or the number
   * of the last prompt that stays, from 1, with its answers.
   */
  readonly fork?: string | undefined;
  /** Puts what the model thought into its answers as quoted text, for another agent. */
  readonly foldThinking?: boolean | undefined;
}

export interface ContinueOrigin extends Origin {
  /** The agent's own file, if it is still there. */
  readonly path?: string | undefined;
}

/** What would be done, or was. */
export interface Continuation {
  readonly agent: string;
  readonly sessionId: string;
  /** What is written into the agent's store; nothing where a conversation goes on where it is. */
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** The argv that goes on with it, in {@link cwd}. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly report: ConversionReport;
  /** Turns of the thread that stay. */
  readonly turns: number;
}

/** A continuation that was thought out, and the step that writes it. */
export interface PlannedContinuation extends Continuation {
  /**
   * Writes the files and reads them back through the agent's own source; removes them again where
   * that fails.
   *
   * @param store root of all vaults: the list of what was written is kept there
   * @throws ExpectedError `exists`, `notWritten` or `notReadBack`
   */
  write(store: string): Promise<Written | undefined>;
}

/**
 * Thinks out how a thread goes on in an agent; nothing is written yet.
 *
 * @throws ExpectedError `noTarget`, `noFolder`, `folderMissing`, `emptyThread` or `turnMissing`
 */
export async function planContinuation(
  origin: ContinueOrigin,
  request: ContinueRequest,
  env: Readonly<Record<string, string | undefined>> = process.env,
  userHome = homedir(),
): Promise<PlannedContinuation> {
  const { thread } = origin;
  const target = targetOf(request.agent);
  const cwd = await folderFor(request.folder ?? thread.cwd);
  const turns = request.fork === undefined ? undefined : turnsUpTo(thread, request.fork);
  const isSame = thread.agent === target.agent && turns === undefined && cwd === thread.cwd;
  const inPlace = isSame && (await isThere(origin.path)) ? inItsPlace(thread, cwd) : undefined;
  if (inPlace !== undefined) return { ...inPlace, write: () => Promise.resolve(undefined) };
  // A conversation that its agent has thrown away comes back under its own id.
  const sessionId = isSame && origin.records !== undefined ? thread.nativeId : undefined;
  const converted = await convertThread(
    origin,
    target,
    { cwd, env, userHome, sessionId },
    { turns, foldThinking: request.foldThinking },
  );
  const { agent, nativeId, command, report } = converted;
  return {
    agent,
    sessionId: nativeId,
    files: converted.files.map(({ path, bytes }) => ({ path, bytes: bytes.length })),
    command,
    cwd,
    report,
    turns: turns ?? thread.turns.length,
    write: (store) => writeChecked(store, converted, threadId(thread.agent, thread.nativeId)),
  };
}

async function writeChecked(store: string, converted: Converted, from: string): Promise<Written> {
  const source = sourceOf(converted.agent);
  if (source === undefined) throw new Error(`${converted.agent} has no source`);
  const written = await writeNew(store, converted, from);
  try {
    await readBack(source, converted);
  } catch (error) {
    await takeBack(store, written);
    throw error;
  }
  return written;
}

function inItsPlace(thread: Thread, cwd: string): Continuation | undefined {
  const { agent, nativeId, parent, turns } = thread;
  const command = sourceOf(agent)?.resume?.({ nativeId, parent });
  if (command === undefined) return undefined;
  const line = { fate: 'kept', what: 'turn', count: turns.length, why: 'inPlace' } as const;
  const report = { from: agent, to: agent, lines: [line] };
  return { agent, sessionId: nativeId, files: [], command, cwd, report, turns: turns.length };
}

async function folderFor(folder: string | undefined): Promise<string> {
  if (folder === undefined) {
    throw new ExpectedError(
      'noFolder',
      'This conversation does not say which folder it is about.',
      [],
      {
        next: 'Choose a folder for it to go on in.',
      },
    );
  }
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return realpath(folder);
  throw new ExpectedError('folderMissing', 'The folder {0} is not there.', [folder], {
    next: 'Choose another folder for it to go on in.',
  });
}

/** How many turns stay. */
function turnsUpTo({ turns }: Thread, fork: string): number {
  const at = turns.findIndex(({ id }) => id === fork);
  if (at >= 0) return at + 1;
  const prompts = turns.flatMap(({ role }, place) => (role === 'user' ? [place] : []));
  const number = /^\d+$/.test(fork) ? Number(fork) : 0;
  if (number >= 1 && number <= prompts.length) return prompts[number] ?? turns.length;
  throw new ExpectedError('turnMissing', 'This conversation has no turn {0}; it has {1} prompts.', [
    fork,
    prompts.length,
  ]);
}

const isThere = async (path: string | undefined): Promise<boolean> =>
  path !== undefined &&
  (await stat(path).then(
    () => true,
    () => false,
  ));
