import type { Part, Todo } from '../../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { callParts, imageOfUrl, imagePart, textParts, type ToolResult } from '../parts.js';
import { usageApart } from '../tokens.js';
import type { RowDialect } from '../sqlite/rowThread.js';
import type { Step } from '../sqlite/steps.js';

/** A session of Crush: messages whose parts are `{type, data}`; what tools answered has a role of its own. */
export const crushDialect: RowDialect = {
  agent: 'crush',
  table: 'messages',
  stepOf: (row) => {
    const parts = parsed(row['parts']);
    return Array.isArray(parts) ? stepOf(row, objectsOf(parts)) : undefined;
  },
  about: (before, table, row) => {
    if (table === 'place') return { ...before, cwd: textOf(row['folder']) };
    if (table !== 'sessions') return before;
    const todos = objectsOf(parsed(row['todos']));
    return {
      ...before,
      id: textOf(row['id']),
      title: textOf(row['title']),
      parent: textOf(row['parent_session_id']),
      tokens: usageApart({ input: row['prompt_tokens'], output: row['completion_tokens'] }),
      todos: todos.flatMap(todoOf),
      times: [crushTime(row['created_at']), crushTime(row['updated_at'])],
    };
  },
};

/** Seconds in older versions, milliseconds in newer ones. */
export const crushTime = (value: unknown): number | undefined => {
  if (typeof value !== 'number' || value <= 0) return undefined;
  return value < 1e12 ? value * 1000 : value;
};

function stepOf(row: Fields, items: readonly Fields[]): Step {
  const id = textOf(row['id']) ?? '';
  const place = typeof row['place'] === 'number' ? row['place'] : 0;
  const base = { id, place, at: crushTime(row['created_at']), results: items.flatMap(resultIn) };
  const parts = items.flatMap(partsIn);
  const text = items.map(textIn).join('').trim();
  if (row['is_summary_message'] === 1) {
    return { ...base, role: 'none', parts: [], notice: { kind: 'compaction', text } };
  }
  if (row['role'] === 'assistant') {
    return { ...base, role: 'assistant', model: textOf(row['model']), parts };
  }
  const isTyped = row['role'] === 'user' && parts.length > 0;
  return { ...base, role: isTyped ? 'user' : 'none', typed: text, parts: isTyped ? parts : [] };
}

const textIn = ({ type, data }: Fields): string =>
  type === 'text' ? (textOf(fieldsOf(data)?.['text']) ?? '') : '';

function partsIn(item: Fields): readonly Part[] {
  const data = fieldsOf(item['data']) ?? {};
  switch (item['type']) {
    case 'text':
      return textParts(textOf(data['text']));
    case 'reasoning': {
      const text = textOf(data['thinking']);
      return text === undefined ? [] : [{ kind: 'thinking', text }];
    }
    case 'tool_call': {
      const input = data['input'];
      const id = textOf(data['id']) ?? '';
      return callParts(
        { id, name: textOf(data['name']) ?? '', input: parsed(input) ?? input },
        undefined,
      );
    }
    case 'image_url':
      return [imageOfUrl(textOf(data['url']) ?? '')];
    case 'binary':
      return [imagePart(textOf(data['MIMEType']), data['Data'])];
    default:
      return [];
  }
}

function resultIn(item: Fields): readonly (readonly [string, ToolResult])[] {
  if (item['type'] !== 'tool_result') return [];
  const data = fieldsOf(item['data']) ?? {};
  const type = textOf(data['mime_type']) ?? '';
  const result = {
    text: textOf(data['content']) ?? '',
    isError: data['is_error'] === true,
    media: type.startsWith('image/') ? [imagePart(type, data['data'])] : [],
  };
  return [[textOf(data['tool_call_id']) ?? '', result]];
}

const states: Readonly<Record<string, Todo['state']>> = { in_progress: 'doing', completed: 'done' };

function todoOf(todo: Fields): readonly Todo[] {
  const text = textOf(todo['content']);
  return text === undefined
    ? []
    : [{ text, state: states[textOf(todo['status']) ?? ''] ?? 'open' }];
}

function parsed(value: unknown): unknown {
  if (!isString(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
