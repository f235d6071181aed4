import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gitIdentity } from '../changes/identity.js';
import { Clock } from '../core/clock.js';
import type { OpenRequest, Problem } from '../core/engine.js';
import { isExpected } from '../core/errors.js';
import type { SessionSummary } from '../core/model/session.js';
import { isUnsavedWorkspace } from '../core/unsavedWorkspace.js';
import { findProject, rootCommitsOf, type FoundProject } from '../vault/project.js';
import { SessionIndex } from '../vault/sessionIndex.js';
import { toldOnce } from '../vault/told.js';
import { openVault } from '../vault/vault.js';
import { homesOf, oneHome, type Homes } from './homes.js';
import { Persistence } from './persistence.js';
import { Store } from './store.js';

/** A window's project: where its sessions are kept, and what it is called. */
export interface Project {
  readonly key: string;
  readonly store: Store;
  /** So much of the packs is not in the index that the window does not wait for it. */
  readonly isBehind: boolean;
  /** Folders of the vaults, the one that is written to first. */
  readonly vaultFolders: readonly string[];
  /** Absolute paths of the window's folders on this machine. */
  readonly folders: readonly string[];
  /** Whether a person attached the first folder to its project. */
  readonly attached: boolean;
  /** URIs under which sessions are of this window's folders. */
  readonly here: readonly string[];
  /** URIs that folders of the projects had before they were moved, with those that they have now. */
  readonly moved: ReadonlyMap<string, string>;
  readonly problems: readonly Problem[];
  /** A problem of reading as it is to be said now, see `toldOnce`. */
  readonly told: (problem: Problem) => Promise<Problem>;
}

/** What is read before a window goes on: less than a second's work. */
const AHEAD_BYTES = 8 * 2 ** 20;

/**
 * Finds the projects of a window's folders and opens their vaults behind one index. What belongs to one of them
 * goes into its vault; what is of none or of several, such as a new session, into the first folder's.
 */
export async function openProject(
  request: OpenRequest,
  wasm: string,
  aheadBytes = AHEAD_BYTES,
): Promise<Project> {
  const problems: Problem[] = [];
  const { projects, homes } = await findProjects(request, problems);
  const [first, ...others] = projects;
  const opened = await SessionIndex.open({
    file: request.view && Persistence.databaseFile(request.view),
    wasm,
  });
  const { index } = opened;
  problems.push(...opened.problems);
  const clock = new Clock();
  clock.observe(index.newestClock() ?? 0n);
  const covered = index.offsets();
  const open = ({ folder }: FoundProject) =>
    openVault({ folder, clock, covered, blobRef: (hash) => index.blobRef(hash) });
  const vaults = [await open(first), ...(await Promise.all(others.map(open)))] as const;
  const store = new Store(vaults, index, homes);
  // Of a pack that is gone, the rows would stay: what was taken out of a vault is not to be listed.
  const isStale = [...covered.keys()].some((pack) => !vaults.some((vault) => vault.has(pack)));
  if (isStale && vaults.every((vault) => vault.isListed)) store.startOver();
  const isBehind = request.view !== undefined && (await store.unread()) > aheadBytes;
  if (!isBehind) await store.refresh((problem) => problems.push(problem));
  // A command is no window that would show it, and in restricted mode nothing is written.
  const isNoted = request.trusted && request.settings.pollMs > 0;
  const told = (problem: Problem): Promise<Problem> =>
    isNoted && problem.kind === 'damage'
      ? toldOnce(first.folder, problem)
      : Promise.resolve(problem);
  return {
    key: first.key,
    store,
    isBehind,
    vaultFolders: [first, ...others].map(({ folder }) => folder),
    folders: request.folders.flatMap(({ uri }) => localPath(uri) ?? []),
    attached: first.attached,
    here: urisHere(request, [first, ...others]),
    moved: movedFolders([first, ...others]),
    problems: await Promise.all(problems.map(told)),
    told,
  };
}

