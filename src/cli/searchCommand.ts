import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CommanderError, InvalidArgumentError } from 'commander';
import { wasmPath } from '../agents/sqlite/wasm.js';
import { ExpectedError, isExpected } from '../core/errors.js';
import { momentOf } from '../core/search/dates.js';
import type { SearchHit, SearchResult, SearchRole } from '../core/search/types.js';
import { roles } from '../core/search/types.js';
import { agentName } from '../core/thread/names.js';
import { Searcher } from '../library/search/searcher.js';
import type { EveryProject } from './everyProject.js';
import { openEveryProject } from './everyProject.js';
import { nonEmpty } from './nonEmpty.js';
import { plain } from './output.js';
import { createProgress, type Progress } from './progress.js';
import type { Settings } from './settings.js';
import { shortId, when } from './table.js';

const help = `
Every word is to be there, in one prompt, answer, piece of thinking, tool call or result; in titles, goals,
labels and file names of sessions too. Parts of identifiers are words: user finds getUserById and user_service.
  word*          words that begin so
  "a phrase"     these words one behind the other
  agent:codex  role:user  tool:bash  file:src/x.ts  branch:main  after:2026-01-31  before:7d  session:ID  in:folder
                 the same as the options
An option that is given twice means either. Roles are ${roles.join(', ')}. Dates are 2026, 2026-01, 2026-01-31, today, yesterday, or a time ago: 12h, 7d, 2w.
What no search image holds yet is put into one first, so the first search of a store takes longer.

JSON: {hits: [{kind, threadId, place: {turnId, turn, part}, role, tool, agent, sessionIds, title, folder, branch,
at, snippet: {text, matches: [{start, end}]}}], more, complete, pending: {threads, bytes}, problems}. "kind" is
prompt, answer, thinking, toolInput, toolResult, notice, title (a conversation's) or session; what a hit does not
have is absent. "more": the limit left some out. "pending": conversations that were not searched.`;

interface Options {
  readonly agent?: readonly string[];
  readonly session?: readonly string[];
  readonly role?: readonly SearchRole[];
  readonly tool?: readonly string[];
  readonly file?: readonly string[];
  readonly branch?: readonly string[];
  readonly after?: number;
  readonly before?: number;
  readonly folder?: string;
  readonly all?: boolean;
  readonly limit: number;
}

/** `search`. */
export function addSearchCommand(program: Command, settings: () => Settings): void {
  program
    .command('search')
    .argument('<text...>', 'what to look for')
    .description('find what was said and done, in every project')
    .option('--agent <name>', 'of this agent', nonEmptyMore)
    .option('--session <id>', 'of this session', nonEmptyMore)
    .option('--role <role>', 'said by the user, an assistant, ...', readRole)
    .option('--tool <name>', 'calls of this tool', nonEmptyMore)
    .option('--file <path>', 'calls that name this file or folder', nonEmptyMore)
    .option('--branch <name>', 'on this branch', nonEmptyMore)
    .option('--after <date>', 'from then on', readMoment)
    .option('--before <date>', 'before that', readMoment)
    .option('--folder <dir>', 'worked on in this folder or inside it', nonEmpty)
    .option('--all', 'in every folder (the default)')
    .option('--limit <n>', 'at most so many', readLimit, 20)
    .addHelpText('after', help)
    .action(async (text: readonly string[], options: Options) => {
      if (options.all === true && options.folder !== undefined) {
        throw new CommanderError(2, 'keepthread.search', 'Either --all or --folder is possible.');
      }
      await search(text.join(' '), options, settings());
    });
}

async function search(text: string, options: Options, { store, output }: Settings): Promise<void> {
  const { agent, session, role, tool, file, branch, after, before, folder, limit } = options;
  const progress = createProgress(output.json);
  const projects = await openEveryProject(store);
  try {
    const result = await searchProjects(projects, text, {
      ...{ agent, session, role, tool, file, branch, after, before, limit },
      ...(folder === undefined ? {} : { in: 'folder' }),
      folders: [resolve(folder ?? '.')],
      progress,
    });
    progress.end();
    const [advice] = result.advice;
    if (advice) throw new ExpectedError('badQuery', advice.template, advice.args);
    const problems = [...projects.problems, ...result.problems];
    output.problems(problems);
    const { hits, more, complete, pending } = result;
    output.result({ hits, more, complete, pending, problems }, () =>
      describe(result, projects.projects),
    );
  } finally {
    progress.end();
    await projects.close();
  }
}

