import { resolve } from 'node:path';
import type { Command } from 'commander';
import { noRedactionSettings } from '../core/redact/settings.js';
import { agentName } from '../core/thread/names.js';
import { findWithHeads } from '../library/keptHeads.js';
import { KeptCounts } from '../library/keptCounts.js';
import { listThreads, type ThreadRow } from '../library/listThreads.js';
import { openEveryProject } from './everyProject.js';
import { nonEmpty } from './nonEmpty.js';
import { plain } from './output.js';
import { pasteableIds } from './pasteableIds.js';
import { createProgress } from './progress.js';
import type { Settings } from './settings.js';
import { agentOption, scopeOf, sourcesOf, withHomes } from './stores.js';
import { table, when } from './table.js';

export const threadListHelp = `
Joins what the agents' own stores hold with what Keepthread's vaults hold. STATE is the first of these that
is true of a conversation:
  swept     the agent has it no more, only our copy is left; it can be read and continued like any other
  damaged   something in it cannot be read; the rest is there ("thread inspect" says what and where)
  orphaned  its folder is unknown or gone, or the conversation that started it as a subagent is missing
  live      none of these: the agent's file is there and whole
"not listed": it is there, but the agent's own list leaves it out. ID can be given to "thread show".

JSON: {threads: [{id, agent, nativeId, title, folder, parent, turns, messages, updated, bytes, state, kept,
listed, skipped, problem, version, path}], filesLookedAt, projects, problems}. "id" is AGENT:NATIVEID, "turns"
prompts that a person typed, "updated" milliseconds since 1970, "kept" whether a vault has a copy, "listed"
false when the agent's own list leaves it out, "skipped" how many places could not be read. What is not known
is null.`;

interface Options {
  readonly agent?: string;
  readonly folder?: string;
  readonly all?: boolean;
  readonly home: Readonly<Record<string, readonly string[]>>;
}

/** `thread list`. */
export function addThreadList(thread: Command, settings: () => Settings): void {
  withHomes(thread.command('list'))
    .description("list agents' conversations of the current folder, newest activity first")
    .option('--agent <name>', agentOption)
    .option(
      '--folder <dir>',
      'of this folder and those inside it (default: the current one)',
      nonEmpty,
    )
    .option('--all', 'of every folder on this machine')
    .addHelpText('after', threadListHelp)
    .action(async (options: Options) => listCommand(options, settings()));
}

async function listCommand(options: Options, { store, output }: Settings): Promise<void> {
  const asked = sourcesOf(options.agent);
  const everywhere = options.all === true;
  const folder = resolve(options.folder ?? '.');
  const progress = createProgress(output.json);
  const projects = await openEveryProject(store);
  const known = everywhere ? [folder, ...projects.folders] : [folder];
  const scope = scopeOf(known, everywhere, options.home);
  const look = ({ name }: { readonly name: string }): void => progress.say(`Looking at ${name}`);
  const stores = await findWithHeads(store, asked, scope, look);
  const counts = new KeptCounts(store);
  const { threads, problems } = await listThreads({
    stores,
    counts,
    kept: projects.kept,
    folders: everywhere ? undefined : scope.folders,
    agent: options.agent,
    onProgress: (done, total) => progress.say(`Reading conversation ${done + 1} of ${total}`),
  }).finally(() => projects.close());
  await counts.save(secretFinder);
  progress.end();
  const all = [...projects.problems, ...stores.flatMap((found) => found.problems), ...problems];
  const filesLookedAt = stores.reduce((sum, found) => sum + found.filesLookedAt, 0);
  output.problems(all);
  output.result({ threads, filesLookedAt, projects: projects.projects, problems: all }, () =>
    describe(threads, everywhere ? 'this machine' : folder, filesLookedAt, projects.projects),
  );
}

/** Tells whether something would be masked in a text; a text that cannot be scanned may hold anything. */
async function secretFinder(): Promise<(text: string) => boolean> {
  const { createHandoffMask } = await import('../library/redaction/handoffMask.js');
  const mask = await createHandoffMask({ settings: noRedactionSettings, folders: [] });
  return (text) => {
    try {
      return mask(text) !== text;
    } catch {
      return true;
    }
  };
}

function describe(
  threads: readonly ThreadRow[],
  where: string,
  files: number,
  projects: number,
): string {
  const looked = `${files} files of agents and ${projects} vaults looked at`;
  if (threads.length === 0) return `No conversations of ${plain(where)} (${looked}).`;
  const count = threads.length === 1 ? '1 conversation' : `${threads.length} conversations`;
  const printed = pasteableIds(threads.map(({ nativeId }) => nativeId));
  const rows = threads.map((row) => ({
    ...row,
    printed: printed.get(row.nativeId) ?? row.nativeId,
  }));
  return `${table(rows, columns)}\n\n${count} of ${plain(where)}, ${looked}.`;
}

const columns = [
  { title: 'ID', of: ({ printed }: ThreadRow & { readonly printed: string }) => plain(printed) },
  { title: 'AGENT', of: ({ agent }: ThreadRow) => agentName(agent) },
  { title: 'UPDATED', of: ({ updated }: ThreadRow) => when(updated ?? undefined) },
  {
    title: 'STATE',
    of: ({ state, listed }: ThreadRow) => (listed ? state : `${state}, not listed`),
  },
  { title: 'TURNS', of: ({ turns }: ThreadRow) => turns },
  { title: 'KB', of: ({ bytes }: ThreadRow) => Math.ceil(bytes / 1024) },
  { title: 'FOLDER', of: ({ folder }: ThreadRow) => plain(folder ?? '?', 40) },
  { title: 'TITLE', of: ({ title }: ThreadRow) => plain(title, 60) },
];
