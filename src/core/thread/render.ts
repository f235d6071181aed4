import type { ThreadDocument, ThreadPlace } from '../engine.js';
import type { Part, Thread, ThreadState, Todo, Turn } from '../model/thread.js';
import { blockOf } from './blocks.js';
import type { Block } from './blocks.js';
import { Clock } from './clock.js';
import type { PartPlace } from './document.js';
import { codeSpan, escapeMarkdown } from './markdown.js';
import { agentName } from './names.js';
import { assemble, paginate, placeIn, shows, type Heading, type PageBlock } from './pages.js';
import { placeKey } from './subagents.js';
import { count, oneLine, visible } from './text.js';
import { todoLines } from './todos.js';

export interface RenderOptions {
  /** Counted from 0; the nearest one that exists is given. */
  readonly page?: number | undefined;
  /** The page that holds it is given instead. */
  readonly place?: ThreadPlace | undefined;
  /** The agent's name for people; by its id when absent. */
  readonly agentName?: string | undefined;
  /** IANA name, such as `Europe/Berlin`; the machine's own when absent. */
  readonly timeZone?: string | undefined;
  /** Where it is, when that is not where one would look for it. */
  readonly state?: ThreadState | undefined;
  /** Bytes of UTF-8 that a page holds, about; a page ends only between two parts of a turn. */
  readonly pageBytes?: number;
  /** For keeping elsewhere: one page, and no text is cut. */
  readonly isCopy?: boolean;
  /** Only these turns, by their first and last number, and nothing about the thread as a whole. */
  readonly only?: { readonly from: number; readonly to: number } | undefined;
  /** The branch that the turns are of, where it was asked for. */
  readonly leaf?: string | undefined;
  /** Threads of subagents by the call that started them, see `subagentsByCall`. */
  readonly subagents?: ReadonlyMap<string, string> | undefined;
}

const defaultPageBytes = 512 * 1024;

/**
 * One page of a thread as Markdown to be read as text. Everything that comes from the transcript is
 * bounded and inert: it cannot close our code blocks, pass for our headings, or hide characters.
 */
export function renderThread(thread: Thread, options: RenderOptions = {}): ThreadDocument {
  const clock = new Clock(options.timeZone);
  const name = options.agentName ?? agentName(thread.agent);
  const title = titleOf(thread);
  const pages = paginate(bodyOf(thread, name, clock, options), pageBytesOf(options));
  const sought = options.place && placeIn(thread, options.place);
  const found = sought ? pages.findIndex((blocks) => blocks.some(shows(sought))) : -1;
  const wanted = found >= 0 ? found : Math.trunc(options.page ?? 0);
  const page = Math.min(Math.max(0, wanted), pages.length - 1);
  const where = pages.length === 1 ? [] : [pagesLine(page, pages.length)];
  const isFirst = page === 0 && options.only === undefined;
  const facts = isFirst ? factsOf(thread, name, clock, options) : [];
  const heading = options.only === undefined ? [`# ${escapeMarkdown(title)}`] : [];
  const head = [...heading, ...where, ...facts].map((line) => ({ lines: [line], folds: false }));
  const todos = isFirst ? todoBlocks(thread.todos) : [];
  const foot = where.map((line) => ({ lines: [line], folds: false }));
  return {
    title,
    ...assemble([...head, ...todos, ...(pages[page] ?? []), ...foot], sought),
    page,
    pages: pages.length,
    ...(thread.cwd === undefined ? {} : { cwd: thread.cwd }),
    ...(thread.branches === undefined ? {} : { branches: thread.branches }),
  };
}

const pageBytesOf = ({ isCopy, pageBytes }: RenderOptions): number =>
  isCopy === true ? Infinity : (pageBytes ?? defaultPageBytes);

const titleOf = (thread: Thread): string =>
  [thread.title, thread.counts.firstPrompt, thread.nativeId]
    .map((candidate) => oneLine(candidate ?? '', 200))
    .find((candidate) => candidate !== '') ?? agentName(thread.agent);

function pagesLine(page: number, pages: number): string {
  const others = [
    ...(page > 0 ? [`page ${page} is before it`] : []),
    ...(page < pages - 1 ? [`page ${page + 2} follows`] : []),
  ];
  return `Page ${page + 1} of ${pages}: ${others.join(', ')}.`;
}

const stateFacts = (state: ThreadState, name: string): readonly string[] =>
  state === 'live'
    ? []
    : [state === 'gone' ? `- Kept here only: ${name} has it no more` : `- Not listed by ${name}`];

function factsOf(
  thread: Thread,
  name: string,
  clock: Clock,
  { leaf, state = 'live' }: RenderOptions,
): readonly string[] {
  const { counts, cwd, branch } = thread;
  const { firstAt, lastAt, models } = counts;
  const times = [firstAt, lastAt].filter((at) => at !== undefined).map((at) => clock.full(at));
  const lines = [
    `- Agent: ${escapeMarkdown(name)}`,
    ...(models.length > 0
      ? [`- ${models.length === 1 ? 'Model' : 'Models'}: ${models.map(code).join(', ')}`]
      : []),
    ...(cwd === undefined ? [] : [`- Folder: ${code(cwd)}`]),
    ...(branch === undefined ? [] : [`- Branch: ${code(branch)}`]),
    ...(times.length > 0 ? [`- Time: ${[...new Set(times)].join(' to ')}`] : []),
    `- Turns: ${count(counts.userTurns)}`,
    ...branchFacts(thread, leaf),
    ...stateFacts(state, escapeMarkdown(name)),
    ...(thread.skipped.length > 0 ? [`- Could not be read: ${skippedWords(thread)}`] : []),
  ];
  return [lines.join('\n')];
}

