import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, lstat, mkdir, open, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ExpectedError, messageOf } from '../../core/errors.js';

/** A file's bytes by SHA-256 (hex), and its mode bits. */
export interface FileState {
  readonly hash: string;
  readonly mode: number;
}

/** One file to be written or removed. */
export interface FileWrite {
  /** Absolute path of the repository's root, links resolved. */
  readonly root: string;
  /** A safe path below it. */
  readonly path: string;
  /** What has to be there now; absent: nothing. */
  readonly before: FileState | undefined;
  /** Absent: the file goes. */
  readonly after: FileState | undefined;
  readonly read: (which: 'before' | 'after') => Promise<Uint8Array>;
}

/** @throws ExpectedError `notAFile` for a folder, a link or something else */
export async function fileState(root: string, path: string): Promise<FileState | undefined> {
  const whole = join(root, path);
  await realParent(root, path, false);
  const stat = await lstat(whole).catch(() => undefined);
  if (stat === undefined) return undefined;
  if (!stat.isFile()) throw inTheWay(whole);
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(whole)) hash.update(chunk as Buffer);
  return { hash: hash.digest('hex'), mode: stat.mode & 0o777 };
}

/**
 * Writes files: all of them, or none. Each one is looked at once more first; what is not as it was expected
 * to be ends the work, and what was written is put back. No link is followed.
 *
 * @param then what belongs to it and is done last: when it fails, the files are put back as well
 * @throws ExpectedError `fileChanged`, `notAFile`, `applyFailed`, and what `then` throws
 */
export async function writeFiles(
  writes: readonly FileWrite[],
  then?: () => Promise<void>,
): Promise<void> {
  for (const write of writes) await check(write);
  const done: FileWrite[] = [];
  try {
    for (const write of writes) {
      await check(write);
      await put(write, 'after');
      done.push(write);
    }
    await then?.();
  } catch (error) {
    const lost: string[] = [];
    for (const write of done.toReversed()) {
      await put(write, 'before').catch(() => lost.push(join(write.root, write.path)));
    }
    if (lost.length > 0) {
      throw new ExpectedError(
        'applyFailed',
        'Writing failed ({0}), and these files could not be put back: {1}',
        [messageOf(error), lost.join(', ')],
        { cause: error, next: 'Undo the change once the cause is gone.' },
      );
    }
    throw error;
  }
}

async function check({ root, path, before }: FileWrite): Promise<void> {
  const now = await fileState(root, path);
  if (now?.hash === before?.hash) return;
  throw new ExpectedError('fileChanged', '{0} has changed meanwhile.', [join(root, path)], {
    next: 'Look at the plan again.',
  });
}

async function put(write: FileWrite, which: 'before' | 'after'): Promise<void> {
  const { root, path } = write;
  const file = join(root, path);
  const state = write[which];
  if (state === undefined) {
    await realParent(root, path, false);
    await rm(file, { force: true });
    await removeEmpty(root, dirname(path));
    return;
  }
  const folder = await realParent(root, path, true);
  const temporary = join(folder, `.keepthread-${randomUUID()}.tmp`);
  try {
    const handle = await open(temporary, 'wx', state.mode);
    try {
      await handle.writeFile(await write.read(which));
      await handle.sync();
    } finally {
      await handle.close();
    }
    // What was made for nobody else stays so; a new file has what the person's umask leaves.
    if (write.before !== undefined) await chmod(temporary, state.mode);
    await realParent(root, path, false);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    if (state !== write.before) await removeEmpty(root, dirname(path));
    throw error;
  }
}

/**
 * The folder of a path below a root, every part of it a real folder.
 *
 * @throws ExpectedError `notAFile` where a link or a file stands in the way
 */
async function realParent(root: string, path: string, make: boolean): Promise<string> {
  let at = root;
  for (const name of path.split('/').slice(0, -1)) {
    at = join(at, name);
    const stat = await lstat(at).catch(() => undefined);
    if (stat === undefined) {
      if (!make) return at;
      await mkdir(at);
    } else if (!stat.isDirectory()) throw inTheWay(at);
  }
  // Somebody may have put a link in the place of a folder since it was looked at.
  if (make && (await realpath(at)) !== at) throw inTheWay(at);
  return at;
}

/** As git does: a folder without files goes. */
async function removeEmpty(root: string, folder: string): Promise<void> {
  for (let at = folder; at !== '.' && at !== ''; at = dirname(at)) {
    try {
      await rmdir(join(root, at));
    } catch {
      return;
    }
  }
}

const inTheWay = (path: string): ExpectedError =>
  new ExpectedError('notAFile', '{0} is in the way: it is not what the plan found there.', [path]);
