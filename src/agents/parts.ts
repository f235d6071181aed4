import type { Part, ToolCall } from '../core/model/thread.js';
import { isString } from './json.js';

export type ImagePart = Extract<Part, { kind: 'image' }>;

/** What a tool answered. Images cannot stand in a result's text, so they follow the call. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly media?: readonly Part[];
}

export const textParts = (text: string | undefined): readonly Part[] =>
  text === undefined || text === '' ? [] : [{ kind: 'text', text }];

/** A call with what it was answered, if it was. */
export function callParts(
  call: Omit<ToolCall, 'kind' | 'result'>,
  result: ToolResult | undefined,
): readonly Part[] {
  const part = { kind: 'toolCall', ...call } as const;
  if (result === undefined) return [part];
  const { text, isError, media = [] } = result;
  return [{ ...part, result: { text, isError } }, ...media];
}

export const imagePart = (mediaType: string | undefined, base64: unknown): ImagePart => ({
  kind: 'image',
  mediaType: mediaType ?? 'image',
  bytes: isString(base64) ? decodedSize(base64) : 0,
});

/** An image that is given as a `data:` URL or as the address of one. */
export function imageOfUrl(url: string): ImagePart {
  const [, mediaType, data] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(url) ?? [];
  return data === undefined
    ? { kind: 'image', mediaType: 'image', bytes: 0, name: url }
    : imagePart(mediaType, data);
}

const decodedSize = (base64: string): number => {
  const end = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - end) * 3) / 4);
};
