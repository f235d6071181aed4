import { constants, isUtf8 } from 'node:buffer';
import { ExpectedError } from '../core/errors.js';

/** What came in as text, and the way back to bytes: what was not changed goes out byte for byte. */
export interface InputText {
  readonly text: string;
  readonly encode: (text: string) => Uint8Array;
}

/**
 * UTF-16 by its mark, else UTF-8, whose byte order mark stays. A byte that is no UTF-8 becomes one unit,
 * U+DC80 to U+DCFF, as Python's "surrogateescape" has it (PEP 383): no text can hold these alone.
 *
 * @throws ExpectedError `inputTooLong`
 */
export function decodeInput(bytes: Buffer): InputText {
  if (bytes.length > constants.MAX_STRING_LENGTH) throw tooLong();
  const [first, second] = bytes;
  const isEven = bytes.length % 2 === 0;
  if (isEven && first === 0xff && second === 0xfe) {
    return { text: bytes.toString('utf16le'), encode: (text) => Buffer.from(text, 'utf16le') };
  }
  if (isEven && first === 0xfe && second === 0xff) {
    const text = Buffer.from(bytes).swap16().toString('utf16le');
    return { text, encode: (given) => Buffer.from(given, 'utf16le').swap16() };
  }
  if (isUtf8(bytes)) return { text: bytes.toString('utf8'), encode: (text) => Buffer.from(text) };
  return { text: decodeBroken(bytes), encode: encodeBroken };
}

const tooLong = (): ExpectedError =>
  new ExpectedError('inputTooLong', 'The text is too long to be looked through as one.', [], {
    next: 'Give it in smaller pieces.',
  });

const ESCAPED = 0xdc00;

function decodeBroken(bytes: Uint8Array): string {
  // A sequence of UTF-8 never has more units than bytes.
  const units = new Uint16Array(bytes.length);
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    const length = lengthAt(bytes, at);
    if (length === 0) {
      units[count++] = ESCAPED + (bytes[at] ?? 0);
      at += 1;
      continue;
    }
    const code = codePointAt(bytes, at, length);
    if (code > 0xffff) {
      units[count++] = 0xd7c0 + (code >> 10);
      units[count++] = 0xdc00 + (code & 0x3ff);
    } else units[count++] = code;
    at += length;
  }
  return Buffer.from(units.buffer, 0, count * 2).toString('utf16le');
}

/** Bytes of the sequence of UTF-8 that begins there; 0 when none does (Unicode, table 3-7). */
function lengthAt(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return isUtf8(bytes.subarray(at, at + length)) && first >= 0xc2 ? length : 0;
}

function codePointAt(bytes: Uint8Array, at: number, length: number): number {
  const first = bytes[at] ?? 0;
  let code = length === 1 ? first : first & (0xff >> (length + 1));
  for (let step = 1; step < length; step += 1) code = (code << 6) | ((bytes[at + step] ?? 0) & 63);
  return code;
}

function encodeBroken(text: string): Uint8Array {
  const bytes = Buffer.allocUnsafe(Buffer.byteLength(text));
  let count = 0;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00) at += 1;
    if (unit < ESCAPED + 0x80 || unit > ESCAPED + 0xff) continue;
    count += bytes.write(text.slice(from, at), count);
    bytes[count++] = unit - ESCAPED;
    from = at + 1;
  }
  count += bytes.write(text.slice(from), count);
  return bytes.subarray(0, count);
}
