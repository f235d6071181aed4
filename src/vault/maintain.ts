import { join } from 'node:path';
import { bestCodec, Codec } from './compress.js';
import type { CollectOptions, CollectReport } from './collect.js';
import { collect } from './collect.js';
import type { Forgotten, ForgetReport } from './forget.js';
import { forget } from './forget.js';
import { diskIo } from './io.js';
import { withLock } from './lock.js';
import type { SealReport } from './seal.js';
import { sealPacks } from './seal.js';

/**
 * What is done to a project's files under its lock. `waitMs`: how long another process that tidies up may take
 * before `locked` is thrown.
 */

const underLock = <T>(
  folder: string,
  waitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withLock(join(folder, 'collect.lock'), { waitMs }, work);

/** Seals what nobody writes to any more; undefined in a runtime without zstd, which seals nothing. */
export async function sealProject(
  folder: string,
  now: number,
  waitMs: number,
): Promise<SealReport | undefined> {
  if (bestCodec !== Codec.zstd) return undefined;
  return underLock(folder, waitMs, (signal) =>
    sealPacks(join(folder, 'packs'), { io: diskIo, now, signal }),
  );
}

export const collectProject = (
  options: Omit<CollectOptions, 'io' | 'signal'>,
  waitMs: number,
): Promise<CollectReport> =>
  options.dryRun
    ? collect({ ...options, io: diskIo })
    : underLock(options.folder, waitMs, (signal) => collect({ ...options, io: diskIo, signal }));

export const forgetInProject = (
  what: Forgotten,
  folder: string,
  wasm: Uint8Array | string,
  waitMs: number,
): Promise<ForgetReport> =>
  underLock(folder, waitMs, () => forget(what, { folder, wasm, io: diskIo }));
