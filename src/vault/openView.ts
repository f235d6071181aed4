import type { Problem } from '../core/engine.js';
import { catchUp } from './catchUp.js';
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
 */
export async function openView(
  folder: string,
  wasm: Uint8Array | string,
  io?: Io,
): Promise<ProjectView> {
  const { index } = await SessionIndex.open({ file: undefined, wasm });
  const vault = await openVault(io ? { folder, io } : { folder });
  const problems: Problem[] = [];
  await catchUp([vault], index, (problem) => problems.push(problem));
  return {
    vault,
    index,
    problems,
    close: async () => {
      await vault.close();
      index.close();
    },
  };
}
