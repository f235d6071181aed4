import type { Stats } from 'node:fs';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { sep } from 'node:path';

/** The path of a name below a root, in bytes: a name need not be UTF-8. */
export const pathBelow = (root: string, name: Buffer): Buffer =>
  Buffer.concat([Buffer.from(root + sep), name]);

/** `undefined` where there is nothing any more. A link is not followed. */
export const statOf = (path: Buffer): Promise<Stats | undefined> =>
  lstat(path).catch(() => undefined);

export type WholeFile = Buffer | 'tooLarge' | 'notAFile' | 'unreadable' | 'gone';

/** Reads a regular file of at most `maxBytes`. Never follows a link, never waits for a pipe or device. */
export async function readWholeFile(path: Buffer, maxBytes: number): Promise<WholeFile> {
  const before = await statOf(path);
  if (before === undefined) return 'gone';
  if (!before.isFile()) return 'notAFile';
  try {
    // What was a file a moment ago may be something else now. Windows lacks both flags, which then count as 0.
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
    const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const { size } = await file.stat();
      if (size > maxBytes) return 'tooLarge';
      // Read to the size of this moment: a file that grows for ever has an end too.
      const buffer = Buffer.alloc(size);
      let length = 0;
      while (length < size) {
        const { bytesRead } = await file.read(buffer, length, size - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return buffer.subarray(0, length);
    } finally {
      await file.close();
    }
  } catch {
    return 'unreadable';
  }
}
