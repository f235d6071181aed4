import { isAscii } from 'node:buffer';
import type { Skipped } from '../core/model/thread.js';
import { isFields, textOf, type Fields } from './json.js';

/** A line that is one JSON object, or why it is not. */
export type Decoded =
  | { readonly fields: Fields }
  | { readonly fields?: undefined; readonly reason: Skipped['reason']; readonly text: string };

export function decode(record: Uint8Array, cut = false): Decoded {
  const bytes = Buffer.from(record.buffer, record.byteOffset, record.byteLength);
  // The same for such bytes, in two thirds of the time.
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  const value = parsed(text);
  if (isFields(value)) return { fields: value };
  if (value !== undefined) return { reason: 'notAnObject', text };
  if (record.includes(0)) return { reason: 'nulBytes', text };
  return { reason: cut ? 'incomplete' : 'notJson', text };
}

/** Past these, looking for whole objects in a broken line would cost more than it brings. */
const longestRescue = 1024 * 1024;
const mostPieces = 64;

/**
 * The whole objects in a broken line: two writers sometimes glue their records together, and a crash
 * leaves NULs or the start of a record before the next one. They are shown, never counted.
 */
export function rescue(line: string): readonly Fields[] {
  const text = line.replaceAll('\0', '');
  if (text.length > longestRescue) return [];
  const starts = [...text.matchAll(/\{"(?=\w+":)/g)].map(({ index }) => index);
  const found: Fields[] = [];
  let from = 0;
  for (const start of starts.slice(0, mostPieces)) {
    if (start < from) continue;
    const piece = objectAt(text, start, starts);
    if (piece === undefined) continue;
    found.push(piece.fields);
    from = piece.end;
  }
  return found;
}

function objectAt(
  text: string,
  start: number,
  starts: readonly number[],
): { readonly fields: Fields; readonly end: number } | undefined {
  const ends = [...starts.filter((next) => next > start && text[next - 1] === '}'), text.length];
  for (const end of ends.slice(0, mostPieces)) {
    const fields = parsed(text.slice(start, end));
    if (isFields(fields) && textOf(fields['type']) !== undefined) return { fields, end };
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
