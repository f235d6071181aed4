import { dirname } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { Attachment, ProjectSummary } from '../core/projects.js';
import { attachFolder, detachFolder } from '../vault/attach.js';
import { openView } from '../vault/openView.js';
import { projectFile, readProjects } from '../vault/projectFile.js';

/**
 * The projects of a store that have sessions, last used first. Reads their vaults.
 *
 * @param except key of a project that is left out
 * @throws the signal's reason
 */
export async function listProjects(
  store: string,
  wasm: string,
  options: { readonly except?: string; readonly signal?: AbortSignal } = {},
): Promise<readonly ProjectSummary[]> {
  const projects: ProjectSummary[] = [];
  for (const project of await readProjects(store)) {
    options.signal?.throwIfAborted();
    const { key } = project;
    if (project.state !== 'known' || key === options.except) continue;
    const { index, close } = await openView(dirname(projectFile(store, key)), wasm);
    const sessions = index.sessions();
    await close();
    const [newest] = sessions;
    if (!newest) continue;
    projects.push({
      key,
      folders: project.identities.folders.map(({ uri }) => uri).reverse(),
      sessions: sessions.length,
      title: newest.title,
      usedAt: newest.updatedAt,
    });
  }
  return projects.sort((a, b) => b.usedAt - a.usedAt);
}

/** Where a window's folder belongs to now. */
interface Place {
  readonly store: string;
  /** URI of the folder; undefined for a window without one. */
  readonly folder: string | undefined;
  readonly projectKey: string;
}

/** @throws ExpectedError `noFolder`, and as `attachFolder` */
export async function attach(
  { store, folder, projectKey }: Place,
  key: string,
): Promise<Attachment> {
  if (folder === undefined) throw noFolder();
  await attachFolder(store, folder, key);
  return { folder, before: projectKey, projectKey: key };
}

/** @throws ExpectedError `noFolder`, `notAttached`, and as `detachFolder` */
export async function detach({ store, folder }: Place): Promise<Attachment> {
  if (folder === undefined) throw noFolder();
  const before = await detachFolder(store, folder);
  if (before === undefined) {
    throw new ExpectedError('notAttached', 'This folder is not attached to another project.');
  }
  return { folder, before };
}

const noFolder = (): ExpectedError =>
  new ExpectedError('noFolder', 'This window has no folder that could be attached.', [], {
    next: 'Open a folder first.',
  });
