import { access, constants } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { ExpectedError } from '../../core/errors.js';

/**
 * The absolute path of a program that a terminal is to run. An editor that was not started from a shell
 * often has a shorter PATH, so the folders where agents install themselves are searched too.
 *
 * @throws ExpectedError `programMissing`
 */
export async function findProgram(name: string): Promise<string> {
  const onPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => folder !== '');
  const installed = ['.local/bin', '.claude/local', '.npm-global/bin'].map((folder) =>
    path.join(homedir(), folder),
  );
  const endings = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  for (const folder of [...onPath, ...installed]) {
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (await isProgram(file)) return file;
    }
  }
  throw new ExpectedError('programMissing', 'The program {0} was not found.', [name], {
    next: 'Install it or add its folder to PATH, then try again.',
  });
}

const isProgram = (file: string): Promise<boolean> =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
