import { ExpectedError } from '../core/errors.js';
import type { BatchHeader } from '../core/model/records.js';
import { batchHeaderSchema } from '../core/model/records.js';

/** A run of a thread's records with its head. */
export interface Batch {
  readonly header: BatchHeader;
  /** Each record's own bytes. */
  readonly records: readonly Uint8Array[];
}

/*
 * The payload of a records frame, numbers little-endian: u32 length of the head, the head as JSON (see
 * `batchHeaderSchema`); then for each record u32 length and its bytes.
 */

/** @param memory gives memory of a size for the result */
export function encodeBatch(
  header: BatchHeader,
  records: readonly Uint8Array[],
  memory: (size: number) => Buffer = (size) => Buffer.allocUnsafe(size),
): Buffer {
  const parts = [Buffer.from(JSON.stringify(header)), ...records];
  const payload = memory(parts.reduce((sum, { length }) => sum + 4 + length, 0));
  let at = 0;
  for (const part of parts) {
    at = payload.writeUInt32LE(part.length, at);
    payload.set(part, at);
    at += part.length;
  }
  return payload;
}

/**
 * The reverse of {@link encodeBatch}. The records share the payload's memory.
 *
 * @throws ExpectedError `unreadable`
 */
export function decodeBatch(payload: Uint8Array): Batch {
  const [head, ...records] = split(payload);
  const header = batchHeaderSchema.safeParse(parseJson(head));
  if (!header.success || header.data.count !== records.length) throw unreadable();
  return { header: header.data, records };
}

/** The head's JSON bytes, without a look at the records. */
export function batchHead(payload: Uint8Array): Uint8Array {
  return partAt(payload, 0);
}

/** The thread that a run of records belongs to; undefined when its head cannot be read. */
export function batchThread(payload: Uint8Array): string | undefined {
  try {
    return batchHeaderSchema.safeParse(parseJson(batchHead(payload))).data?.thread;
  } catch {
    return undefined;
  }
}

function split(payload: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let offset = 0; offset < payload.length;) {
    const part = partAt(payload, offset);
    parts.push(part);
    offset += 4 + part.length;
  }
  return parts;
}

function partAt(payload: Uint8Array, offset: number): Uint8Array {
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  if (offset + 4 > payload.length) throw unreadable();
  const begin = offset + 4;
  const end = begin + view.getUint32(offset, true);
  if (end > payload.length) throw unreadable();
  return payload.subarray(begin, end);
}

function parseJson(bytes: Uint8Array | undefined): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

const unreadable = (): ExpectedError =>
  new ExpectedError('unreadable', 'A run of a conversation is not as this version knows it.', [], {
    next: 'Update Keepthread if a newer version has written it.',
  });
