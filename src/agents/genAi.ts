import type { Part, ToolCall } from '../core/model/thread.js';
import { withoutHeadBlocks } from './headBlocks.js';
import { fieldsOf, isFields, isString, objectsOf, textOf, type Fields } from './json.js';
import { imagePart, type ToolResult } from './parts.js';

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

/** Heads of what a program itself says in the person's name. */
const injected =
  /^\s*(<session_context>|<hook_context>|This is the Gemini CLI\. We are setting up|<state_snapshot>)/;

/** The parts of a user's message that a person typed or attached; none when it was no person. */
export function typedParts(content: unknown): readonly Fields[] {
  const parts = genAiParts(content).filter(
    (part) => !injected.test(saidIn(part)) && part['functionResponse'] === undefined,
  );
  const isTyped = typedIn(parts) !== '' || parts.some((part) => genAiMedia(part).length > 0);
  return isTyped ? parts : [];
}

/** Text parts stand for one text, joined as the programs join them. */
export const typedIn = (parts: readonly Fields[]): string =>
  withoutHeadBlocks(parts.map(saidIn).join('')).trim();

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
    media: objectsOf(answer['parts']).flatMap(genAiMedia),
  };
}

/** An image, or another file, that stands in the content or is named by it. */
export function genAiMedia(part: Fields): readonly Part[] {
  const inline = fieldsOf(part['inlineData']);
  const file = fieldsOf(part['fileData']);
  const type = textOf((inline ?? file)?.['mimeType']) ?? 'image';
  const name = textOf((inline ?? file)?.['displayName']) ?? textOf(file?.['fileUri']);
  if (inline === undefined && file === undefined) return [];
  if (!type.startsWith('image')) return [{ kind: 'attachment', name: name ?? type }];
  return [{ ...imagePart(type, inline?.['data']), name }];
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
