import { dirname } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { Attachment, ProjectSummary } from '../core/projects.js';
import { attachFolder, detachFolder } from '../vault/attach.js';
import { bytesOfVault, openView } from '../vault/openView.js';
import { projectFile, readProjects } from '../vault/projectFile.js';
import type { JobControl } from './jobs.js';

/**
 * The projects of a store that have sessions, last used first. Reads their vaults.
 *
 * @param except key of a project that is left out
 * @throws the signal's reason
 */
export async function listProjects(
  store: string,
  wasm: string,
  { except, signal, onProgress }: Partial<JobControl> & { readonly except?: string } = {},
): Promise<readonly ProjectSummary[]> {
  const projects: ProjectSummary[] = [];
  const known = (await readProjects(store)).flatMap((project) =>
    project.state === 'known' && project.key !== except
      ? [{ ...project, folder: dirname(projectFile(store, project.key)) }]
      : [],
  );
  let total = 0;
  for (const { folder } of onProgress ? known : []) total += await bytesOfVault(folder);
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    onProgress?.(Math.min(done, total), total);
  };
  for (const { key, folder, ...project } of known) {
    signal?.throwIfAborted();
    const { index, close } = await openView(folder, wasm, { signal, onBytes });
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
