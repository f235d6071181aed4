import type { RecordPlace } from './source.js';

const newline = 0x0a;
const carriageReturn = 0x0d;
const closingBrace = 0x7d;
const keptOfLongLine = 4096;

/** The line that a run of bytes begins in. */
export interface LineStart {
  readonly line: number;
  readonly offset: number;
  /** The bytes begin inside a line that was too long: what is left of it is dropped. */
  readonly insideLongLine: boolean;
}

export interface Lines {
  readonly records: readonly Uint8Array[];
  readonly places: readonly RecordPlace[];
  /** Bytes up to the end of the last line that was taken. */
  readonly used: number;
  /** Line ends among the used bytes. */
  readonly ends: number;
  readonly insideLongLine: boolean;
}

/**
 * Cuts bytes into records: whole lines without their end, blank ones left out. `last` says what
 * follows the bytes: `end` the file's end (then a last line without its end counts if it is a whole
 * JSON object), `more` further bytes, `tooMuch` a line that will not be kept beyond its head.
 */
export function cutLines(bytes: Buffer, start: LineStart, last: 'end' | 'more' | 'tooMuch'): Lines {
  const records: Uint8Array[] = [];
  const places: RecordPlace[] = [];
  let from = start.offset === 0 ? byteOrderMark(bytes) : 0;
  let ends = 0;
  let dropping = start.insideLongLine;
  const keep = (line: Buffer, offset: number): void => {
    const record = line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
    if (record.every(isSpace)) return;
    records.push(record);
    places.push({ line: start.line + ends, offset: start.offset + offset });
  };
  for (let end = bytes.indexOf(newline, from); end >= 0; end = bytes.indexOf(newline, from)) {
    if (!dropping) keep(bytes.subarray(from, end), from);
    dropping = false;
    ends += 1;
    from = end + 1;
  }
  const rest = bytes.subarray(from);
  if (dropping) from = bytes.length;
  else if (last === 'tooMuch' && rest.length === bytes.length) {
    dropping = true;
    keep(rest.subarray(0, keptOfLongLine), from);
    from = bytes.length;
  } else if (last === 'end' && isWholeObject(rest)) {
    keep(rest, from);
    from = bytes.length;
  }
  return { records, places, used: from, ends, insideLongLine: dropping };
}

const isSpace = (byte: number): boolean =>
  byte === 0x20 || byte === 0x09 || byte === carriageReturn;

/** A file that went through another program may begin with the bytes EF BB BF. */
const byteOrderMark = (bytes: Buffer): number =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;

/** An object that is not finished never parses, so a last line may be taken early if it does. */
function isWholeObject(rest: Buffer): boolean {
  if (rest.at(-1) !== closingBrace) return false;
  try {
    JSON.parse(rest.toString('utf8'));
    return true;
  } catch {
    return false;
  }
}