async function searchProjects(
  projects: EveryProject,
  text: string,
  { progress, ...options }: Parameters<Searcher['search']>[1] & { readonly progress: Progress },
): Promise<SearchResult> {
  const { store } = projects;
  if (!store) return nothing;
  await summarizeRewritten(projects);
  const mayWrite = !store.readOnly;
  const searcher = new Searcher({ store, wasm: wasmPath(), mayWrite, folders: [], thorough: true });
  try {
    if (mayWrite) await build(searcher, progress);
    return await searcher.search(text, options);
  } finally {
    await searcher.close();
  }
}

/** What cannot be put into an image is looked through as it is. */
async function build(searcher: Searcher, progress: Progress): Promise<void> {
  try {
    await searcher.build({
      onProgress: (done, all) => {
        if (done < all) progress.say(`Reading conversation ${done + 1} of ${all}`);
      },
    });
  } catch (error) {
    const isSlowerOnly = ['locked', 'diskFull', 'notWritable', 'writeFailed'].some((reason) =>
      isExpected(error, reason),
    );
    if (!isSlowerOnly) throw error;
  }
}

/** Of a conversation whose file was rewritten, the fullest copy is searched. */
async function summarizeRewritten({ store, kept }: EveryProject): Promise<void> {
  for (const { id, generation } of store?.index.threadsNeedingSummary() ?? []) {
    if (generation === 0) continue;
    const summary = await kept.summary(id);
    if (summary) store?.index.putThreadSummary(summary);
  }
}

const nothing: SearchResult = {
  hits: [],
  more: false,
  complete: true,
  advice: [],
  pending: { threads: 0, bytes: 0 },
  problems: [],
  superseded: false,
};

function describe({ hits, more, pending }: SearchResult, projects: number): string {
  const where = projects === 1 ? '1 project' : `${projects} projects`;
  const left =
    pending.threads === 0 ? '' : ` ${pending.threads} conversations could not be looked at.`;
  if (hits.length === 0) return `Nothing found in ${where}.${left}`;
  const count = hits.length === 1 ? '1 hit' : `${hits.length} hits`;
  const said = more
    ? `The first ${count} in ${where}; there are more (--limit).`
    : `${count} in ${where}.`;
  return [...hits.map(describeHit), said + left].join('\n\n');
}

const kinds: Readonly<Record<SearchHit['kind'], string>> = {
  prompt: 'you',
  answer: 'answer',
  thinking: 'thinking',
  toolInput: 'call',
  toolResult: 'result',
  notice: 'notice',
  title: 'title',
  session: 'session',
};

function describeHit(hit: SearchHit): string {
  const { kind, agent, tool, title, at, threadId, sessionIds, folder, snippet } = hit;
  const what = tool === undefined ? kinds[kind] : `${plain(tool, 30)} ${kinds[kind]}`;
  const about = [
    agent === undefined ? '' : agentName(agent),
    what,
    when(at),
    plain(title, 60),
    kind === 'session' ? shortId(sessionIds[0] ?? '') : plain(threadId ?? '', 60),
    plain(folder ?? '', 60),
  ];
  return [about.filter((word) => word !== '').join(' · '), `  ${plain(snippet.text, 300)}`].join(
    '\n',
  );
}

const nonEmptyMore = (value: string, before: readonly string[] = []): readonly string[] => [
  ...before,
  nonEmpty(value),
];

function readRole(value: string, before: readonly SearchRole[] = []): readonly SearchRole[] {
  const role = roles.find((known) => known === value.toLowerCase());
  if (!role) throw new InvalidArgumentError(`Roles are ${roles.join(', ')}.`);
  return [...before, role];
}

function readMoment(value: string): number {
  const moment = momentOf(value, Date.now());
  if (moment !== undefined) return moment;
  throw new InvalidArgumentError('Write 2026-01-31, today, yesterday, 12h, 7d or 2w.');
}

function readLimit(value: string): number {
  const limit = Number(value);
  if (Number.isInteger(limit) && limit > 0) return limit;
  throw new InvalidArgumentError('Write a number above 0.');
}
