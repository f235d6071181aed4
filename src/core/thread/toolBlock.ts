import type { ToolCall } from '../model/thread.js';
import { actOf, type Act } from '../tools/act.js';
import { codeSpan, embed, escapeMarkdown } from './markdown.js';
import type { Block, BlockLink } from './blocks.js';
import { withoutFolder } from './filePaths.js';
import { diffLines } from './lineDiff.js';
import { bounded, cutNote, limits, summaryLength } from './limits.js';
import { cut, oneLine, visible } from './text.js';
import { todoLines } from './todos.js';

/** A tool call: what it is about on the first line, then what it was given and what it answered, folded. */
export function toolBlock(call: ToolCall, limited = true, folder?: string): Block {
  const { name, input, result } = call;
  const act = actOf(call);
  const title = `**${escapeMarkdown(oneLine(name, 100) || 'tool')}**`;
  const about = aboutOf(act, input, (path) => withoutFolder(path, folder));
  const summary = oneLine(about, summaryLength);
  const state = result === undefined ? ' · no result' : result.isError ? ' · failed' : '';
  const span = summary === '' ? '' : codeSpan(summary);
  const lines = [
    `${[title, span].filter(Boolean).join(' ')}${state}`,
    ...givenLines(act, input, summary, limited),
  ];
  if (result !== undefined) {
    const text = visible(result.text).replace(/\s+$/, '');
    const said = ['', 'Result:', ...bounded(text, limited ? limits.result : Infinity)];
    lines.push(...(text === '' ? ['', 'Result: empty'] : said));
  }
  return {
    lines,
    folds: lines.length > 1,
    links: pathLink(act, title, span, summary, about),
    call: { name: oneLine(name, 100) || 'tool', detail: summary, hasChanges: hasChanges(act) },
  };
}

const hasChanges = (act: Act | undefined): boolean =>
  act?.kind === 'edit' || act?.kind === 'write' || act?.kind === 'patch';

const telling = ['command', 'cmd', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url'];

/** What a call is about: a path, a command, a question. */
function aboutOf(act: Act | undefined, input: unknown, named: (path: string) => string): string {
  switch (act?.kind) {
    case 'shell':
      return act.command;
    case 'read':
      return act.line === undefined ? named(act.path) : `${named(act.path)}:${act.line}`;
    case 'write':
    case 'edit':
    case 'list':
      return named(act.path);
    case 'patch':
      return act.paths.map(named).join(', ');
    case 'grep':
    case 'glob':
      return act.pattern;
    case 'fetch':
      return act.url;
    case 'webSearch':
      return act.query;
    case 'todos':
      return todoSummary(act);
    case 'task':
      return act.title ?? act.prompt;
    case 'ask':
      return act.questions[0] ?? '';
    case undefined:
      return firstWords(input);
  }
}

function todoSummary({ todos }: Extract<Act, { kind: 'todos' }>): string {
  const done = todos.filter(({ state }) => state === 'done').length;
  return `${done} of ${todos.length} done`;
}

function firstWords(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const fields = new Map<string, unknown>(Object.entries(input));
  const values = [...telling.map((key) => fields.get(key)), ...fields.values()];
  return (
    values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''
  );
}

/** The file that a call's first line names, where it is named whole. */
function pathLink(
  act: Act | undefined,
  title: string,
  span: string,
  summary: string,
  about: string,
): readonly BlockLink[] {
  const isFile = act?.kind === 'read' || act?.kind === 'write' || act?.kind === 'edit';
  const path = isFile ? act.path : act?.kind === 'patch' ? act.paths[0] : undefined;
  const isWhole = summary === about && act !== undefined;
  if (path === undefined || path === '' || !isWhole) return [];
  const start = title.length + 1 + span.indexOf(summary);
  const length = act.kind === 'patch' ? (summary.split(', ', 1)[0] ?? '').length : summary.length;
  const line = act.kind === 'read' ? act.line : undefined;
  const to = { kind: 'file', path, line, holds: tellingLines(act) } as const;
  return [{ line: 0, start, end: start + length, to }];
}

/** A few lines that a call left in a file and that hardly another file has. */
function tellingLines(act: Act): readonly string[] | undefined {
  if (act.kind !== 'edit' && act.kind !== 'write') return undefined;
  const text = act.kind === 'write' ? act.text : act.edits.map((edit) => edit.new).join('\n');
  const lines = text
    .slice(0, 100_000)
    .split('\n')
    .filter((line) => line.trim().length >= 20);
  const longest = lines.toSorted((one, other) => other.length - one.length).slice(0, 3);
  return longest.length === 0 ? undefined : longest.map((line) => line.slice(0, 300));
}

/** What a call was given, beside what its first line says already. */
function givenLines(
  act: Act | undefined,
  input: unknown,
  summary: string,
  limited: boolean,
): readonly string[] {
  const limit = limited ? limits.input : Infinity;
  switch (act?.kind) {
    case 'shell':
      return act.command === summary ? [] : bounded(visible(act.command), limit, 'sh');
    case 'read':
      return act.lines === undefined ? [] : ['', `${act.lines} lines`];
    case 'edit':
      return editLines(act, limited ? limits.changes : Infinity);
    case 'write':
      return bounded(visible(act.text), limited ? limits.changes : Infinity, languageOf(act.path));
    case 'patch':
      return bounded(visible(act.text), limited ? limits.changes : Infinity, 'diff');
    case 'todos':
      return ['', ...todoLines(act.todos)];
    case 'task':
    case 'ask': {
      const words = act.kind === 'task' ? act.prompt : act.questions.join('\n\n');
      const { kept, more } = cut(visible(words).trim(), limited ? limits.thinking : Infinity);
      return words === summary ? [] : ['', ...quoted(embed(kept)), ...cutNote(more)];
    }
    default:
      return describe(input) === '' ? [] : bounded(describe(input), limit);
  }
}

const quoted = (lines: readonly string[]): readonly string[] =>
  lines.map((line) => (line === '' ? '>' : `> ${line}`));

function editLines(act: Extract<Act, { kind: 'edit' }>, limit: number): readonly string[] {
  const texts = act.edits.map((edit) => diffLines(visible(edit.old), visible(edit.new)).join('\n'));
  return bounded(texts.join('\n\n'), limit, 'diff');
}

/** The name of a file's kind as a code block takes it. */
const languageOf = (path: string): string => /\.([a-z0-9]{1,10})$/i.exec(path)?.[1] ?? '';

/** Arguments as `name: value` lines; texts of several lines are shown as they are. */
function describe(input: unknown): string {
  if (typeof input === 'string') return visible(input);
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return json(input);
  return Object.entries(input)
    .map(([key, value]) => {
      const text = typeof value === 'string' ? visible(value) : json(value);
      const inner = text.includes('\n') ? `\n${text.replace(/^(?=.)/gm, '  ')}` : ` ${text}`;
      return `${visible(key)}:${inner}`;
    })
    .join('\n');
}

const json = (value: unknown): string =>
  value === undefined ? '' : visible(JSON.stringify(value, undefined, 2));
