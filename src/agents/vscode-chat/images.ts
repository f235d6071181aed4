import { isFields, isString, textOf, type Fields } from '../json.js';
import { imagePart, type ImagePart } from '../parts.js';

/** A picture in a chat; JSON holds its bytes as base64, as an array, or as an object of numbered bytes. */
export function chatImage(
  mediaType: string | undefined,
  value: unknown,
  wantsData: boolean | undefined,
): ImagePart {
  // Newer versions write bytes as `{ $base64 }`.
  const held = isFields(value) ? (value['data'] ?? value['$base64'] ?? value) : value;
  if (isString(held)) return imagePart(mediaType, held);
  const bytes = bytesIn(held);
  const part = { kind: 'image', mediaType: mediaType ?? 'image', bytes: bytes.length } as const;
  if (wantsData !== true || bytes.length === 0) return part;
  return { ...part, data: Buffer.from(bytes.map(Number)).toString('base64') };
}

function bytesIn(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isFields(value) && '0' in value ? Object.values(value) : [];
}

/** The picture that an item of a tool's result is, if it is one. */
export function imageInResult(item: Fields, wantsData?: boolean): ImagePart | undefined {
  const mediaType = textOf(item['mimeType']);
  if (mediaType?.startsWith('image/') !== true || item['isText'] === true) return undefined;
  const held = item['data'] ?? item['value'];
  return held === undefined ? undefined : chatImage(mediaType, held, wantsData);
}
