import { open } from 'node:fs/promises';
import { isFields, textOf } from '../json.js';

/** What the first records of a file say about where it belongs. */
export interface Head {
  readonly cwd?: string | undefined;
  readonly sessionId?: string | undefined;
}

export interface FileStamp {
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

const chunkBytes = 64 * 1024;
/** Long first lines (pasted images) come before the working folder; past this a file has none. */
const longestHead = 64 * 1024 * 1024;

/** Reads heads of session files, each only as far as needed and only once while the file stays the same. */
export class HeadReader {
  /** Files opened so far; a scan of unchanged files opens none. */
  opened = 0;
  private readonly known = new Map<string, { readonly stamp: FileStamp; readonly head: Head }>();

  async read(path: string, stamp: FileStamp): Promise<Head> {
    const before = this.known.get(path);
    if (before !== undefined && stillTrue(before, stamp)) return before.head;
    this.opened += 1;
    const head = await readHead(path);
    this.known.set(path, { stamp, head });
    return head;
  }
}

/** Sessions are appended to, so a growing file keeps a head that was found whole. */
function stillTrue(before: { stamp: FileStamp; head: Head }, now: FileStamp): boolean {
  const { stamp, head } = before;
  if (stamp.ino !== now.ino) return false;
  if (stamp.size === now.size && stamp.mtimeMs === now.mtimeMs) return true;
  return now.size > stamp.size && head.cwd !== undefined;
}

async function readHead(path: string): Promise<Head> {
  const file = await open(path, 'r');
  try {
    let head: Head = {};
    let unfinished: Buffer = Buffer.alloc(0);
    for (let offset = 0; offset < longestHead;) {
      const chunk = Buffer.alloc(Math.max(chunkBytes, unfinished.length));
      const { bytesRead } = await file.read(chunk, 0, chunk.length, offset);
      offset += bytesRead;
      const bytes = Buffer.concat([unfinished, chunk.subarray(0, bytesRead)]);
      const end = bytesRead === 0 ? bytes.length : bytes.lastIndexOf('\n') + 1;
      head = headOf(bytes.toString('utf8', 0, end), head);
      if (bytesRead === 0 || head.cwd !== undefined) break;
      unfinished = bytes.subarray(end);
    }
    return head;
  } finally {
    await file.close();
  }
}

function headOf(text: string, before: Head): Head {
  let { cwd, sessionId } = before;
  for (const line of text.split('\n')) {
    const record = parsed(line);
    if (!isFields(record)) continue;
    sessionId ??= textOf(record['sessionId']);
    cwd ??= textOf(record['cwd']);
    if (cwd !== undefined) break;
  }
  return { cwd, sessionId };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
