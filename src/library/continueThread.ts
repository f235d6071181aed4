import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import {
  convertThread,
  emptyThread,
  type ConversionPlace,
  type Origin,
} from '../agents/convert.js';
import { readBack } from '../agents/readBack.js';
import { sourceOf } from '../agents/registry.js';
import { refuseWhileRunning } from '../agents/running.js';
import type { Converted } from '../agents/target.js';
import { targetOf } from '../agents/targets.js';
import { agent as chatAgent } from '../agents/vscode-chat/parser.js';
import { takeBack, writeNew, type Written } from '../agents/writeNew.js';
import { sizeOf } from '../core/convert/tail.js';
import { historyBudget } from '../core/convert/window.js';
import { ExpectedError } from '../core/errors.js';
import { threadId } from '../core/model/ids.js';
import type { Continuation, ContinueRequest } from '../core/model/continuation.js';
import type { ConversionReport } from '../core/model/conversion.js';
import type { Thread } from '../core/model/thread.js';
import { planChat } from './chatContinuation.js';
import { maskedThread } from './maskedThread.js';
import type { Mask } from './redaction/handoffMask.js';
import { beginWithBrief, endOf, type About, type BriefMeans } from './shortened.js';
import { loadCountTokens } from './tokens.js';

export interface ContinueOrigin extends Origin {
  /** The agent's own file, if it is still there. */
  readonly path?: string | undefined;
  readonly about?: About | undefined;
}

/** A continuation that was thought out, and the step that writes it. */
export interface PlannedContinuation extends Continuation {
  /**
   * Writes the files and reads them back through the agent's own source; removes them again where
   * that fails.
   *
   * @param store root of all vaults: the list of what was written is kept there
   * @throws ExpectedError `exists`, `notWritten`, `notReadBack`, or `agentRunning` while the agent works on a
   * session that goes on in its place
   */
  write(store: string): Promise<Written | undefined>;
}

/**
 * Thinks out how a thread goes on in an agent; nothing is written yet.
 *
 * @param loadMask what a brief goes through, for work in a folder (absolute path)
 * @throws ExpectedError `noTarget`, `noFolder`, `folderMissing`, `emptyThread` or `turnMissing`
 */
export async function planContinuation(
  origin: ContinueOrigin,
  request: ContinueRequest,
  loadMask: (folder: string) => Promise<Mask>,
  env: Readonly<Record<string, string | undefined>> = process.env,
  userHome = homedir(),
): Promise<PlannedContinuation> {
  const cwd = await folderFor(request.folder ?? origin.thread.cwd);
  const count = await loadCountTokens();
  const turns = request.fork === undefined ? undefined : turnsUpTo(origin.thread, request.fork);
  const thread = uptoTurn(origin.thread, turns);
  const size = sizeOf(thread, historyBudget(request.agent), count);
  const { only, tokens, agent } = request;
  const means = async (): Promise<BriefMeans> => ({
    about: origin.about ?? {},
    count,
    mask: await loadMask(cwd),
  });
  if (only === 'brief') {
    if (thread.turns.length === 0) throw emptyThread();
    const begun = beginWithBrief(thread, agent, await means(), tokens);
    const nothing = { sessionId: null, files: [], prompts: 0 };
    return { agent, ...begun, ...nothing, cwd, size, write: () => Promise.resolve(undefined) };
  }
  const end =
    only === 'tail' ? endOf(thread, tokens ?? size.budget, await means()) : { thread, left: 0 };
  const place = { cwd, env, userHome };
  const isOwn = end.left === 0 && agent === thread.agent;
  const prompts = promptsIn(thread.turns.slice(end.left));
  if (isOwn) {
    return { ...(await planWhole(thread, { ...origin, turns }, request, place)), prompts, size };
  }
  // What is made anew is read by another company, or was not masked when it was said.
  const { thread: handed, masked } = maskedThread(end.thread, await loadMask(cwd));
  const planned = await planWhole(handed, undefined, request, place);
  const after = origin.thread.turns.length - thread.turns.length;
  const report = noting(planned.report, [
    ['rewritten', masked, 'secretsMasked'],
    ['rewritten', size.fits || only === 'tail' ? 0 : thread.turns.length, 'mayShorten'],
    ['dropped', after, 'afterFork'],
    ['dropped', end.left, 'beforeTail'],
  ]);
  return { ...planned, report, prompts, size };
}

