import { fileURLToPath } from 'node:url';
import { gitIdentity } from '../changes/identity.js';
import type { FoundProject } from '../vault/project.js';
import { lookUpProject, rootCommitsOf } from '../vault/project.js';

/** The project that a folder on this machine belongs to, as a window finds it; nothing is noted. */
export async function projectOf(store: string, uri: string): Promise<FoundProject | undefined> {
  const path = fileURLToPath(uri);
  const git = await gitIdentity(path, { knownRoots: await rootCommitsOf(store, uri) });
  return lookUpProject(store, { uri, path, git });
}
