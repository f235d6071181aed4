import { isUnsavedWorkspace } from '../../core/unsavedWorkspace.js';

/**
 * What the place is called in which a session was made, where that is another one than the window's: the name of
 * the folder or workspace file, with the folder above it where the name alone tells nothing. Undefined for a
 * session of the window's own place, and for one without a place. Empty for a workspace that was never saved: what VS
 * Code calls it is a number.
 *
 * @param workspace URI, as in the session
 * @param here URIs that count as the window's own, its workspace or first folder first
 */
export function originOf(
  workspace: string | undefined,
  here: readonly string[],
): string | undefined {
  if (workspace === undefined || isIn(workspace, here)) return undefined;
  if (isUnsavedWorkspace(workspace)) return '';
  const [name = '', above] = partsOf(workspace).reverse();
  const isUnclear = here.some((uri) => partsOf(uri).at(-1) === name);
  const shown = name.replace(/\.code-workspace$/, '');
  return isUnclear && above !== undefined ? `${above}/${shown}` : shown;
}

/** The whole place, for a tooltip: the path where it is on this machine. Empty for a workspace that was never saved. */
export function pathOf(uri: string): string {
  if (isUnsavedWorkspace(uri)) return '';
  return uri.startsWith('file:///')
    ? `/${partsOf(uri).join('/')}`.replace(/^\/(?=[a-z]:)/i, '')
    : uri;
}

const isIn = (uri: string, here: readonly string[]): boolean =>
  here.some((own) => trimmed(own) === trimmed(uri));

const trimmed = (uri: string): string => uri.replace(/\/+$/, '');

/** The parts of a URI's path, as they are read. */
function partsOf(uri: string): string[] {
  const path = uri.replace(/^[a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?/i, '');
  return path
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
