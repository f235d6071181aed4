import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { readFrames } from './reader.js';
import type { Frame } from './types.js';
import type { Vault, VaultOptions } from './vault.js';
import { openVault } from './vault.js';

/** Packs and vaults for tests of what survives in them. */

/** A folder of its own for each test of a suite, removed afterwards. */
export function temporaryFolder(): () => string {
  let folder = '';
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepthread-'));
  });
  teardown(() => rm(folder, { recursive: true, force: true }));
  return () => folder;
}

/** Opens vaults that are closed after each test. */
export function vaults(): (options: VaultOptions) => Promise<Vault> {
  let opened: Vault[] = [];
  teardown(async () => {
    await Promise.all(opened.map((vault) => vault.close()));
    opened = [];
  });
  return async (options) => {
    const vault = await openVault(options);
    opened.push(vault);
    return vault;
  };
}

export interface Read {
  readonly frames: readonly Frame[];
  readonly problems: readonly Problem[];
}

/** Everything in one pack from an offset on. */
export async function readPack(path: string, from = 0): Promise<Read> {
  const frames: Frame[] = [];
  const problems: Problem[] = [];
  for await (const frame of readFrames(path, from, (problem) => problems.push(problem))) {
    frames.push(frame);
  }
  return { frames, problems };
}

/** What a vault has to tell since it was asked last. */
export async function pollAll(vault: Vault): Promise<Read> {
  const frames: Frame[] = [];
  const problems: Problem[] = [];
  for await (const news of vault.poll()) {
    if ('frame' in news) frames.push(news.frame);
    else if ('problem' in news) problems.push(news.problem);
  }
  return { frames, problems };
}

export const textOf = (frame: { readonly payload: Uint8Array }): string =>
  Buffer.from(frame.payload).toString();

export const texts = ({ frames }: Read): readonly string[] => frames.map(textOf);

/** Paths of a vault's packs, oldest first. */
export async function packsOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(join(folder, 'packs')).catch((error: unknown) => {
    throw new Error(`no packs: ${messageOf(error)}`);
  });
  return names
    .filter((name) => name.endsWith('.pack'))
    .sort()
    .map((name) => join(folder, 'packs', name));
}
