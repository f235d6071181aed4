import type { Part, ToolCall, Turn } from '../core/model/thread.js';
import { isString } from './json.js';
import type { ParserOptions } from './source.js';

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

/** An image with its data; see {@link withImages}. Some agents put a whole `data:` URL in the data's place. */
export function imagePart(mediaType: string | undefined, base64: unknown): ImagePart {
  if (!isString(base64) || base64 === '') {
    return { kind: 'image', mediaType: mediaType ?? 'image', bytes: 0 };
  }
  const [, named, rest] = dataUrl.exec(base64) ?? [];
  const data = rest ?? base64;
  const type = mediaType ?? (named || 'image');
  return { kind: 'image', mediaType: type, bytes: decodedSize(data), data };
}

const dataUrl = /^data:([^;,]*)[^,]*,(.*)$/s;

/** An image that is given as a `data:` URL or as the address of one. */
export const imageOfUrl = (url: string): ImagePart =>
  dataUrl.test(url)
    ? imagePart(undefined, url)
    : { kind: 'image', mediaType: 'image', bytes: 0, name: url };

/** Turns as they were asked for. Images are large, so that their data stays only for those who show them. */
export const withImages = (turns: readonly Turn[], { images }: ParserOptions): readonly Turn[] =>
  images === true ? turns : turns.map((turn) => ({ ...turn, parts: turn.parts.map(withoutData) }));

export function withoutData(part: Part): Part {
  if (part.kind !== 'image' || part.data === undefined) return part;
  const { kind, mediaType, bytes } = part;
  const lean = { kind, mediaType, bytes };
  return 'name' in part ? { ...lean, name: part.name } : lean;
}

const decodedSize = (base64: string): number => {
  const end = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - end) * 3) / 4);
};
