import type { ToolCall } from '../core/model/thread.js';
import { fieldsOf, isFields, isString, objectsOf, textOf, type Fields } from './json.js';
import { imagePart, type ImagePart, type ToolResult } from './parts.js';

/**
 * Content in the form of Google's GenAI API (`Part`), which Gemini CLI and its descendants keep:
 * texts, thoughts, `functionCall`, `functionResponse`, `inlineData` and `fileData`.
 */
export function genAiParts(content: unknown): readonly Fields[] {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts.map((part) => (isString(part) ? { text: part } : part)).filter(isFields);
}

/** A part of a thought has its text in `text`, marked; some marked it with the text itself. */
export const isThought = (part: Fields): boolean =>
  part['thought'] === true || (isString(part['thought']) && part['thought'] !== '');

export const thoughtOf = ({ text, thought }: Fields): string =>
  textOf(text) ?? textOf(thought) ?? '';

/** What is said, without thoughts; `''` for a part that says nothing. */
export const saidIn = (part: Fields): string =>
  isThought(part) ? '' : (textOf(part['text']) ?? '');

export function genAiCall(part: Fields): Omit<ToolCall, 'kind' | 'result'> | undefined {
  const call = fieldsOf(part['functionCall']);
  return (
    call && { id: textOf(call['id']) ?? '', name: textOf(call['name']) ?? '', input: call['args'] }
  );
}

export function genAiResult(part: Fields): (ToolResult & { readonly id: string }) | undefined {
  const answer = fieldsOf(part['functionResponse']);
  if (answer === undefined) return undefined;
  const response = fieldsOf(answer['response']) ?? {};
  const error = response['error'];
  const output = response['output'] ?? (error === undefined ? response : undefined);
  const text = error === undefined ? output : error;
  return {
    id: textOf(answer['id']) ?? '',
    text: isString(text) ? text : JSON.stringify(text),
    isError: error !== undefined,
    images: objectsOf(answer['parts']).flatMap(genAiImage),
  };
}

export function genAiImage(part: Fields): readonly ImagePart[] {
  const inline = fieldsOf(part['inlineData']);
  if (inline !== undefined) return [imagePart(textOf(inline['mimeType']), inline['data'])];
  const file = fieldsOf(part['fileData']);
  const name = textOf(file?.['fileUri']);
  return name === undefined
    ? []
    : [{ kind: 'image', mediaType: textOf(file?.['mimeType']) ?? 'image', bytes: 0, name }];
}

/**
 * Whether a record with a parent is one of Qwen Code's: Claude Code chains its records by the same
 * names, but keeps content in another form. Of a record that is cut off only the first members tell.
 */
export const isGenAiRecord = (record: Fields): boolean =>
  'systemPayload' in record ||
  'toolCallResult' in record ||
  record['type'] === 'tool_result' ||
  Array.isArray(fieldsOf(record['message'])?.['parts']) ||
  (isFields(record['message']) &&
    Object.keys(record['message']).length === 0 &&
    !('isSidechain' in record) &&
    !('userType' in record));
