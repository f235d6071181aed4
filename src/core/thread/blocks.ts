import type { Part } from '../model/thread.js';
import type { DocumentCall, DocumentLink, LinkTarget, PartPlace } from './document.js';
import { cutNote, limits, summaryLength } from './limits.js';
import { codeSpan, embed, escapeMarkdown } from './markdown.js';
import { cut, fileSize, oneLine, visible } from './text.js';
import { toolBlock } from './toolBlock.js';

/** Lines that belong together; `folds`: all but the first open folded. */
export interface Block {
  readonly lines: readonly string[];
  readonly folds: boolean;
  /** Numbers of the turn and the part that it shows; absent for headings and what else is no part. */
  readonly shows?: PartPlace;
  /** Lines count from the block's first. */
  readonly links?: readonly BlockLink[];
  /** Set for a tool call. */
  readonly call?: Pick<DocumentCall, 'name' | 'detail' | 'hasChanges'>;
}

export type BlockLink = Omit<DocumentLink, 'to'> & {
  readonly to: LinkTarget | { readonly kind: 'ownImage' };
};

/**
 * @param limited long texts are cut, for reading; a copy has all of them
 * @param folder what lies in it is named without its path
 */
export function blockOf(
  part: Part,
  role: 'user' | 'assistant' | 'system',
  limited = true,
  folder?: string,
): Block {
  const limit = (most: number): number => (limited ? most : Infinity);
  switch (part.kind) {
    case 'text':
      return open(textLines(part.text, role, limit(limits.text)));
    case 'thinking':
      return thinkingBlock(part.text, limit(limits.thinking));
    case 'toolCall':
      return toolBlock(part, limited, folder);
    case 'image':
      return imageBlock(part);
    case 'attachment':
      return attachmentBlock(part);
    case 'notice':
      return noticeBlock(part, limit(limits.notice));
  }
}

function imageBlock({ name, mediaType, bytes }: Extract<Part, { kind: 'image' }>): Block {
  const shown = name === undefined ? '' : ` ${codeSpan(oneLine(name, 200))}`;
  const size = bytes > 0 ? `, ${fileSize(bytes)}` : '';
  const line = `Image${shown} (${escapeMarkdown(oneLine(mediaType, 100))}${size})`;
  if (bytes > 0) return linked(line, line, { kind: 'ownImage' });
  return name === undefined
    ? open([line])
    : linked(line, oneLine(name, 200), { kind: 'file', path: name });
}

function attachmentBlock({ name, uri }: Extract<Part, { kind: 'attachment' }>): Block {
  const shown = oneLine(name, 200);
  const address = uri === undefined ? '' : ` (${codeSpan(oneLine(uri, 500))})`;
  const line = `Attached ${codeSpan(shown)}${address}`;
  return linked(line, shown, { kind: 'file', path: uri ?? name });
}

function linked(line: string, words: string, to: BlockLink['to']): Block {
  const start = line.indexOf(words);
  if (start < 0 || words === '') return open([line]);
  return { ...open([line]), links: [{ line: 0, start, end: start + words.length, to }] };
}

const open = (lines: readonly string[]): Block => ({ lines, folds: false });

function textLines(
  text: string,
  role: 'user' | 'assistant' | 'system',
  limit: number,
): readonly string[] {
  const { kept, more } = cut(visible(text).trim(), limit);
  const lines = [...embed(kept), ...cutNote(more)];
  // Prompts are quoted, so that nothing in them passes for an answer.
  return role === 'user' ? lines.map((line) => (line === '' ? '>' : `> ${line}`)) : lines;
}

function thinkingBlock(text: string, limit: number): Block {
  const shown = visible(text).trim();
  if (shown === '') return open(['*Thinking*']);
  if (shown.length <= summaryLength && !shown.includes('\n')) {
    return open([`*Thinking* ${codeSpan(shown)}`]);
  }
  const { kept, more } = cut(shown, limit);
  const first = codeSpan(oneLine(shown, summaryLength));
  return { lines: [`*Thinking* ${first}`, '', ...embed(kept), ...cutNote(more)], folds: true };
}

function noticeBlock({ notice, text }: Extract<Part, { kind: 'notice' }>, limit: number): Block {
  const line = oneLine(text, summaryLength);
  switch (notice) {
    case 'command':
      return open([`Command ${codeSpan(line)}`]);
    case 'shell':
      return open([`Shell ${codeSpan(line)}`]);
    case 'interrupted':
      return open([line === '' ? '*Interrupted*' : `*Interrupted* ${codeSpan(line)}`]);
    case 'error':
      return longNotice('**Error**', text, limit);
    case 'compaction':
      return longNotice('*Earlier turns were summarized here*', text, limit);
    case 'info':
      return longNotice('', text, limit);
  }
}

function longNotice(head: string, text: string, limit: number): Block {
  const shown = visible(text).trim();
  const { kept, more } = cut(shown, limit);
  const lines = embed(kept);
  const isShort =
    more === 0 && lines.length === 1 && kept.length <= 200 && !/^\s*[`~]{3}/.test(kept);
  if (isShort) return open([[head, ...lines].filter(Boolean).join(' ')]);
  const first = head === '' ? codeSpan(oneLine(shown, summaryLength)) : head;
  return { lines: [first, '', ...embed(kept), ...cutNote(more)], folds: true };
}
