import { createHash } from 'node:crypto';
import type { FolderPlace, History, KnownProject, ProjectIdentities } from './projectFile.js';

/** What a folder shows of itself. */
export interface Traits {
  readonly place: FolderPlace;
  readonly history: History | undefined;
}

/** The project that a folder belongs to, by the strongest trait that one of them knows. */
export function matchProject(
  known: readonly KnownProject[],
  traits: Traits,
): KnownProject | undefined {
  const { inode } = traits.place;
  // A folder that was seen before its history could be read may have begun a project of its own.
  const byHistory = known.toSorted(
    (a, b) => b.identities.histories.length - a.identities.histories.length,
  );
  return (
    known.find(({ identities }) => isAttached(identities, traits.place)) ??
    matchHistory(known, traits) ??
    byHistory.find(({ identities }) => hasInode(identities, inode)) ??
    byHistory.find((project) => hasUri(project.identities, traits))
  );
}

/** The key of a project that begins with this folder: the same whenever and wherever it is made. */
export function newKey(known: readonly KnownProject[], { place, history }: Traits): string {
  if (!history?.rootCommit) {
    return place.inode ? `dir-${short(place.inode)}` : `uri-${short(place.uri)}`;
  }
  const key = `git-${history.rootCommit.slice(0, 12)}`;
  // It would have matched if it were not the other side of a fork.
  const isFork = known.some((project) => project.key === key);
  return isFork ? `${key}-${short(history.remote ?? place.uri)}` : key;
}

/**
 * The identities with a folder's traits among them; the same object when they are already. Of a folder that a
 * person attached only the place is noted: its history may be another project's, which has clones of its own.
 */
export function withTraits(identities: ProjectIdentities, traits: Traits): ProjectIdentities {
  const folders = addPlace(identities.folders, traits.place);
  if (isAttached(identities, traits.place)) {
    const attached = identities.attached.map((uri) =>
      placeAt(folders, traits.place.uri)?.former?.includes(uri) === true ? traits.place.uri : uri,
    );
    const isSame = folders === identities.folders;
    return isSame ? identities : { ...identities, folders, attached: [...new Set(attached)] };
  }
  const histories = addHistory(identities.histories, traits.history);
  const isSame = histories === identities.histories && folders === identities.folders;
  return isSame ? identities : { ...identities, histories, folders };
}

/** Whether a person attached the folder, also when it was moved since. */
export function isAttached(
  { attached, folders }: ProjectIdentities,
  { uri, inode }: FolderPlace,
): boolean {
  const isSame = (place: FolderPlace): boolean =>
    inode !== undefined && place.inode === inode && attached.includes(place.uri);
  return attached.includes(uri) || folders.some(isSame);
}

export const placeAt = (folders: readonly FolderPlace[], uri: string): FolderPlace | undefined =>
  folders.find((place) => place.uri === uri);

export const noIdentities: ProjectIdentities = {
  schemaVersion: 1,
  histories: [],
  folders: [],
  attached: [],
};

function matchHistory(
  known: readonly KnownProject[],
  { place, history }: Traits,
): KnownProject | undefined {
  if (!history) return undefined;
  const related = known
    .map((project) => ({ project, remotes: remotesOf(project.identities, history) }))
    .filter(({ remotes }) => remotes.length > 0);
  const same =
    related.find(({ remotes }) => remotes.includes(history.remote)) ??
    related.find(({ project }) => hasInode(project.identities, place.inode)) ??
    related.find(({ remotes }) => history.remote === undefined || remotes.includes(undefined));
  return same?.project;
}

/**
 * The remotes that a project was seen with under a root commit; undefined for none. Where one of the two is not
 * known to have a root commit, they are related by their remote alone.
 */
const remotesOf = (
  { histories }: ProjectIdentities,
  { rootCommit, remote }: History,
): readonly (string | undefined)[] =>
  histories
    .filter((history) =>
      history.rootCommit === '' || rootCommit === ''
        ? remote !== undefined && history.remote === remote
        : history.rootCommit === rootCommit,
    )
    .map((history) => history.remote);

const hasInode = ({ folders }: ProjectIdentities, inode: string | undefined): boolean =>
  inode !== undefined && folders.some((folder) => folder.inode === inode);

/** Another repository in the place of one that was deleted is another project. */
const hasUri = ({ folders, histories }: ProjectIdentities, { place, history }: Traits): boolean =>
  (history === undefined || histories.length === 0) &&
  folders.some((folder) => folder.uri === place.uri);

function addHistory(
  histories: readonly History[],
  history: History | undefined,
): ProjectIdentities['histories'] {
  if (!history) return histories;
  const isKnown = ({ rootCommit, remote }: History): boolean =>
    (rootCommit === history.rootCommit || history.rootCommit === '') &&
    (remote === history.remote || !history.remote);
  if (histories.some(isKnown)) return histories;
  const stronger = histories.filter(
    ({ rootCommit, remote }) =>
      (rootCommit !== history.rootCommit || remote !== undefined) &&
      (rootCommit !== '' || remote !== history.remote),
  );
  return [...stronger, history];
}

/** A folder that moved leaves its old URI to others; a URI that has another folder forgets the old one. */
function addPlace(
  folders: readonly FolderPlace[],
  place: FolderPlace,
): ProjectIdentities['folders'] {
  const isKnown = ({ uri, inode }: FolderPlace): boolean =>
    uri === place.uri && (inode === place.inode || place.inode === undefined);
  if (folders.some(isKnown)) return folders;
  const isSame = ({ inode }: FolderPlace): boolean => inode !== undefined && inode === place.inode;
  const moved = folders.filter((known) => isSame(known) && known.uri !== place.uri);
  const former = moved
    .flatMap((known) => [...(known.former ?? []), known.uri])
    .filter((uri) => uri !== place.uri);
  const others = folders.filter((known) => known.uri !== place.uri && !isSame(known));
  return [...others, former.length > 0 ? { ...place, former: [...new Set(former)] } : place];
}

const short = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 12);
