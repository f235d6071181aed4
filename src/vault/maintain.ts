import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { bestCodec, Codec } from './compress.js';
import type { CollectOptions, CollectReport } from './collect.js';
import { collect } from './collect.js';
import type { Forgotten } from '../core/forgetting.js';
import type { ForgetReport } from './forget.js';
import { forget } from './forget.js';
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
  withLock(join(folder, 'collect.lock'), { waitMs }, (lost) =>
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
    ? collect({ ...options, io: diskIo })
    : underLock(options.folder, patience, (signal) => collect({ ...options, io: diskIo, signal }));

export const forgetInProject = (
  what: Forgotten,
  folder: string,
  wasm: Uint8Array | string,
  patience: Patience,
): Promise<ForgetReport> =>
  underLock(folder, patience, () => forget(what, { folder, wasm, io: diskIo }));

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
