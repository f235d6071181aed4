import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ExpectedError } from '../core/errors.js';

/**
 * The absolute path of a folder that a call names, or of the current one.
 *
 * @throws ExpectedError `folderMissing`
 */
export function existingFolder(given = '.'): string {
  const folder = resolve(given);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) return folder;
  throw new ExpectedError('folderMissing', 'There is no folder {0}.', [folder], {
    next: 'Name an existing folder with --folder.',
  });
}