/** The turns up to a point; what was to do in the end was perhaps not to do then. */
const uptoTurn = (thread: Thread, turns: number | undefined): Thread =>
  turns === undefined || turns >= thread.turns.length
    ? thread
    : { ...thread, turns: thread.turns.slice(0, turns), todos: [] };

/** Writes nothing yet; with the agent's own records the same agent gets those. */
async function planWhole(
  thread: Thread,
  own: (ContinueOrigin & { readonly turns: number | undefined }) | undefined,
  request: ContinueRequest,
  place: Pick<ConversionPlace, 'cwd' | 'env' | 'userHome'>,
) {
  const { cwd } = place;
  if (request.agent === chatAgent) {
    const nothing = { agent: chatAgent, sessionId: null, files: [], command: [], cwd };
    const records = own?.turns === undefined ? own?.records : undefined;
    const planned = planChat({ thread, records }, request);
    return { ...nothing, ...planned, write: () => Promise.resolve(undefined) };
  }
  const target = targetOf(request.agent);
  const isWhole = own !== undefined && own.turns === undefined;
  const isSame = thread.agent === target.agent && isWhole && cwd === thread.cwd;
  const inPlace = isSame && (await isThere(own.path)) ? inItsPlace(thread, cwd) : undefined;
  const { nativeId: given, parent, agent: by } = thread;
  const files = own?.path === undefined ? [] : [own.path];
  const worked = { agent: by, nativeId: given, files, cwd };
  if (inPlace !== undefined) {
    return {
      ...inPlace,
      write: async () => refuseWhileRunning(worked, place).then(() => undefined),
    };
  }
  // A conversation that its agent has thrown away comes back under its own id.
  // The id comes from records that anybody may have written: it counts only as its agent would take it.
  const isId = sourceOf(thread.agent)?.resume?.({ nativeId: given, parent }) !== undefined;
  const sessionId = isSame && isId && own.records !== undefined ? given : undefined;
  const converted = await convertThread(
    own ?? { thread },
    target,
    { ...place, sessionId },
    { turns: own?.turns, foldThinking: request.foldThinking },
  );
  const { agent, nativeId, command, report, home } = converted;
  return {
    ...{ agent, sessionId: nativeId, command, cwd, report },
    files: converted.files.map(({ path, bytes }) => ({
      path: resolve(home, path),
      bytes: bytes.length,
    })),
    write: async (store: string) => {
      if (sessionId !== undefined) await refuseWhileRunning(worked, place);
      return writeChecked(store, converted, threadId(thread.agent, thread.nativeId));
    },
  };
}

const noting = (
  report: ConversionReport,
  turns: readonly (readonly ['rewritten' | 'dropped', count: number, why: string])[],
): ConversionReport => ({
  ...report,
  lines: [
    ...report.lines,
    ...turns
      .filter(([, count]) => count > 0)
      .map(([fate, count, why]) => ({ fate, what: 'turn', count, why }) as const),
  ],
});

const promptsIn = (turns: Thread['turns']): number =>
  turns.filter(({ role, parts }) => role === 'user' && parts.some(({ kind }) => kind === 'text'))
    .length;

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

function inItsPlace(thread: Thread, cwd: string) {
  const { agent, nativeId, parent, turns } = thread;
  const command = sourceOf(agent)?.resume?.({ nativeId, parent });
  if (command === undefined) return undefined;
  const line = { fate: 'kept', what: 'turn', count: turns.length, why: 'inPlace' } as const;
  const report: ConversionReport = { from: agent, to: agent, lines: [line] };
  return { agent, sessionId: nativeId, files: [], command, cwd, report };
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
