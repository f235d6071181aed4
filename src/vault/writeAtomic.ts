import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeError } from './writeError.js';

/**
 * Replaces a file by new bytes, or leaves the old ones: a new file beside it, written whole, on the disk,
 * then renamed. The file is for its owner only (0600), a missing folder is made for its owner only (0700).
 *
 * Own code, because write-file-atomic 7.0.1 does not look at how much was written: on a full disk it
 * puts the cut file in place of the good one and reports success.
 *
 * @throws ExpectedError `diskFull`, `notWritable` or `writeFailed`
 */
export async function writeAtomic(file: string, bytes: Uint8Array): Promise<void> {
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const handle = await open(temporary, 'wx', 0o600);
    try {
      // An odd umask takes bits away.
      if (process.platform !== 'win32') await handle.chmod(0o600);
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw writeError(file, error);
  }
}
