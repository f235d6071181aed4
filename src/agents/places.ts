import { join } from 'node:path';

/** A path as people write it in a variable, where `~` is the user's home. */
export const withHome = (path: string, userHome: string): string =>
  /^~(?=[\\/]|$)/.test(path) ? join(userHome, path.slice(1)) : path;

/** A folder that is given as a path or as a `file:` URI, of any platform. */
export function folderOfUri(uri: string): string {
  if (!uri.startsWith('file://')) return uri;
  try {
    const path = decodeURIComponent(new URL(uri).pathname);
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return uri;
  }
}
