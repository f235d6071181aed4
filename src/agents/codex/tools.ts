import type { Todo, ToolCall } from '../../core/model/thread.js';
import { fieldsOf, isFields, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { ToolResult } from '../parts.js';
import { contentText } from './line.js';
import { imagesOf } from './prompt.js';

/** A call of a tool, by its id; what ran at the vendor's without one (web searches) is none. */
export function callOf(item: Fields): Omit<ToolCall, 'kind' | 'result'> | undefined {
  const type = textOf(item['type']) ?? '';
  if (!type.endsWith('_call')) return undefined;
  const isShell = type === 'local_shell_call';
  const id = textOf(item['call_id']) ?? (isShell ? textOf(item['id']) : undefined);
  if (id === undefined) return undefined;
  const space = textOf(item['namespace']);
  const name = textOf(item['name']) ?? type.slice(0, -'_call'.length);
  const input = item['input'] ?? item['arguments'] ?? item['action'];
  return { id, name: space === undefined ? name : `${space}.${name}`, input: parsedInput(input) };
}

/** Arguments are JSON within JSON; a patch is plain text. */
function parsedInput(input: unknown): unknown {
  if (!isString(input)) return input;
  const value = parsed(input);
  return isFields(value) ? value : input;
}

/** What a call was answered, with its id. */
export function resultOf(item: Fields): (ToolResult & { readonly id: string }) | undefined {
  const id = textOf(item['call_id']);
  if (id === undefined || textOf(item['type'])?.endsWith('_output') !== true) return undefined;
  const output = item['output'] ?? item['tools'];
  const answer = fieldsOf(output);
  const content = answer?.['content'] ?? output;
  const old = isString(content) ? oldAnswer(content) : undefined;
  const text = old?.text ?? contentText(content, '\n');
  const failed = old?.failed ?? saysFailure(text);
  return { id, text, isError: answer?.['success'] === false || failed, media: imagesOf(content) };
}

/** How a program ended stands before what it printed, which may say anything. */
const saysFailure = (text: string): boolean => {
  const [head = ''] = text.slice(0, 400).split(/^Output:/m);
  return /^(?:Exit code: |Process exited with code )(?!0$)-?\d+$/m.test(head);
};

/** Until 2025-10 an answer was `{"output": "…", "metadata": {"exit_code": 0}}` in a string. */
function oldAnswer(text: string): { readonly text: string; readonly failed: boolean } | undefined {
  const fields = text.startsWith('{') ? fieldsOf(parsed(text)) : undefined;
  const output = fields?.['output'];
  const code = fieldsOf(fields?.['metadata'])?.['exit_code'];
  return isString(output) ? { text: output, failed: code !== undefined && code !== 0 } : undefined;
}

const states: Readonly<Record<string, Todo['state']>> = {
  in_progress: 'doing',
  completed: 'done',
};

/** The list that a call of `update_plan` sets. */
export function todosOf(call: Pick<ToolCall, 'name' | 'input'>): readonly Todo[] | undefined {
  if (call.name !== 'update_plan') return undefined;
  return objectsOf(fieldsOf(call.input)?.['plan']).flatMap((step) => {
    const text = textOf(step['step']);
    return text === undefined
      ? []
      : [{ text, state: states[textOf(step['status']) ?? ''] ?? 'open' }];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
