import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { callParts, textParts, type ToolResult } from '../parts.js';
import type { RowDialect } from '../sqlite/rowThread.js';
import type { Step } from '../sqlite/steps.js';
import { momentOf } from './bubbles.js';
import { typedIn } from './prompt.js';

/** A chat of the command line: messages in the form of the AI SDK. */
export const chatDialect: RowDialect = {
  agent: 'cursor',
  table: 'message',
  stepOf: (row) => {
    const id = textOf(row['id']) ?? '';
    const place = typeof row['place'] === 'number' ? row['place'] : 0;
    // A node of the tree that is no message is not JSON.
    return stepOf(id, place, fieldsOf(row['value']) ?? {});
  },
  about: (before, table, row) => {
    const meta = table === 'chat' ? (fieldsOf(row['value']) ?? {}) : {};
    return {
      ...before,
      id: textOf(meta['agentId']) ?? before.id,
      title: textOf(meta['name']) ?? before.title,
      times: [momentOf(meta['createdAt'])],
    };
  },
};

function stepOf(id: string, place: number, message: Fields): Step {
  const { role } = message;
  const blocks = blocksOf(message);
  if (role === 'user') {
    const typed = typedIn(blocks.map((block) => textOf(block['text']) ?? '').join('\n'));
    const parts = textParts(typed);
    return { id, place, role: parts.length > 0 ? 'user' : 'none', typed, parts };
  }
  const results = blocks.flatMap(resultIn);
  if (role !== 'assistant') return { id, place, role: 'none', parts: [], results };
  return { id, place, role, parts: blocks.flatMap(answerParts) };
}

const blocksOf = ({ content }: Fields): readonly Fields[] =>
  isString(content) ? [{ type: 'text', text: content }] : objectsOf(content);

function resultIn(block: Fields): readonly (readonly [string, ToolResult])[] {
  if (block['type'] !== 'tool-result') return [];
  const { result } = block;
  const text = isString(result) ? result : JSON.stringify(result ?? '');
  return [[textOf(block['toolCallId']) ?? '', { text, isError: block['isError'] === true }]];
}

function answerParts(block: Fields): Step['parts'] {
  const text = textOf(block['text']);
  if (block['type'] === 'reasoning') return [{ kind: 'thinking', text: text ?? '' }];
  if (block['type'] !== 'tool-call') return textParts(text);
  const id = textOf(block['toolCallId']) ?? '';
  return callParts({ id, name: textOf(block['toolName']) ?? '', input: block['args'] }, undefined);
}
