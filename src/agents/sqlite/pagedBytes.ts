import { versionOffsets, type ReadAt, type WalIndex } from './wal.js';

/** What of a database's file stays in memory. */
export interface PageCache {
  readonly blockBytes: number;
  readonly blocks: number;
}

/** 32 MB. */
export const usualCache: PageCache = { blockBytes: 64 * 1024, blocks: 512 };

/**
 * The bytes of a database as of its log's last commit, each read when it is asked for: given to sql.js
 * in place of the array that holds them all. sql.js takes whatever has `subarray`, keeps what `slice`
 * gives as the file's content, and asks it for ranges (Emscripten's MEMFS); a test holds it to that.
 * So SQLite itself reads a database that is larger than any memory.
 *
 * The pages must not change meanwhile: see `PagedDatabase`.
 */
export class PagedBytes implements ArrayLike<number> {
  /** For the type only: nothing asks for single bytes. */
  readonly [at: number]: number;
  readonly length: number;
  /** The least recently used one comes first. */
  private readonly blocks = new Map<number, Buffer>();

  constructor(
    private readonly main: ReadAt,
    mainBytes: number,
    private readonly wal: WalIndex,
    private readonly cache: PageCache = usualCache,
  ) {
    this.length = wal.pages > 0 ? wal.pages * wal.pageSize : mainBytes;
  }

  slice(): this {
    return this;
  }

  /** Good until the next call. */
  subarray(from: number, to: number): Uint8Array {
    const bytes = this.range(from, to);
    if (from > Math.max(...versionOffsets) || to <= Math.min(...versionOffsets)) return bytes;
    // The log is replayed here: for SQLite there is none.
    const patched = Uint8Array.from(bytes);
    for (const offset of versionOffsets) patched[offset - from] = 1;
    return patched;
  }

  private range(from: number, to: number): Uint8Array {
    if (to <= this.pieceEnd(from)) return this.piece(from, to);
    const bytes = Buffer.alloc(to - from);
    for (let at = from; at < to;) {
      const end = Math.min(to, this.pieceEnd(at));
      bytes.set(this.piece(at, end), at - from);
      at = end;
    }
    return bytes;
  }

  /** Up to where bytes lie together with those at an offset. */
  private pieceEnd(at: number): number {
    const { wal, cache } = this;
    const unit = wal.pages > 0 ? Math.min(wal.pageSize, cache.blockBytes) : cache.blockBytes;
    return (Math.floor(at / unit) + 1) * unit;
  }

  private piece(from: number, to: number): Uint8Array {
    const { wal } = this;
    const page = wal.pages > 0 ? Math.floor(from / wal.pageSize) : 0;
    const logged = wal.pages > 0 ? wal.offsets.get(page + 1) : undefined;
    if (logged === undefined) return this.fromMain(from, to);
    const bytes = Buffer.alloc(to - from);
    wal.readAt(bytes, logged + from - page * wal.pageSize);
    return bytes;
  }

  private fromMain(from: number, to: number): Uint8Array {
    const { blockBytes } = this.cache;
    const number = Math.floor(from / blockBytes);
    const start = number * blockBytes;
    return this.block(number).subarray(from - start, to - start);
  }

  private block(number: number): Buffer {
    const known = this.blocks.get(number);
    if (known !== undefined) {
      this.blocks.delete(number);
      this.blocks.set(number, known);
      return known;
    }
    const block = this.freeBlock();
    block.fill(0, this.main(block, number * block.length));
    this.blocks.set(number, block);
    return block;
  }

  /** A new one, or the one that was not used for the longest time. */
  private freeBlock(): Buffer {
    const { blockBytes, blocks } = this.cache;
    const [oldest] = this.blocks.size < blocks ? [] : this.blocks;
    if (oldest === undefined) return Buffer.alloc(blockBytes);
    this.blocks.delete(oldest[0]);
    return oldest[1];
  }
}
