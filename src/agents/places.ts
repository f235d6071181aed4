import { join } from 'node:path';

/** A path as people write it in a variable, where `~` is the user's home. */
export const withHome = (path: string, userHome: string): string =>
  /^~(?=[\\/]|$)/.test(path) ? join(userHome, path.slice(1)) : path;
