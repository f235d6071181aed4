import type { BlobEntry } from './schemas.js';

/** A blob is cut into parts of so many bytes. */
const PART = 1024 * 1024;

/** A content as entries: text where a part is UTF-8, else base64. `id`: SHA-256 of the whole, hex. */
export function* blobEntries(
  id: string,
  bytes: Uint8Array,
  record?: true,
): Generator<BlobEntry, void, undefined> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = buffer.length;
  for (let at = 0; at === 0 || at < size; at += PART) {
    const part = buffer.subarray(at, at + PART);
    const text = part.toString('utf8');
    const isText = !text.includes('\ufffd') || Buffer.from(text).equals(part);
    yield isText
      ? { kind: 'blob', id, record, size, at, text }
      : { kind: 'blob', id, record, size, at, base64: part.toString('base64') };
  }
}
