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
const versionOffsets = [18, 19];

/**
 * The database as of the log's last commit, as bytes that need no log any more. `main` may be changed
 * in place. Frames behind the first that does not fit, and those of a transaction that was not
 * committed, are left out, as SQLite does.
 */
export function withWal(main: Buffer, wal: Buffer): Buffer {
  const log = committed(wal);
  const merged = log === undefined ? main : apply(main, wal, log);
  if (merged.length > 19) for (const offset of versionOffsets) merged[offset] = 1;
  return merged;
}

interface CommittedLog {
  readonly pageSize: number;
  /** Size of the database after the last commit. */
  readonly pages: number;
  /** Page number and offset in the log of each committed page, in order. */
  readonly frames: readonly { readonly page: number; readonly offset: number }[];
}

function committed(wal: Buffer): CommittedLog | undefined {
  const header = readHeader(wal);
  if (header === undefined) return undefined;
  const { pageSize, littleEndian, salt } = header;
  const frames: { readonly page: number; readonly offset: number }[] = [];
  let { sums } = header;
  let last: { readonly pages: number; readonly count: number } | undefined;
  const frameBytes = frameHeaderBytes + pageSize;
  for (let at = walHeaderBytes; at + frameBytes <= wal.length; at += frameBytes) {
    if (!wal.subarray(at + 8, at + 16).equals(salt)) break;
    sums = checksum(wal, at, at + 8, littleEndian, sums);
    sums = checksum(wal, at + frameHeaderBytes, at + frameBytes, littleEndian, sums);
    if (sums[0] !== wal.readUInt32BE(at + 16) || sums[1] !== wal.readUInt32BE(at + 20)) break;
    const page = wal.readUInt32BE(at);
    if (page === 0) break;
    frames.push({ page, offset: at + frameHeaderBytes });
    const pages = wal.readUInt32BE(at + 4);
    if (pages > 0) last = { pages, count: frames.length };
  }
  return last && { pageSize, pages: last.pages, frames: frames.slice(0, last.count) };
}

type Sums = readonly [number, number];

function readHeader(wal: Buffer) {
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

function apply(main: Buffer, wal: Buffer, { pageSize, pages, frames }: CommittedLog): Buffer {
  const size = pages * pageSize;
  const merged = main.length >= size ? main.subarray(0, size) : grown(main, size);
  for (const { page, offset } of frames) {
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