function urisHere(request: OpenRequest, projects: readonly FoundProject[]): readonly string[] {
  const own = [request.workspace ?? [], request.folders.map(({ uri }) => uri)].flat();
  return [...new Set([...own, ...projects.flatMap(({ former }) => former)])];
}

const movedFolders = (projects: readonly FoundProject[]): ReadonlyMap<string, string> =>
  new Map(
    projects
      .flatMap(({ places }) => places)
      .flatMap(({ uri, former = [] }) => former.map((before) => [before, uri] as const)),
  );

/**
 * The session to go on with in a window: the one that was made in its workspace, else in its folder before that
 * was moved, else in a workspace that is not there any more. A workspace of several folders, or one that was just
 * saved under a name, goes on with the last session of a folder of its own, or of a workspace that had no name, until
 * it has had one itself.
 */
export function activeSession(
  index: SessionIndex,
  { workspace, folders }: OpenRequest,
  { here, moved }: Pick<Project, 'here' | 'moved'>,
): SessionSummary | undefined {
  const own = new Set(folders.map(({ uri }) => uri));
  const former = here.filter((uri) => uri !== workspace && !own.has(uri));
  const all = index.sessions();
  const hadOwn = all.some((session) => session.workspace === workspace);
  const mayBeBefore = (place: string): boolean =>
    own.has(place) ||
    (workspace?.endsWith('.code-workspace') === true && isUnsavedWorkspace(place));
  const before = all.flatMap((session) =>
    session.workspace !== undefined && mayBeBefore(session.workspace) ? session.workspace : [],
  );
  const places = [workspace, ...former, ...(hadOwn || workspace === undefined ? [] : before)];
  // What was made in a folder that has another name now is that folder's, not of a place that is gone.
  return index.activeSession(places, (uri) => workspaceExists(moved.get(uri) ?? uri));
}

/** Whether a workspace that is known by its URI is still there; one that is not on this disk may be. */
function workspaceExists(uri: string): boolean {
  const folder = localPath(uri);
  return folder === undefined || existsSync(folder);
}

/** The folders' projects, each once, in the order of the folders, and what belongs to which of them. */
async function findProjects(
  { store, folders, trusted }: OpenRequest,
  problems: Problem[],
): Promise<{
  readonly projects: readonly [FoundProject, ...FoundProject[]];
  readonly homes: Homes;
}> {
  const [first, ...others] = folders;
  const find = async (uri: string | undefined): Promise<FoundProject> => {
    const path = uri === undefined ? undefined : localPath(uri);
    const git =
      trusted && path !== undefined
        ? await identity(path, await rootCommitsOf(store, uri), problems)
        : undefined;
    const found = await findProject(store, uri === undefined ? undefined : { uri, path, git });
    problems.push(...found.problems);
    return found;
  };
  const found: [FoundProject, ...FoundProject[]] = [await find(first?.uri)];
  const keys = [found[0].key];
  for (const { uri } of others) {
    const project = await find(uri);
    keys.push(project.key);
    if (!found.some(({ key }) => key === project.key)) found.push(project);
  }
  const placed = folders.flatMap(({ uri }, at) => {
    const path = localPath(uri);
    const project = found.findIndex(({ key }) => key === keys[at]);
    return path === undefined ? [] : [{ path, project }];
  });
  return { projects: found, homes: found.length === 1 ? oneHome : homesOf(found, placed) };
}

/** Without git, a folder is still known by itself. */
async function identity(folder: string, knownRoots: readonly string[], problems: Problem[]) {
  try {
    return await gitIdentity(folder, { knownRoots });
  } catch (error) {
    if (!isExpected(error)) throw error;
    problems.push({ where: folder, message: error.message });
    return undefined;
  }
}

const localPath = (uri: string): string | undefined =>
  uri.startsWith('file:') ? fileURLToPath(uri) : undefined;
