import type { ToolCall } from '../../core/model/thread.js';
import {
  genAiCall,
  genAiMedia,
  genAiParts,
  genAiResult,
  isThought,
  saidIn,
  typedParts,
} from '../genAi.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import type { ToolResult } from '../parts.js';

export type Role = 'user' | 'model' | 'info';

/** Qwen Code called the model's messages after itself while it still wrote this form. */
export function roleOf({ type }: Fields): Role {
  if (type === 'user') return 'user';
  return type === 'gemini' || type === 'qwen' ? 'model' : 'info';
}

const types = new Set<unknown>(['user', 'gemini', 'qwen', 'info', 'error', 'warning']);

/**
 * The message that a record is, in the form of a session's. Besides that there are lists of the API's contents, which
 * `/chat save` writes, and `logs.json`, a list of prompts alone; neither has ids.
 */
export function messageIn(record: Fields, id: string): Fields | undefined {
  const { type, role, parts, message, timestamp, messageId } = record;
  if (isString(record['id'])) return record;
  if (type === 'user' && isString(message)) {
    const key = `${String(record['sessionId'])} ${String(messageId)}`;
    return { id: key, type, content: message, timestamp };
  }
  if (types.has(type) && 'content' in record) return { ...record, id };
  if ((role !== 'user' && role !== 'model') || !Array.isArray(parts)) return undefined;
  return { id, type: role === 'user' ? 'user' : 'gemini', content: parts };
}

/** What `/chat save` and the checkpoints before edits hold: the conversation as the API takes it. */
export const isCheckpoint = (record: Fields): boolean =>
  [record['clientHistory'], record['history']].some(
    (list) => Array.isArray(list) && objectsOf(list).some(({ parts }) => Array.isArray(parts)),
  );

/** What a compression made of earlier turns goes on as the person's first message. */
const summary = /^\s*<state_snapshot>/;

/** What a person typed and attached, or undefined when it was not a person. */
export function promptOf(message: Fields): readonly Fields[] | undefined {
  if (roleOf(message) !== 'user') return undefined;
  const shown = typedParts(message['displayContent']);
  const parts = shown.length > 0 ? shown : typedParts(message['content']);
  return parts.length > 0 ? parts : undefined;
}

/** The summary that stands for compressed turns, if the message is one. */
export function summaryOf(message: Fields): string | undefined {
  const text = genAiParts(message['content']).map(saidIn).join('');
  return roleOf(message) === 'user' && summary.test(text) ? text.trim() : undefined;
}

export type Call = Omit<ToolCall, 'kind' | 'result'>;

/** Calls of a message, each once: a resumed session keeps them in its content, others beside it. */
export function callsOf(message: Fields): readonly Call[] {
  const beside = objectsOf(message['toolCalls']).map((call) => ({
    id: textOf(call['id']) ?? '',
    name: textOf(call['name']) ?? '',
    input: call['args'],
  }));
  const within = genAiParts(message['content']).flatMap((part) => genAiCall(part) ?? []);
  const ids = new Set(within.map(({ id }) => id));
  return [...within, ...beside.filter(({ id }) => !ids.has(id))];
}

/** Results that a message holds: beside its calls, or in answer to those of the message before. */
export function resultsOf(message: Fields): readonly (ToolResult & { readonly id: string })[] {
  const within = genAiParts(message['content']).flatMap((part) => genAiResult(part) ?? []);
  return [...within, ...objectsOf(message['toolCalls']).flatMap(besideResult)];
}

function besideResult(call: Fields): readonly (ToolResult & { readonly id: string })[] {
  const { result, status } = call;
  const id = textOf(call['id']) ?? '';
  const failed = status === 'error' || status === 'cancelled';
  if (isString(result)) return [{ id, text: result, isError: failed }];
  const answers = genAiParts(result);
  if (answers.length === 0) return [];
  const parts = answers.flatMap((part) => genAiResult(part) ?? []);
  const text = parts.map((part) => part.text).join('\n') || answers.map(saidIn).join('\n');
  return [
    {
      id,
      text,
      isError: failed || parts.some(({ isError }) => isError),
      media: [...parts.flatMap(({ media = [] }) => media), ...answers.flatMap(genAiMedia)],
    },
  ];
}

/** Thoughts, which have a subject, or stand among the parts of a resumed session. */
export function thoughtsOf(message: Fields): readonly string[] {
  const within = genAiParts(message['content']).filter(isThought);
  if (within.length > 0) return within.map(({ text }) => textOf(text) ?? '');
  return objectsOf(message['thoughts']).map(({ subject, description }) =>
    [textOf(subject), textOf(description)].filter(Boolean).join(': '),
  );
}

/** Everything in a message that is a time. */
export const timesIn = (message: Fields): readonly unknown[] => [
  message['timestamp'],
  ...[message['thoughts'], message['toolCalls']]
    .flatMap(objectsOf)
    .map(({ timestamp }) => timestamp),
];

/** The tasks that a call of `write_todos` sets. */
export const todoInput = ({ name, input }: Call): readonly Fields[] | undefined =>
  name === 'write_todos' ? objectsOf(fieldsOf(input)?.['todos']) : undefined;
