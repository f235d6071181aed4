import { ChatParser } from '../../src/agents/vscode-chat/parser.js';
import type { Part, Thread } from '../../src/core/model/thread.js';
import { line, request, state } from './chatRecords.js';

export function parse(lines: readonly string[], nativeId = 'chat-1'): ChatParser {
  const parser = new ChatParser(nativeId);
  for (const each of lines) parser.push(Buffer.from(each));
  return parser;
}

export const threadOf = (...values: readonly unknown[]): Thread => parse(values.map(line)).thread();

/** The thread of a chat with one request. */
export const threadWith = (more: Readonly<Record<string, unknown>>): Thread =>
  threadOf({ kind: 0, v: state([request(1, more)]) });

/** Turns in a few words: `user: hi`, `assistant: [think] text read_file=>ok`. */
export const show = (thread: Thread): readonly string[] =>
  thread.turns.map(({ role, parts }) => `${role}: ${parts.map(word).join(' ')}`);

function word(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'thinking':
      return `[${part.text}]`;
    case 'toolCall':
      return `${part.name}${JSON.stringify(part.input)}=>${part.result?.text ?? '?'}`;
    case 'image':
      return `image(${part.name}, ${part.mediaType}, ${part.bytes})`;
    case 'attachment':
      return `@${part.name}`;
    case 'notice':
      return `${part.notice}(${part.text})`;
  }
}
