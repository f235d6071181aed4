import type { ThreadDocument, ThreadPlace } from '../engine.js';
import type { Thread, Todo, Turn } from '../model/thread.js';
import { blockOf } from './blocks.js';
import type { Block } from './blocks.js';
import { codeSpan, escapeMarkdown } from './markdown.js';
import { agentName } from './names.js';
import { count, oneLine, utf8Length } from './text.js';

export interface RenderOptions {
  /** Counted from 0; the nearest one that exists is given. */
  readonly page?: number;
  /** The page that holds it is given instead. */
  readonly place?: ThreadPlace | undefined;
  /** The agent's name for people; by its id when absent. */
  readonly agentName?: string | undefined;
  /** IANA name, such as `Europe/Berlin`; the machine's own when absent. */
  readonly timeZone?: string | undefined;
  /** Bytes of UTF-8 that a page holds, about; a page ends only between two parts of a turn. */
  readonly pageBytes?: number;
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
  const pages = paginate(bodyOf(thread, name, clock), options.pageBytes ?? defaultPageBytes);
  const sought = options.place && placeIn(thread, options.place);
  const found = sought ? pages.findIndex((blocks) => blocks.some(shows(sought))) : -1;
  const wanted = found >= 0 ? found : Math.trunc(options.page ?? 0);
  const page = Math.min(Math.max(0, wanted), pages.length - 1);
  const where = pages.length === 1 ? [] : [pagesLine(page, pages.length)];
  const facts = page === 0 ? factsOf(thread, name, clock) : [];
  const head: Block[] = [`# ${escapeMarkdown(title)}`, ...where, ...facts].map((line) => ({
    lines: [line],
    folds: false,
  }));
  const todos = page === 0 ? todoBlocks(thread.todos) : [];
  const foot = where.map((line) => ({ lines: [line], folds: false }));
  return {
    title,
    ...assemble([...head, ...todos, ...(pages[page] ?? []), ...foot], sought),
    page,
    pages: pages.length,
  };
}

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

function factsOf(thread: Thread, name: string, clock: Clock): readonly string[] {
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
    ...(thread.skipped.length > 0 ? [`- Could not be read: ${skippedWords(thread)}`] : []),
  ];
  return [lines.join('\n')];
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
  const lines = todos.map(({ text, state }) => {
    const note = state === 'doing' ? ' (in progress)' : '';
    return `- [${state === 'done' ? 'x' : ' '}] ${escapeMarkdown(oneLine(text, 500))}${note}`;
  });
  return [
    { lines: ['## To do'], folds: false },
    { lines, folds: false },
  ];
}

function bodyOf(thread: Thread, name: string, clock: Clock): readonly Block[] {
  const blocks: Block[] = [];
  let prompts = 0;
  let before: Turn | undefined;
  for (const [number, turn] of thread.turns.entries()) {
    if (turn.role === 'user') prompts++;
    // Some agents write one answer as many messages; it still is one answer to read.
    const goesOn =
      before?.role === 'assistant' && turn.role === 'assistant' && before.model === turn.model;
    if (!goesOn) blocks.push({ lines: [turnHeading(turn, name, prompts, clock)], folds: false });
    blocks.push(
      ...turn.parts.map((part, at) => ({
        ...blockOf(part, turn.role),
        shows: { turn: number, part: at },
      })),
    );
    before = turn;
  }
  return blocks.filter(({ lines }) => lines.some((line) => line !== ''));
}

function turnHeading(turn: Turn, name: string, prompt: number, clock: Clock): string {
  const at = turn.at === undefined ? [] : [clock.short(turn.at)];
  const who = { user: 'You', assistant: escapeMarkdown(name), system: 'System' }[turn.role];
  const number = turn.role === 'user' ? [count(prompt)] : [];
  const model = turn.model === undefined ? [] : [escapeMarkdown(oneLine(turn.model, 100))];
  return `## ${[...number, who, ...model, ...at].join(' · ')}`;
}

/** Cuts blocks into pages; there is always at least one. */
function paginate(blocks: readonly Block[], pageBytes: number): readonly (readonly Block[])[] {
  const pages: Block[][] = [[]];
  let bytes = 0;
  for (const block of blocks) {
    const size = block.lines.reduce((sum, line) => sum + utf8Length(line) + 1, 1);
    if (bytes > 0 && bytes + size > pageBytes) {
      const last = pages.at(-1) ?? [];
      // A heading goes with what it heads.
      const carried =
        last.at(-1)?.lines[0]?.startsWith('## ') === true && last.length > 1 ? last.splice(-1) : [];
      pages.push(carried);
      bytes = 0;
    }
    pages.at(-1)?.push(block);
    bytes += size;
  }
  return pages;
}

type Shown = NonNullable<Block['shows']>;

/** The place as the thread has it now. */
function placeIn({ turns }: Thread, { turnId, turn, part }: ThreadPlace): Shown | undefined {
  const now = turns[turn]?.id === turnId ? turn : turns.findIndex(({ id }) => id === turnId);
  return now < 0 ? undefined : { turn: now, part };
}

/** Whether a block shows the place, or what follows it in its turn where that shows nothing. */
const shows =
  (place: Shown) =>
  (block: Block): boolean =>
    block.shows !== undefined && block.shows.turn === place.turn && block.shows.part >= place.part;

function assemble(
  blocks: readonly Block[],
  sought: Shown | undefined,
): Pick<ThreadDocument, 'text' | 'folds' | 'line'> {
  const lines: string[] = [];
  const folds: { start: number; end: number }[] = [];
  let found: number | undefined;
  for (const block of blocks) {
    if (lines.length > 0) lines.push('');
    const start = lines.length;
    if (sought && found === undefined && shows(sought)(block)) found = start;
    for (const line of block.lines) lines.push(...line.split('\n'));
    if (block.folds) folds.push({ start, end: lines.length - 1 });
  }
  const text = `${lines.join('\n')}\n`;
  return found === undefined ? { text, folds } : { text, folds, line: found };
}

/** Times as people read them: the day once, then the hours. */
class Clock {
  private readonly day: Intl.DateTimeFormat;
  private readonly hours: Intl.DateTimeFormat;
  private lastDay: string | undefined;

  constructor(timeZone: string | undefined) {
    // Swedish dates are written year first, as in ISO 8601.
    this.day = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone });
    this.hours = new Intl.DateTimeFormat('sv-SE', { timeStyle: 'short', timeZone });
  }

  full(at: number): string {
    return `${this.day.format(at)} ${this.hours.format(at)}`;
  }

  /** Without the day when it is that of the call before. */
  short(at: number): string {
    const day = this.day.format(at);
    const isNew = day !== this.lastDay;
    this.lastDay = day;
    return isNew ? this.full(at) : this.hours.format(at);
  }
}
