/**
 * The write-ahead log of a SQLite database, replayed in memory. sql.js opens a database whose newest
 * transactions are still in the log without a word, and without them.
 *
 * @see https://www.sqlite.org/fileformat2.html#walformat
 */

export const walHeaderBytes = 32;
const frameHeaderBytes = 24;
const magicLittle = 0x377f0682;
const magicBig = 0x377f0683;
const formatVersion = 3007000;
/** Offsets in the database's header: "file format write version" and "read version"; 1 is a rollback journal. */
export const versionOffsets = [18, 19];
/** So much of the log is read at a time, at least one frame. */
const chunkBytes = 1024 * 1024;

/** Reads bytes at a position into a buffer; answers with how many there were. */
export type ReadAt = (into: Buffer, position: number) => number;

/**
 * Where a log holds the newest committed version of each page. Frames behind the first that does not
 * fit, and those of a transaction that was not committed, are left out, as SQLite does.
 */
export class WalIndex {
  /** The log's own header, which is another one as soon as the log begins anew. */
  readonly header: Buffer;
  /** Size of the database in pages after the last commit; 0: nothing is committed. */
  pages = 0;
  /** Offset in the log of each page that it holds, by the page's number. */
  readonly offsets = new Map<number, number>();
  private readonly begin: LogBegin | undefined;
  /** Where reading goes on: behind the last commit, as what follows may be written over. */
  private at = walHeaderBytes;
  private sums: Sums = [0, 0];

  constructor(readonly readAt: ReadAt) {
    const header = Buffer.alloc(walHeaderBytes);
    this.header = header.subarray(0, readAt(header, 0));
    this.begin = readHeader(this.header);
    if (this.begin !== undefined) this.sums = this.begin.sums;
  }

  /** Bytes of a page; 0 without a header that is known. */
  get pageSize(): number {
    return this.begin?.pageSize ?? 0;
  }

  /** Takes what was committed since the last call. */
  catchUp(): void {
    const { begin } = this;
    if (begin === undefined) return;
    const frameBytes = frameHeaderBytes + begin.pageSize;
    const chunk = Buffer.alloc(Math.max(1, Math.floor(chunkBytes / frameBytes)) * frameBytes);
    const open = new Map<number, number>();
    let { at, sums } = this;
    for (;;) {
      const read = this.readAt(chunk, at);
      for (let frame = 0; frame + frameBytes <= read; frame += frameBytes) {
        const bytes = chunk.subarray(frame, frame + frameBytes);
        const next = sumsAfter(bytes, begin, sums);
        if (next === undefined) return;
        sums = next;
        open.set(bytes.readUInt32BE(0), at + frameHeaderBytes);
        at += frameBytes;
        const pages = bytes.readUInt32BE(4);
        if (pages > 0) this.commit(pages, open, at, sums);
      }
      if (read < chunk.length) return;
    }
  }

  private commit(pages: number, open: Map<number, number>, at: number, sums: Sums): void {
    this.pages = pages;
    for (const [page, offset] of open) this.offsets.set(page, offset);
    open.clear();
    this.at = at;
    this.sums = sums;
  }
}

/**
 * The database as of the log's last commit, as bytes that need no log any more. `main` may be changed
 * in place.
 */
export function withWal(main: Buffer, wal: Buffer): Buffer {
  const log = new WalIndex((into, position) => wal.copy(into, 0, position));
  log.catchUp();
  const merged = log.pages === 0 ? main : apply(main, wal, log);
  if (merged.length > 19) for (const offset of versionOffsets) merged[offset] = 1;
  return merged;
}

type Sums = readonly [number, number];

interface LogBegin {
  readonly pageSize: number;
  readonly littleEndian: boolean;
  readonly sums: Sums;
  readonly salt: Buffer;
}

function readHeader(wal: Buffer): LogBegin | undefined {
  if (wal.length < walHeaderBytes) return undefined;
  const magic = wal.readUInt32BE(0);
  const pageSize = wal.readUInt32BE(8);
  const known =
    (magic === magicLittle || magic === magicBig) &&
    wal.readUInt32BE(4) === formatVersion &&
    pageSize >= 512 &&
    pageSize <= 65536 &&
    (pageSize & (pageSize - 1)) === 0;
  if (!known) return undefined;
  const littleEndian = magic === magicLittle;
  const sums = checksum(wal, 0, 24, littleEndian, [0, 0]);
  if (sums[0] !== wal.readUInt32BE(24) || sums[1] !== wal.readUInt32BE(28)) return undefined;
  return { pageSize, littleEndian, sums, salt: wal.subarray(16, 24) };
}

/** The running checksum after a frame; undefined when the frame does not belong to this log. */
function sumsAfter(
  frame: Buffer,
  { littleEndian, salt }: LogBegin,
  before: Sums,
): Sums | undefined {
  if (frame.readUInt32BE(0) === 0 || !frame.subarray(8, 16).equals(salt)) return undefined;
  const head = checksum(frame, 0, 8, littleEndian, before);
  const sums = checksum(frame, frameHeaderBytes, frame.length, littleEndian, head);
  const isWhole = sums[0] === frame.readUInt32BE(16) && sums[1] === frame.readUInt32BE(20);
  return isWhole ? sums : undefined;
}

/** The running checksum over 32-bit words, which goes on from one frame to the next. */
function checksum(bytes: Buffer, from: number, to: number, little: boolean, [a, b]: Sums): Sums {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let first = a;
  let second = b;
  for (let at = from; at < to; at += 8) {
    first = (first + view.getUint32(at, little) + second) >>> 0;
    second = (second + view.getUint32(at + 4, little) + first) >>> 0;
  }
  return [first, second];
}

function apply(main: Buffer, wal: Buffer, { pageSize, pages, offsets }: WalIndex): Buffer {
  const size = pages * pageSize;
  const merged = main.length >= size ? main.subarray(0, size) : grown(main, size);
  for (const [page, offset] of offsets) {
    // A later transaction may have made the database smaller again.
    if (page <= pages) wal.copy(merged, (page - 1) * pageSize, offset, offset + pageSize);
  }
  return merged;
}

function grown(bytes: Buffer, size: number): Buffer {
  const larger = Buffer.alloc(size);
  bytes.copy(larger);
  return larger;
}
