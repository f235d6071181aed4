import { ExpectedError } from '../core/errors.js';
import { isAttached } from './matchProject.js';
import { plainUri } from './project.js';
import type { KnownProject, ProjectIdentities } from './projectFile.js';
import { projectFile, readProjects } from './projectFile.js';
import { writeAtomic } from './writeAtomic.js';

/**
 * Lets a folder belong to a project because a person says so, whatever else would tell it. What it belonged to
 * before keeps what it has, and gets the folder back by {@link detachFolder}.
 *
 * @param uri URI of the folder
 * @throws ExpectedError `projectMissing`; `diskFull`, `notWritable` or `writeFailed`
 */
export async function attachFolder(store: string, uri: string, key: string): Promise<void> {
  const projects = await knownProjects(store);
  const target = projects.find((project) => project.key === key);
  if (!target) {
    throw new ExpectedError('projectMissing', 'There is no project {0} in this store.', [key]);
  }
  const place = plainUri(uri);
  for (const other of projects.filter((project) => project !== target)) {
    await replace(store, other, without(other.identities, place));
  }
  const { identities } = target;
  if (identities.attached.includes(place)) return;
  await replace(store, target, { ...identities, attached: [...identities.attached, place] });
}

/**
 * Takes back what {@link attachFolder} did: the folder belongs to what its history or its place says.
 *
 * @returns the key of the project that it was attached to; undefined when it was not
 * @throws ExpectedError `diskFull`, `notWritable` or `writeFailed`
 */
export async function detachFolder(store: string, uri: string): Promise<string | undefined> {
  const place = plainUri(uri);
  let before: string | undefined;
  for (const project of await knownProjects(store)) {
    if (!isAttached(project.identities, { uri: place })) continue;
    await replace(store, project, without(project.identities, place));
    before = project.key;
  }
  return before;
}

const knownProjects = async (store: string): Promise<readonly KnownProject[]> =>
  (await readProjects(store)).filter((project) => project.state === 'known');

/** Without the place too: it was noted because the folder was attached. */
function without(identities: ProjectIdentities, uri: string): ProjectIdentities {
  if (!identities.attached.includes(uri)) return identities;
  return {
    ...identities,
    attached: identities.attached.filter((one) => one !== uri),
    folders: identities.folders.filter((place) => place.uri !== uri),
  };
}

async function replace(
  store: string,
  { key, identities: before }: KnownProject,
  identities: ProjectIdentities,
): Promise<void> {
  if (identities === before) return;
  const bytes = Buffer.from(`${JSON.stringify(identities, undefined, 2)}\n`);
  await writeAtomic(projectFile(store, key), bytes);
}
