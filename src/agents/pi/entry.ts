import type { Part } from '../../core/model/thread.js';
import { fieldsOf, isString, objectsOf, textOf, type Fields } from '../json.js';
import { imagePart, type ToolResult } from '../parts.js';

/** The message of an entry; undefined for the other kinds. */
export const messageOf = (entry: Fields): Fields | undefined =>
  entry['type'] === 'message' ? fieldsOf(entry['message']) : undefined;

/** The blocks of a message; a plain string is one text block. */
export const blocksOf = (content: unknown): readonly Fields[] =>
  isString(content) ? [{ type: 'text', text: content }] : objectsOf(content);

export const plainText = (content: unknown): string =>
  blocksOf(content)
    .filter(({ type }) => type === 'text')
    .map(({ text }) => textOf(text) ?? '')
    .join('\n');

export const imagesIn = (content: unknown): readonly Part[] =>
  blocksOf(content)
    .filter(({ type }) => type === 'image')
    .map(({ data, mimeType }) => imagePart(textOf(mimeType), data));

export const isToolCall = ({ type }: Fields): boolean => type === 'toolCall';

export function resultOf(message: Fields): (ToolResult & { readonly id: string }) | undefined {
  const id = textOf(message['toolCallId']);
  if (message['role'] !== 'toolResult' || id === undefined) return undefined;
  const { content, isError } = message;
  return { id, text: plainText(content), isError: isError === true, media: imagesIn(content) };
}