/** Counts of other branches, and that this is one of them. */
function branchFacts({ branches = [] }: Thread, leaf: string | undefined): readonly string[] {
  const shown =
    branches.find((branch) => branch.leaf === leaf) ?? branches.find(({ active }) => active);
  if (shown === undefined) return [];
  const isLeft = shown.active ? [] : ['- This branch was left: the conversation went on otherwise'];
  return [...isLeft, `- Other branches: ${count(branches.length - 1)}`];
}

const code = (text: string): string => codeSpan(oneLine(text, 300));

function skippedWords({ skipped }: Thread): string {
  const lines = skipped.slice(0, 5).map(({ line }) => count(line));
  const more = skipped.length > lines.length ? ', …' : '';
  const places = skipped.length === 1 ? '1 place' : `${count(skipped.length)} places`;
  return `${places} (line ${lines.join(', ')}${more})`;
}

function todoBlocks(todos: readonly Todo[]): readonly Block[] {
  if (todos.length === 0) return [];
  return [
    { lines: ['## To do'], folds: false },
    { lines: todoLines(todos), folds: false },
  ];
}

function bodyOf(
  thread: Thread,
  name: string,
  clock: Clock,
  options: RenderOptions,
): readonly PageBlock[] {
  const blocks: PageBlock[] = [];
  let prompts = 0;
  let before: Turn | undefined;
  let heading: HeadingBlock | undefined;
  for (const [number, turn] of thread.turns.entries()) {
    if (turn.role === 'user') prompts++;
    // Some agents write one answer as many messages; it still is one answer to read.
    const goesOn =
      before?.role === 'assistant' && turn.role === 'assistant' && before.model === turn.model;
    before = turn;
    if (options.only && (number < options.only.from || number > options.only.to)) continue;
    const isFirst = number === options.only?.from;
    if (!goesOn || isFirst) {
      heading = headingBlock(turn, { number, name, prompts, clock });
      blocks.push(heading);
    }
    if (heading !== undefined) goOn(heading, number, turn);
    blocks.push(
      ...turn.parts.map((part, at) =>
        partBlock(part, turn, { turn: number, part: at }, options, thread.cwd),
      ),
    );
  }
  return blocks.filter(({ lines }) => lines.some((line) => line !== ''));
}

interface HeadingBlock extends PageBlock {
  readonly heading: Heading;
  /** Its words without what grows. */
  readonly words: string;
  lines: readonly string[];
  tokens: number;
}

/** A further turn of an answer: the heading tells what all of them took to write. */
function goOn(block: HeadingBlock, number: number, { tokens }: Turn): void {
  block.heading.to = number;
  block.tokens += tokens?.output ?? 0;
  if (block.tokens > 0) block.lines = [`${block.words} · ${count(block.tokens)} tokens`];
}

function partBlock(
  part: Part,
  turn: Turn,
  shows: PartPlace,
  options: RenderOptions,
  folder: string | undefined,
): PageBlock {
  const block = { ...blockOf(part, turn.role, options.isCopy !== true, folder), shows };
  const threadId = options.subagents?.get(placeKey(shows));
  if (threadId === undefined || block.call === undefined) return block;
  const [head = ''] = block.lines;
  const end = head.replace(/ · (?:no result|failed)$/, '').length;
  const link = { line: 0, start: 0, end, to: { kind: 'thread', threadId } } as const;
  return { ...block, links: [link] };
}

function headingBlock(
  turn: Turn,
  about: {
    readonly number: number;
    readonly name: string;
    readonly prompts: number;
    readonly clock: Clock;
  },
): HeadingBlock {
  const { number, name, prompts, clock } = about;
  const at = turn.at === undefined ? [] : [clock.short(turn.at)];
  const who = { user: 'You', assistant: name, system: 'System' }[turn.role];
  const place = turn.role === 'user' ? [count(prompts)] : [];
  const model = turn.model === undefined ? [] : [oneLine(turn.model, 100)];
  const words = [...place, who, ...model, ...at].map(escapeMarkdown);
  const line = `## ${words.join(' · ')}`;
  return {
    lines: [line],
    words: line,
    tokens: 0,
    folds: false,
    heading: {
      from: number,
      to: number,
      role: turn.role,
      name: outlineName(turn, who),
      detail: [...model, ...at].join(' · '),
    },
  };
}

/** A prompt is known by its words, what happened by what it was. */
function outlineName({ role, parts }: Turn, who: string): string {
  if (role === 'user') {
    const text = parts.find((part) => part.kind === 'text')?.text ?? '';
    return oneLine(visible(text), 100) || who;
  }
  const [first] = parts;
  if (role === 'system' && first?.kind === 'notice') {
    if (first.notice === 'compaction') return 'Earlier turns were summarized';
    return oneLine(visible(first.text), 100) || who;
  }
  return who;
}
