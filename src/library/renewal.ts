import type { Problem } from '../core/engine.js';
import { catchUp, type CatchUpOptions } from '../vault/catchUp.js';
import type { SessionIndex } from '../vault/sessionIndex.js';
import type { Vault } from '../vault/vault.js';

export type Vaults = readonly [Vault, ...Vault[]];

/**
 * Fills an index with all that is in vaults, through others of the same packs, so that those in use are not
 * disturbed.
 *
 * @param complete adds what the packs alone do not say
 * @returns false when something was taken out of a vault meanwhile, so that the index may know of it
 * @throws the signal's reason
 */
export async function fillAnew(
  vaults: Vaults,
  index: SessionIndex,
  onProblem: (problem: Problem) => void,
  options: CatchUpOptions & { readonly complete: (readers: Vaults) => Promise<void> },
): Promise<boolean> {
  const [first, ...others] = vaults;
  const readers = [
    await first.another(),
    ...(await Promise.all(others.map((vault) => vault.another()))),
  ] as const;
  try {
    const { lost } = await catchUp(readers, index, onProblem, options);
    if (lost) return false;
    await options.complete(readers);
    // What is in the index has to be known to those who will say that it is gone.
    await Promise.all(vaults.map((vault) => vault.look()));
    return [...index.offsets().keys()].every((pack) => vaults.some((vault) => vault.has(pack)));
  } finally {
    await Promise.all(readers.map((reader) => reader.close()));
  }
}
