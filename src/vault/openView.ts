import type { Problem } from '../core/engine.js';
import { catchUp, type CatchUpOptions } from './catchUp.js';
import type { Io } from './io.js';
import { SessionIndex } from './sessionIndex.js';
import type { Vault } from './vault.js';
import { openVault } from './vault.js';

/** A project's vault with an index of its own, in memory. */
export interface ProjectView {
  readonly vault: Vault;
  readonly index: SessionIndex;
  readonly problems: readonly Problem[];
  readonly close: () => Promise<void>;
}

/**
 * Reads a whole vault.
 *
 * @param folder the project's folder, `<store>/projects/<project key>`
 * @param wasm bytes of sql.js's `sql-wasm.wasm`, or its path
 * @throws the signal's reason
 */
export async function openView(
  folder: string,
  wasm: Uint8Array | string,
  { io, ...options }: Pick<CatchUpOptions, 'signal' | 'onBytes'> & { readonly io?: Io } = {},
): Promise<ProjectView> {
  const { index } = await SessionIndex.open({ file: undefined, wasm });
  const vault = await openVault(io ? { folder, io } : { folder });
  const problems: Problem[] = [];
  const close = async (): Promise<void> => {
    await vault.close();
    index.close();
  };
  try {
    await catchUp([vault], index, (problem) => problems.push(problem), options);
  } catch (error) {
    await close();
    throw error;
  }
  return { vault, index, problems, close };
}

/** Bytes that reading a whole vault takes, as they were first written. */
export const bytesOfVault = async (folder: string): Promise<number> =>
  (await openVault({ folder })).size();
