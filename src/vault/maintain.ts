import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { bestCodec, Codec } from './compress.js';
import type { CollectOptions, CollectReport } from './collect.js';
import { collect } from './collect.js';
import { diskIo } from './io.js';
import { withLock } from './lock.js';
import { packExtension } from './packFile.js';
import type { SealReport } from './seal.js';
import { sealPacks } from './seal.js';

/** What is done to a project's files under its lock; `locked` is thrown after so many milliseconds of waiting. */
export interface Patience {
  readonly waitMs: number;
  /** Stops the work where it is. */
  readonly signal?: AbortSignal | undefined;
}

const underLock = <T>(
  folder: string,
  { waitMs, signal }: Patience,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> =>
  withLock(join(folder, 'collect.lock'), { waitMs, signal }, (lost) =>
    work(signal ? AbortSignal.any([lost, signal]) : lost),
  );

/** Seals what nobody writes to any more; undefined in a runtime without zstd, which seals nothing. */
export async function sealProject(
  folder: string,
  now: number,
  patience: Patience,
): Promise<SealReport | undefined> {
  if (bestCodec !== Codec.zstd) return undefined;
  return underLock(folder, patience, (signal) =>
    sealPacks(join(folder, 'packs'), { io: diskIo, now, signal }),
  );
}

export const collectProject = (
  options: Omit<CollectOptions, 'io' | 'signal'>,
  patience: Patience,
): Promise<CollectReport> =>
  options.dryRun
    ? collect({ ...options, io: diskIo, signal: patience.signal })
    : underLock(options.folder, patience, (signal) => collect({ ...options, io: diskIo, signal }));

/**
 * Does work while nobody else tidies up in any of some projects.
 *
 * @throws ExpectedError `locked`
 */
export function underLocks<T>(
  folders: readonly string[],
  patience: Patience,
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  const [first, ...others] = folders;
  if (first === undefined) return work(patience.signal);
  return underLock(first, patience, (signal) => underLocks(others, { ...patience, signal }, work));
}

/** From so many packs on a process that leaves one more of its own seals what it can. */
const CROWD = 256;

/**
 * For commands that are run again and again where no window is open: keeps the number of files bounded. Also in a
 * runtime without zstd, since many files cost more than what is compressed less.
 */
export async function sealCrowd(folder: string, now: number, crowd = CROWD): Promise<void> {
  const names = await readdir(join(folder, 'packs')).catch(() => []);
  if (names.filter((name) => name.endsWith(packExtension)).length < crowd) return;
  try {
    await underLock(folder, { waitMs: 0 }, (signal) =>
      sealPacks(join(folder, 'packs'), { io: diskIo, now, signal }),
    );
  } catch (error) {
    // Another process is at it.
    if (!isExpected(error, 'locked')) throw error;
  }
}
