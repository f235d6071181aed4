import { Option, type Command } from 'commander';
import { foldFile } from '../agents/foldFile.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import type { Thread, ThreadState } from '../core/model/thread.js';
import { renderThread } from '../core/thread/render.js';
import type { KeptThreads } from '../library/keptThreads.js';
import { openEveryProject } from './everyProject.js';
import { nonEmpty } from './nonEmpty.js';
import { createProgress } from './progress.js';
import type { Settings } from './settings.js';
import { agentOption, withHomes } from './stores.js';
import { chooseThread, type Chosen } from './threadChoice.js';

const help = `
Read from the agent's store, or from our vault when the agent has it no more or holds less than it did.

JSON: {agent, nativeId, title, cwd, branch, parent, version, turns: [{id, role, at, model, parts}], todos,
counts, skipped, from, listed, path}. A part is {kind: "text" | "thinking" | "toolCall" | "image" | "attachment" |
"notice", …}; a tool call has its result in it. "from" is "store" or "vault", "listed" false when the agent's
own list leaves it out.`;

interface Options {
  readonly agent?: string;
  readonly format?: 'markdown' | 'json';
  readonly home: Readonly<Record<string, readonly string[]>>;
}

/** `thread show`. */
export function addThreadShow(thread: Command, settings: () => Settings): void {
  withHomes(thread.command('show'))
    .argument(
      '<id>',
      'AGENT:NATIVEID, the native id alone, or as much of its start as no other has',
      nonEmpty,
    )
    .description('show one conversation, of any folder on this machine')
    .option('--agent <name>', agentOption)
    .addOption(new Option('--format <format>').choices(['markdown', 'json']))
    .addHelpText('after', help)
    .action(async (id: string, options: Options) => showCommand(id, options, settings()));
}

async function showCommand(id: string, options: Options, { store, output }: Settings) {
  const progress = createProgress(output.json);
  const projects = await openEveryProject(store);
  try {
    const chosen = await chooseThread(id, options, projects, progress);
    const shown = await read(chosen, projects.kept);
    const isJson = output.json || options.format === 'json';
    output.with({ json: isJson }).result(shown.json, () => wholeDocument(shown));
  } finally {
    await projects.close();
  }
}

async function read({ id, inStore }: Chosen, kept: KeptThreads) {
  const copy = kept.get(id) && (await kept.thread(id));
  if (inStore === undefined) {
    return shownFrom('vault', copy ?? (await kept.thread(id)), kept.get(id)?.path, 'gone');
  }
  const { source, found } = inStore;
  const state = found.isUnlisted === true ? 'unlisted' : 'live';
  try {
    const parser = await foldFile(source, found);
    const thread = parser.thread();
    const own = { ...thread, cwd: thread.cwd ?? found.cwd };
    if (copy !== undefined && sizeOf(copy) > sizeOf(own)) {
      return shownFrom('vault', copy, found.path, state);
    }
    return shownFrom('store', own, found.path, state);
  } catch (cause) {
    if (copy !== undefined) return shownFrom('vault', copy, found.path, state);
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [found.path, messageOf(cause)], {
      cause,
    });
  }
}

const sizeOf = ({ counts }: Thread): number => counts.userTurns + counts.assistantMessages;

const shownFrom = (
  from: 'store' | 'vault',
  thread: Thread,
  path: string | undefined,
  state: ThreadState,
) => ({
  thread,
  state,
  json: { ...thread, from, listed: state !== 'unlisted', path: path ?? null },
});

const wholeDocument = ({ thread, state }: { thread: Thread; state: ThreadState }): string =>
  renderThread(thread, { pageBytes: Infinity, state }).text.trimEnd();
