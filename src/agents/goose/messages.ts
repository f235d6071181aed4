import type { Part, Todo } from '../../core/model/thread.js';
import { fieldsOf, isString, momentIn, objectsOf, textOf, timeOf, type Fields } from '../json.js';
import { callParts, imagePart, textParts, type ToolResult } from '../parts.js';
import { usageApart } from '../tokens.js';
import type { RowDialect } from '../sqlite/rowThread.js';
import type { Step } from '../sqlite/steps.js';

/** A session of Goose: messages whose content is a list of typed items. */
export const gooseDialect: RowDialect = {
  agent: 'goose',
  table: 'messages',
  stepOf: (row) => {
    const content = listOf(row['content_json'] ?? row['content']);
    return content === undefined ? undefined : stepOf(row, content);
  },
  about: (before, table, row) => {
    if (table !== 'sessions') return before;
    const model = parsed(row['model_config_json']);
    const extensions = fieldsOf(parsed(row['extension_data']));
    const todo = Object.entries(extensions ?? {}).find(([key]) => key.startsWith('todo'));
    return {
      id: textOf(row['id']),
      title: textOf(row['name']) ?? textOf(row['description']),
      cwd: textOf(row['working_dir']),
      model: textOf(fieldsOf(model)?.['model_name']),
      tokens: usageApart({
        input: row['accumulated_input_tokens'] ?? row['input_tokens'],
        output: row['accumulated_output_tokens'] ?? row['output_tokens'],
      }),
      todos: todosOf(textOf(fieldsOf(todo?.[1])?.['content']) ?? ''),
      times: [gooseTime(row['created_at']), gooseTime(row['updated_at'])],
    };
  },
};

/** SQLite's own text for a time has no zone, and means UTC; numbers are seconds. */
export function gooseTime(value: unknown): number | undefined {
  if (typeof value === 'number') return momentIn(value < 1e12 ? value * 1000 : value);
  const text = textOf(value);
  const isBare = text !== undefined && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?$/.test(text);
  return timeOf(isBare ? `${text.replace(' ', 'T')}Z` : text);
}

function stepOf(row: Fields, content: readonly Fields[]): Step {
  const id = String(row['id']);
  const place = typeof row['place'] === 'number' ? row['place'] : 0;
  const at = gooseTime(row['created_timestamp'] ?? row['created']);
  const base = { id, place, at, results: content.flatMap(resultIn) };
  const notice = content.flatMap(noticeIn)[0];
  if (notice !== undefined) return { ...base, role: 'none', parts: [], notice };
  const metadata = fieldsOf(parsed(row['metadata_json'] ?? row['metadata']));
  // A summary is the model's own reading, and stands for what the person still sees.
  if (metadata?.['userVisible'] === false) return { ...base, role: 'none', parts: [] };
  const parts = content.flatMap(partsIn);
  if (row['role'] === 'assistant') return { ...base, role: 'assistant', parts };
  if (parts.length === 0) return { ...base, role: 'none', parts };
  return { ...base, role: 'user', typed: textIn(content).trim(), parts };
}

const textIn = (content: readonly Fields[]): string =>
  content.flatMap(({ type, text }) => (type === 'text' ? (textOf(text) ?? []) : [])).join('\n');

function partsIn(item: Fields): readonly Part[] {
  switch (item['type']) {
    case 'text':
      return textParts(textOf(item['text']));
    case 'thinking':
      return [{ kind: 'thinking', text: textOf(item['thinking']) ?? '' }];
    case 'redactedThinking':
      return [{ kind: 'thinking', text: '' }];
    case 'image':
      return [imagePart(textOf(item['mimeType']), item['data'])];
    case 'toolRequest':
    case 'frontendToolRequest': {
      const call = fieldsOf(fieldsOf(item['toolCall'])?.['value']) ?? {};
      const id = textOf(item['id']) ?? '';
      return callParts(
        { id, name: textOf(call['name']) ?? '', input: call['arguments'] },
        undefined,
      );
    }
    default:
      return [];
  }
}

function resultIn(item: Fields): readonly (readonly [string, ToolResult])[] {
  if (item['type'] !== 'toolResponse') return [];
  const result = fieldsOf(item['toolResult']) ?? {};
  const value = result['value'];
  const answer = fieldsOf(value);
  const content = objectsOf(answer?.['content'] ?? value);
  const words = content.flatMap(({ text }) => textOf(text) ?? []).join('\n');
  const isError = result['status'] === 'error' || answer?.['isError'] === true;
  const media = content
    .filter(({ type }) => type === 'image')
    .map(({ mimeType, data }) => imagePart(textOf(mimeType), data));
  const text = words || textOf(result['error']) || '';
  return [[textOf(item['id']) ?? '', { text, isError, media }]];
}

const noticeIn = (item: Fields): readonly NonNullable<Step['notice']>[] =>
  item['type'] === 'conversationCompacted' || item['type'] === 'summarizationRequested'
    ? [{ kind: 'compaction', text: textOf(item['msg']) ?? '' }]
    : [];

/** The todo extension keeps a list in Markdown. */
const todosOf = (markdown: string): readonly Todo[] =>
  [...markdown.matchAll(/^\s*[-*] \[([ xX])\] (.+)$/gm)].map(([, mark, text = '']) => ({
    text,
    state: mark === ' ' ? 'open' : 'done',
  }));

/** A column of JSON is in the record as its object, or as text when it is a list. */
function parsed(value: unknown): unknown {
  if (!isString(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

const listOf = (value: unknown): readonly Fields[] | undefined => {
  const list = parsed(value);
  return Array.isArray(list) ? objectsOf(list) : undefined;
};
