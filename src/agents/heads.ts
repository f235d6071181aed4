import { open } from 'node:fs/promises';
import { headMemory } from './headMemory.js';
import { isFields, type Fields } from './json.js';

/** What the first records of a file say about where it belongs. */
export interface Head {
  readonly cwd?: string | undefined;
  readonly id?: string | undefined;
  readonly parent?: string | undefined;
  /** Whether somebody has said something, where agents keep files in which nobody has. */
  readonly spoken?: boolean | undefined;
}

/** Of `fs.stat`. */
export interface FileStamp {
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Long first lines (pasted images) may come before the working folder. */
const longestHead = 64 * 1024 * 1024;

/**
 * Reads heads of session files, each only as far as needed and only once while the file stays the same,
 * whichever process read it.
 */
export class HeadReader {
  /** Files opened so far; a scan of unchanged files opens none. */
  opened = 0;
  private readonly known = new Map<string, { readonly stamp: FileStamp; readonly head: Head }>();

  /** A head that `isWhole` is true of is not looked for again when its file grows. */
  constructor(
    private readonly agent: string,
    private readonly readHead: (path: string) => Promise<Head>,
    private readonly isWhole: (head: Head) => boolean = namesFolder,
  ) {}

  async read(path: string, stamp: FileStamp): Promise<Head> {
    const before = this.known.get(path);
    if (before !== undefined && this.stillTrue(before, stamp)) {
      if (before.stamp.size !== stamp.size) this.note(path, stamp, before.head, false);
      return before.head;
    }
    const remembered = headMemory.recall(this.agent, path, stamp);
    if (remembered === undefined) this.opened += 1;
    const head = remembered ?? (await this.readHead(path));
    this.note(path, stamp, head, remembered === undefined);
    return head;
  }

  private note(path: string, stamp: FileStamp, head: Head, isRead: boolean): void {
    this.known.set(path, { stamp, head });
    headMemory.note(this.agent, path, stamp, head, isRead);
  }

  private stillTrue(before: { stamp: FileStamp; head: Head }, now: FileStamp): boolean {
    const { stamp, head } = before;
    if (stamp.ino !== now.ino) return false;
    if (stamp.size === now.size && stamp.mtimeMs === now.mtimeMs) return true;
    return now.size > stamp.size && this.isWhole(head);
  }
}

const namesFolder = ({ cwd }: Head): boolean => cwd !== undefined;

export interface LinesHeadOptions {
  /** What is known after one more record. */
  readonly add: (before: Head, record: Fields) => Head;
  readonly isWhole?: (head: Head) => boolean;
  /** A file whose beginning of so many bytes does not tell never does. */
  readonly longest?: number;
  readonly chunks?: (path: string) => AsyncIterable<Buffer>;
}

/** Reads the head of a file of JSON lines. */
export const linesHead =
  ({ add, isWhole = namesFolder, longest = longestHead, chunks = chunksOf }: LinesHeadOptions) =>
  async (path: string): Promise<Head> => {
    let head: Head = {};
    const line: Buffer[] = [];
    let seen = 0;
    const lines = (bytes: Buffer): void => {
      for (const text of bytes.toString('utf8').split('\n')) {
        const record = parsed(text);
        if (!isWhole(head) && isFields(record)) head = add(head, record);
      }
    };
    for await (const chunk of chunks(path)) {
      seen += chunk.length;
      const end = chunk.lastIndexOf('\n') + 1;
      line.push(chunk.subarray(0, end));
      if (end > 0) lines(Buffer.concat(line.splice(0)));
      line.push(chunk.subarray(end));
      if (isWhole(head) || seen >= longest) return head;
    }
    lines(Buffer.concat(line));
    return head;
  };

const firstChunk = 16 * 1024;
const longestChunk = 1024 * 1024;

/** A file's bytes in pieces that grow, so that a short head costs little and a long one few reads. */
export async function* chunksOf(path: string): AsyncIterable<Buffer> {
  const file = await open(path, 'r');
  try {
    let size = firstChunk;
    for (let offset = 0; ; size = Math.min(2 * size, longestChunk)) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size), 0, size, offset);
      if (bytesRead === 0) return;
      offset += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
