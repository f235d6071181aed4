import { basename } from 'node:path';
import { fileUri } from '../changes/fileUri.js';
import type { Engine, Problem } from '../core/engine.js';
import { engineSettings, ownEngine } from './engine.js';
import type { Settings } from './settings.js';

/** Works with an engine on the first folder's project; git is asked in all of them, so they are to be trusted. */
export async function withFolders(
  folders: readonly string[],
  { store }: Settings,
  work: (engine: Engine, problems: readonly Problem[]) => Promise<void>,
): Promise<void> {
  const problems: Problem[] = [];
  const engine = ownEngine((problem) => problems.push(problem));
  const opened = [...new Set(folders)].map((path) => ({
    name: basename(path),
    uri: fileUri(path),
  }));
  try {
    await engine.open({
      store,
      folders: opened,
      workspace: opened[0]?.uri,
      trusted: true,
      chatStores: [],
      settings: engineSettings,
    });
    await work(engine, problems);
  } finally {
    await engine.close();
  }
}
