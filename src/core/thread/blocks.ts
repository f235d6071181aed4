import type { Part, ToolCall } from '../model/thread.js';
import { codeBlock, codeSpan, embed, escapeMarkdown } from './markdown.js';
import { count, cut, fileSize, oneLine, visible } from './text.js';

/** Lines that belong together; `folds`: all but the first open folded. */
export interface Block {
  readonly lines: readonly string[];
  readonly folds: boolean;
  /** Numbers of the turn and the part that it shows; absent for headings and what else is no part. */
  readonly shows?: { readonly turn: number; readonly part: number };
}

/** Characters that are shown of one prompt or answer, of a tool's input and result, of thinking. */
const limits = { text: 200_000, input: 4_000, result: 4_000, thinking: 8_000, notice: 20_000 };
const summaryLength = 100;

export function blockOf(part: Part, role: 'user' | 'assistant' | 'system'): Block {
  switch (part.kind) {
    case 'text':
      return open(textLines(part.text, role));
    case 'thinking':
      return thinkingBlock(part.text);
    case 'toolCall':
      return toolBlock(part);
    case 'image': {
      const name = part.name === undefined ? '' : ` ${codeSpan(oneLine(part.name, 200))}`;
      const size = part.bytes > 0 ? `, ${fileSize(part.bytes)}` : '';
      return open([`Image${name} (${oneLine(part.mediaType, 100)}${size})`]);
    }
    case 'attachment': {
      const uri = part.uri === undefined ? '' : ` (${codeSpan(oneLine(part.uri, 500))})`;
      return open([`Attached ${codeSpan(oneLine(part.name, 200))}${uri}`]);
    }
    case 'notice':
      return noticeBlock(part);
  }
}

const open = (lines: readonly string[]): Block => ({ lines, folds: false });

function textLines(text: string, role: 'user' | 'assistant' | 'system'): readonly string[] {
  const { kept, more } = cut(visible(text).trim(), limits.text);
  const lines = [...embed(kept), ...cutNote(more)];
  // Prompts are quoted, so that nothing in them passes for an answer.
  return role === 'user' ? lines.map((line) => (line === '' ? '>' : `> ${line}`)) : lines;
}

const cutNote = (more: number): readonly string[] =>
  more === 0 ? [] : [`… ${count(more)} more ${more === 1 ? 'character' : 'characters'}`];

function thinkingBlock(text: string): Block {
  const shown = visible(text).trim();
  if (shown === '') return open(['*Thinking*']);
  if (shown.length <= summaryLength && !shown.includes('\n')) {
    return open([`*Thinking* ${codeSpan(shown)}`]);
  }
  const { kept, more } = cut(shown, limits.thinking);
  const first = codeSpan(oneLine(shown, summaryLength));
  return { lines: [`*Thinking* ${first}`, '', ...embed(kept), ...cutNote(more)], folds: true };
}

function noticeBlock({ notice, text }: Extract<Part, { kind: 'notice' }>): Block {
  const line = oneLine(text, summaryLength);
  switch (notice) {
    case 'command':
      return open([`Command ${codeSpan(line)}`]);
    case 'shell':
      return open([`Shell ${codeSpan(line)}`]);
    case 'interrupted':
      return open([line === '' ? '*Interrupted*' : `*Interrupted* ${codeSpan(line)}`]);
    case 'error':
      return longNotice('**Error**', text);
    case 'compaction':
      return longNotice('*Earlier turns were summarized here*', text);
    case 'info':
      return longNotice('', text);
  }
}

function longNotice(head: string, text: string): Block {
  const shown = visible(text).trim();
  const { kept, more } = cut(shown, limits.notice);
  const isShort = more === 0 && !kept.includes('\n') && kept.length <= 200;
  if (isShort) return open([[head, ...embed(kept)].filter(Boolean).join(' ')]);
  const first = head === '' ? codeSpan(oneLine(shown, summaryLength)) : head;
  return { lines: [first, '', ...embed(kept), ...cutNote(more)], folds: true };
}

function toolBlock(call: ToolCall): Block {
  const { name, input, result } = call;
  const summary = oneLine(summaryOf(input), summaryLength);
  const state = result === undefined ? ' · no result' : result.isError ? ' · failed' : '';
  const head = [`**${escapeMarkdown(oneLine(name, 100) || 'tool')}**`, summary && codeSpan(summary)]
    .filter(Boolean)
    .join(' ');
  const lines = [`${head}${state}`, ...bounded(describe(input), limits.input)];
  if (result !== undefined) {
    const text = visible(result.text).replace(/\s+$/, '');
    const said =
      text === '' ? ['', 'Result: empty'] : ['', 'Result:', ...bounded(text, limits.result)];
    lines.push(...said);
  }
  return { lines, folds: lines.length > 1 };
}

function bounded(text: string, limit: number): readonly string[] {
  if (text === '') return [];
  const { kept, more } = cut(text, limit);
  return ['', ...codeBlock(kept), ...cutNote(more)];
}

const telling = ['command', 'cmd', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url'];

/** What a call is about, in a few words. */
function summaryOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const fields = new Map<string, unknown>(Object.entries(input));
  const values = [...telling.map((key) => fields.get(key)), ...fields.values()];
  return (
    values.find((value): value is string => typeof value === 'string' && value.trim() !== '') ?? ''
  );
}

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
