import { claudeParser } from '../../src/agents/claude-code/parse.js';
import type { ThreadParser } from '../../src/agents/source.js';
import type { Part, Thread } from '../../src/core/model/thread.js';
import { sessionId, writing, type ClaudeWriter } from './claudeRecords.js';

export function parse(lines: readonly string[], nativeId = sessionId): ThreadParser {
  const parser = claudeParser(nativeId);
  for (const line of lines) parser.push(Buffer.from(line));
  return parser;
}

export const threadOf = (write: (to: ClaudeWriter) => void): Thread =>
  parse(writing(write)).thread();

/** A thread in a few words: `user: hi`, `assistant: [think] text Bash=>ok`. */
export const show = (thread: Thread): readonly string[] =>
  thread.turns.map(({ role, parts }) => `${role}: ${parts.map(word).join(' ')}`);

function word(part: Part): string {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'thinking') return `[${part.text}]`;
  if (part.kind === 'toolCall') return `${part.name}=>${part.result?.text ?? '?'}`;
  if (part.kind === 'image') return `image(${part.mediaType}, ${part.bytes})`;
  if (part.kind === 'attachment') return `@${part.name}`;
  return `${part.notice}(${part.text})`;
}
