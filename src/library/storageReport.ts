import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { StorageReport } from '../core/engine.js';
import { Persistence } from './persistence.js';

type Place = StorageReport['places'][number];

/** Says what is stored where, and its size. */
export async function reportStorage(
  vaultFolders: readonly string[],
  view: string | undefined,
  agentStores: readonly string[],
): Promise<StorageReport> {
  const places = await Promise.all([
    ...vaultFolders.map((folder) => measure('vault', folder)),
    ...(view === undefined ? [] : viewPlaces(view)),
    ...agentStores.map((folder) => measure('agentStore', folder)),
  ]);
  return { places: places.filter((place) => place.files > 0) };
}

const viewPlaces = (view: string): readonly Promise<Place>[] => [
  measure('database', Persistence.databaseFile(view)),
  measure('catalog', Persistence.catalogFile(view)),
];

/** Files that vanish while they are counted are not counted. */
async function measure(what: Place['what'], root: string): Promise<Place> {
  let bytes = 0;
  let files = 0;
  for (const file of await filesBelow(root)) {
    const found = await stat(file).catch(() => undefined);
    if (!found?.isFile()) continue;
    bytes += found.size;
    files += 1;
  }
  return { what, path: root, bytes, files };
}

async function filesBelow(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(
    () => undefined,
  );
  if (!entries) return [root];
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
