import type { Place } from '../model/editors.js';

export interface Folder {
  readonly name: string;
  readonly uri: string;
}

/** The folders of the window that was saved and of the window that is open. */
export interface Folders {
  readonly saved: readonly Folder[];
  readonly now: readonly Folder[];
}

/**
 * Where a saved place is in this window: the same URI when its folder is open here, else the same
 * path below the folder of that name, else, from one folder to one folder, below the one that is
 * open (a clone elsewhere, a worktree). A place outside of all folders keeps its URI.
 */
export function resolvePlace(place: Place, folders: Folders): Place {
  const target = targetFolder(place, folders);
  if (target === undefined || place.path === undefined) return place;
  const uri = below(target.uri, place.path);
  if (place.git === undefined) return { ...place, uri, folder: target.name };
  const git = { ref: place.git.ref, path: uriPath(uri) };
  return { uri: gitUri(uri, git), folder: target.name, path: place.path, git };
}

/** The same for a folder on disk, such as a terminal's: `path` is a file system path. */
export function resolveFolderPath(path: string, folders: Folders): string {
  const inside = (folder: Folder) => relativeTo(uriPath(folder.uri), path);
  if (folders.now.some((folder) => inside(folder) !== undefined)) return path;
  const from = folders.saved.find((folder) => inside(folder) !== undefined);
  if (from === undefined) return path;
  const to = counterpart(from.name, folders);
  return to === undefined ? path : uriPath(to.uri) + (inside(from) ?? '');
}

/**
 * Equal for two places that show the same thing. `git:` URIs hold JSON whose order differs; macOS
 * gives decomposed Unicode for the same file that others compose.
 */
export function placeKey(place: Place): string {
  return place.git === undefined
    ? uriKey(place.uri)
    : `git ${place.git.ref} ${place.git.path.normalize('NFC')}`;
}

export const uriKey = (uri: string): string => decode(uri).normalize('NFC');

/** The decoded path of a URI, with the drive letter first on Windows. */
export function uriPath(uri: string): string {
  const path = decode(uri.replace(/^[^:]+:(\/\/[^/]*)?/, '').replace(/[?#].*$/, ''));
  return path.replace(/^\/([a-zA-Z]:)/, '$1');
}

/** The file's name, or the name of an untitled document. */
export const placeLabel = (place: Place): string => {
  const name =
    uriKey(place.uri.replace(/[?#].*$/, ''))
      .split('/')
      .at(-1) ?? place.uri;
  return name.replace(/^untitled:/, '');
};

export const isUntitled = (place: Place): boolean => place.uri.startsWith('untitled:');

function targetFolder(place: Place, folders: Folders): Folder | undefined {
  if (place.folder === undefined) return undefined;
  const { git } = place;
  const open = folders.now.some((folder) =>
    git === undefined
      ? uriKey(place.uri).startsWith(`${uriKey(folder.uri)}/`)
      : relativeTo(uriPath(folder.uri), git.path) !== undefined,
  );
  return open ? undefined : counterpart(place.folder, folders);
}

function counterpart(name: string, folders: Folders): Folder | undefined {
  const named = folders.now.filter((folder) => folder.name === name);
  if (named.length === 1) return named[0];
  return folders.saved.length === 1 && folders.now.length === 1 ? folders.now[0] : undefined;
}

const below = (folder: string, path: string): string =>
  path === '' ? folder : `${folder.replace(/\/$/, '')}/${path}`;

/** As the git extension's `toGitUri` makes it. */
function gitUri(file: string, git: { readonly ref: string; readonly path: string }): string {
  const query = encodeURIComponent(JSON.stringify({ path: git.path, ref: git.ref }));
  return `git:${file.replace(/^[^:]+:(\/\/[^/]*)?/, '')}?${query}`;
}

/** What follows `folder` in `path`, with its leading separator, or undefined when it is outside. */
function relativeTo(folder: string, path: string): string | undefined {
  const [base, whole] = [folder, path].map((text) => text.replaceAll('\\', '/').normalize('NFC'));
  if (base === undefined || whole === undefined) return undefined;
  if (whole === base) return '';
  return whole.startsWith(`${base}/`) ? whole.slice(base.length) : undefined;
}

function decode(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    // A lone "%" is legal in a name that another program wrote.
    return uri;
  }
}
