import { Option, type Command } from 'commander';
import { findInStores, type StoreFound } from '../agents/everywhere.js';
import { foldFile } from '../agents/foldFile.js';
import { sourceOf } from '../agents/registry.js';
import type { FoundThread, Source } from '../agents/source.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import { splitThreadId, threadId } from '../core/model/ids.js';
import type { Thread } from '../core/model/thread.js';
import { renderThread } from '../core/thread/render.js';
import type { KeptThreads } from '../library/keptThreads.js';
import { openEveryProject } from './everyProject.js';
import { nonEmpty } from './nonEmpty.js';
import { createProgress } from './progress.js';
import type { Settings } from './settings.js';
import { agentOption, scopeOf, sourcesOf, withHomes } from './stores.js';

const help = `
Read from the agent's store, or from our vault when the agent has it no more or holds less than it did.

JSON: {agent, nativeId, title, cwd, branch, parent, version, turns: [{id, role, at, model, parts}], todos,
counts, skipped, from, path}. A part is {kind: "text" | "thinking" | "toolCall" | "image" | "attachment" |
"notice", …}; a tool call has its result in it. "from" is "store" or "vault".`;

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
    const asked = sourcesOf(options.agent ?? agentIn(id));
    const scope = scopeOf([process.cwd(), ...projects.folders], true, options.home);
    const stores = await findInStores(asked, scope, ({ name }) =>
      progress.say(`Looking at ${name}`),
    );
    progress.end();
    const shown = await read(choose(id, asked, stores, projects.kept), projects.kept);
    const isJson = output.json || options.format === 'json';
    output.with({ json: isJson }).result(shown.json, () => wholeDocument(shown.thread));
  } finally {
    await projects.close();
  }
}

/** `claude-code` of `claude-code:1234`. */
const agentIn = (id: string): string | undefined => {
  const { agent } = splitThreadId(id);
  return sourceOf(agent) === undefined ? undefined : agent;
};

interface Chosen {
  readonly id: string;
  readonly inStore?: { readonly source: Source; readonly found: FoundThread } | undefined;
}

/** @throws ExpectedError `threadMissing` or `ambiguous` */
function choose(
  asked: string,
  sources: readonly Source[],
  stores: readonly StoreFound[],
  kept: KeptThreads,
): Chosen {
  const all = new Map<string, Chosen>();
  for (const { id, agent } of kept.list()) {
    if (sources.some((source) => source.agent === agent)) all.set(id, { id });
  }
  for (const { source, threads } of stores) {
    for (const found of threads) {
      const id = threadId(source.agent, found.nativeId);
      all.set(id, { id, inStore: { source, found } });
    }
  }
  const named = [...all.values()].map((chosen) => ({
    chosen,
    names: [chosen.id, splitThreadId(chosen.id).nativeId],
  }));
  const exact = named.filter(({ names }) => names.includes(asked));
  const matching =
    exact.length > 0
      ? exact
      : named.filter(({ names }) => names.some((name) => name.startsWith(asked)));
  const [first, ...others] = matching;
  const next = 'Run "keepthread thread list --all" to see the ids.';
  if (first === undefined) {
    const files = stores.reduce((sum, { filesLookedAt }) => sum + filesLookedAt, 0);
    throw new ExpectedError(
      'threadMissing',
      'There is no conversation {0} ({1} files looked at).',
      [asked, files],
      { next },
    );
  }
  if (others.length === 0) return first.chosen;
  throw new ExpectedError(
    'ambiguous',
    '{0} conversations begin with {1}.',
    [matching.length, asked],
    {
      next: `Use one of: ${matching
        .slice(0, 10)
        .map(({ chosen }) => chosen.id)
        .join(', ')}.`,
    },
  );
}

async function read({ id, inStore }: Chosen, kept: KeptThreads) {
  const copy = kept.get(id) && (await kept.thread(id));
  if (inStore === undefined) {
    return shownFrom('vault', copy ?? (await kept.thread(id)), kept.get(id)?.path);
  }
  const { source, found } = inStore;
  try {
    const parser = await foldFile(source, found);
    const thread = parser.thread();
    const own = { ...thread, cwd: thread.cwd ?? found.cwd };
    if (copy !== undefined && sizeOf(copy) > sizeOf(own)) {
      return shownFrom('vault', copy, found.path);
    }
    return shownFrom('store', own, found.path);
  } catch (cause) {
    if (copy !== undefined) return shownFrom('vault', copy, found.path);
    throw new ExpectedError('unreadable', 'Cannot read {0}: {1}', [found.path, messageOf(cause)], {
      cause,
    });
  }
}

const sizeOf = ({ counts }: Thread): number => counts.userTurns + counts.assistantMessages;

const shownFrom = (from: 'store' | 'vault', thread: Thread, path: string | undefined) => ({
  thread,
  json: { ...thread, from, path: path ?? null },
});

const wholeDocument = (thread: Thread): string =>
  renderThread(thread, { pageBytes: Infinity }).text.trimEnd();
