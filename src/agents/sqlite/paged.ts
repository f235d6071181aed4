import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { refuseHotJournal, stampOf, walOf } from './image.js';
import { PagedBytes, usualCache, type PageCache } from './pagedBytes.js';
import { WalIndex } from './wal.js';

/** SQLite's header of a database, with the counter of its changes. */
const headerBytes = 100;

/**
 * A database of another program, too large to be read whole: its pages are read when they are asked for.
 * Nothing is locked, so what was read means something only if {@link isSound} is true afterwards.
 *
 * Its reads are synchronous, since SQLite's are: it belongs into a process of its own, as `readImage` does.
 */
export class PagedDatabase {
  readonly bytes: PagedBytes;
  private readonly mainState: string;
  private readonly wal: WalIndex;

  private constructor(
    /** See `stampOf`. */
    readonly stamp: string,
    private readonly main: OpenFile,
    private readonly log: OpenFile | undefined,
    cache: PageCache,
  ) {
    this.mainState = main.state();
    this.wal = new WalIndex(log?.readAt ?? (() => 0));
    this.wal.catchUp();
    this.bytes = new PagedBytes(main.readAt, main.size(), this.wal, cache);
  }

  /** @throws ExpectedError `databaseBusy`. Rejects with the error of `node:fs` when it cannot be read. */
  static async open(path: string, cache: PageCache = usualCache): Promise<PagedDatabase> {
    await refuseHotJournal(path);
    const stamp = (await stampOf(path)) ?? '';
    return new PagedDatabase(stamp, new OpenFile(path), OpenFile.ifThere(walOf(path)), cache);
  }

  /**
   * Whether everything that was read belongs to one state. New transactions in the log do no harm;
   * what does is pages that are moved over from it, and a log that begins anew.
   *
   * @throws the error of `node:fs` when reading failed
   */
  isSound(): boolean {
    const isSame = this.main.state() === this.mainState && this.isSameLog();
    this.main.throwIfFailed();
    this.log?.throwIfFailed();
    return isSame;
  }

  close(): void {
    this.main.close();
    this.log?.close();
  }

  private isSameLog(): boolean {
    const { header } = this.wal;
    const now = Buffer.alloc(header.length);
    this.log?.readAt(now, 0);
    return now.equals(header);
  }
}

class OpenFile {
  private readonly file: number;
  private failure: Error | undefined;

  constructor(path: string) {
    this.file = openSync(path, 'r');
  }

  static ifThere(path: string): OpenFile | undefined {
    try {
      return new OpenFile(path);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** An error is kept for later: it must not go through SQLite, which would be left in the middle. */
  readonly readAt = (into: Buffer, position: number): number => {
    let read = 0;
    try {
      for (let more = 1; more > 0 && read < into.length; read += more) {
        more = readSync(this.file, into, read, into.length - read, position + read);
      }
    } catch (error) {
      this.failure ??= error instanceof Error ? error : new Error(String(error));
    }
    return read;
  };

  size(): number {
    return fstatSync(this.file).size;
  }

  /** Tells one state of a database's file from another. */
  state(): string {
    const { size, mtimeNs } = fstatSync(this.file, { bigint: true });
    const header = Buffer.alloc(headerBytes);
    this.readAt(header, 0);
    return `${size} ${mtimeNs} ${header.toString('base64')}`;
  }

  throwIfFailed(): void {
    if (this.failure !== undefined) throw this.failure;
  }

  close(): void {
    closeSync(this.file);
  }
}
