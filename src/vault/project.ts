import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import type { Traits } from './matchProject.js';
import {
  isAttached,
  matchProject,
  newKey,
  noIdentities,
  placeAt,
  withTraits,
} from './matchProject.js';
import type { FolderPlace, KnownProject, ProjectIdentities, Registered } from './projectFile.js';
import { projectFile, readProjects } from './projectFile.js';
import { remoteName } from './remoteName.js';
import { setAside } from './setAside.js';
import { writeAtomic } from './writeAtomic.js';

/** A folder of a window, with what is known of it. */
export interface ProjectFolder {
  readonly uri: string;
  /** Its absolute path on this machine, if it has one. */
  readonly path?: string | undefined;
  readonly git?:
    { readonly rootCommit?: string | undefined; readonly remote?: string | undefined } | undefined;
}

export interface FoundProject {
  readonly key: string;
  /** Absolute path of the project's own folder, `<store>/projects/<key>`. */
  readonly folder: string;
  /** Whether a person attached it. */
  readonly attached: boolean;
  /** URIs that the folder had before it was moved, as far as that was seen. */
  readonly former: readonly string[];
  /** All folders that the project was seen in, under the URIs that they had last. */
  readonly places: readonly FolderPlace[];
  readonly problems: readonly Problem[];
}

/**
 * Finds the project that a folder belongs to, or begins one, and notes what it will be recognised by.
 * In this order: the project that a person attached the folder to; the root commit of its git history,
 * where remotes tell forks apart; the folder's device, inode and time of birth; its URI. So a project
 * keeps its key when its folder is renamed or moved, gets its first commit, is cloned again or has a
 * worktree. Without a folder the key is `none`.
 *
 * Never rejects: what could not be read or written is among the problems.
 */
export async function findProject(
  store: string,
  folder: ProjectFolder | undefined,
): Promise<FoundProject> {
  if (!folder) return foundAt(store, 'none', []);
  const problems: Problem[] = [];
  const traits = await traitsOf(folder);
  const registered: readonly Registered[] = await readProjects(store).catch((error: unknown) => {
    problems.push({ where: join(store, 'projects'), message: messageOf(error) });
    return [];
  });
  const known = registered.filter((project) => project.state === 'known');
  const match = matchProject(known, traits);
  const key = match?.key ?? newKey(known, traits);
  for (const project of registered) {
    if ('message' in project) {
      problems.push({ where: projectFile(store, project.key), message: project.message });
    }
  }
  try {
    const state = registered.find((project) => project.key === key) ?? {
      key,
      state: 'bare',
    };
    problems.push(...(await remember(store, state, traits)));
  } catch (error) {
    problems.push({ where: projectFile(store, key), message: messageOf(error) });
  }
  return match ? describeMatch(store, match, traits, problems) : foundAt(store, key, problems);
}

function describeMatch(
  store: string,
  { key, identities }: KnownProject,
  traits: Traits,
  problems: readonly Problem[],
): FoundProject {
  const { folders } = withTraits(identities, traits);
  return {
    ...foundAt(store, key, problems),
    attached: isAttached(identities, traits.place),
    former: placeAt(folders, traits.place.uri)?.former ?? [],
    places: folders,
  };
}

/** The project that a folder belongs to, without noting anything; undefined when there is none yet. */
export async function lookUpProject(
  store: string,
  folder: ProjectFolder,
): Promise<FoundProject | undefined> {
  const projects = await readProjects(store);
  const known = projects.filter((project) => project.state === 'known');
  const traits = await traitsOf(folder);
  const match = matchProject(known, traits);
  return match && describeMatch(store, match, traits, []);
}

/** The root commits that a folder was seen with, so that git need not look for them again. */
export async function rootCommitsOf(
  store: string,
  uri: string | undefined,
): Promise<readonly string[]> {
  const projects = await readProjects(store).catch(() => []);
  const seen = projects.flatMap((project) =>
    project.state === 'known' &&
    project.identities.folders.some((folder) => folder.uri === (uri && plainUri(uri)))
      ? project.identities.histories.map(({ rootCommit }) => rootCommit)
      : [],
  );
  return seen.filter((commit) => /^[0-9a-f]{40,64}$/.test(commit));
}

/** A folder's URI as it is written down. */
export const plainUri = (uri: string): string => uri.replace(/\/+$/, '');

const foundAt = (store: string, key: string, problems: readonly Problem[]): FoundProject => ({
  key,
  folder: dirname(projectFile(store, key)),
  attached: false,
  former: [],
  places: [],
  problems,
});

async function traitsOf({ uri, path, git }: ProjectFolder): Promise<Traits> {
  const { rootCommit, remote: address } = git ?? {};
  const remote = address === undefined ? undefined : remoteName(address);
  const isCommit = rootCommit !== undefined && /^[0-9a-f]{40,64}$/.test(rootCommit);
  const unborn = remote === undefined ? undefined : { rootCommit: '', remote };
  return {
    place: { uri: plainUri(uri), inode: path && (await inodeOf(path)) },
    history: isCommit ? { rootCommit, remote } : unborn,
  };
}

/** What stays the same when a folder is renamed. Without a time of birth an inode could be another's. */
async function inodeOf(path: string): Promise<string | undefined> {
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (!found || found.ino === 0n || found.birthtimeNs <= 0n) return undefined;
  return `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}

/** Writes down what is new. What a newer version wrote stays as it is, what is damaged is set aside. */
async function remember(
  store: string,
  project: Registered,
  traits: Traits,
): Promise<readonly Problem[]> {
  const path = projectFile(store, project.key);
  const write = (identities: ProjectIdentities): Promise<void> =>
    writeAtomic(path, Buffer.from(`${JSON.stringify(identities, undefined, 2)}\n`));
  switch (project.state) {
    case 'known': {
      const identities = withTraits(project.identities, traits);
      if (identities !== project.identities) await write(identities);
      return [];
    }
    case 'bare':
      await write(withTraits(noIdentities, traits));
      return [];
    case 'damaged': {
      const aside = await setAside(path);
      await write(withTraits(noIdentities, traits));
      return [{ where: path, message: `The damaged file was kept as ${aside}.` }];
    }
    case 'newer':
    case 'unreadable':
      return [];
  }
}
