import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { findInStores, type StoreFound } from '../agents/everywhere.js';
import { headMemory, noHeads, readHeads, type RememberedHeads } from '../agents/headMemory.js';
import { writeAtomic } from '../vault/writeAtomic.js';

const fileOf = (store: string): string => join(store, 'heads.json');

/**
 * Keeps what the heads of agents' files say in the store's folder, from one process to the next. Others
 * write the same file; what one loses of it is read from the agents' files again.
 */
export class KeptHeads {
  private restoring: Promise<void> | undefined;
  private saved = headMemory.added;

  constructor(private readonly store: string) {}

  /** Takes in what was kept, once. */
  restore(): Promise<void> {
    return (this.restoring ??= readKept(this.store).then((kept) => headMemory.take(kept)));
  }

  /** Keeps what was read since; a store that is not there is not made for it. */
  async save(): Promise<void> {
    if (headMemory.added === this.saved) return;
    this.saved = headMemory.added;
    try {
      await stat(this.store);
      const heads = headMemory.toKeep(await readKept(this.store));
      await writeAtomic(fileOf(this.store), Buffer.from(JSON.stringify(heads)));
    } catch {
      // It only costs time.
    }
  }
}

/** {@link findInStores} with what earlier processes have read, and for later ones. */
export async function findWithHeads(
  store: string,
  ...asked: Parameters<typeof findInStores>
): Promise<readonly StoreFound[]> {
  const heads = new KeptHeads(store);
  await heads.restore();
  const found = await findInStores(...asked);
  await heads.save();
  return found;
}

/** Removes it: paths of what a person wants forgotten are in it. */
export const dropHeads = (store: string): Promise<void> => rm(fileOf(store), { force: true });

async function readKept(store: string): Promise<RememberedHeads> {
  const text = await readFile(fileOf(store), 'utf8').catch(() => undefined);
  return (text === undefined ? undefined : readHeads(text)) ?? noHeads;
}
