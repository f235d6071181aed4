import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { codeOf } from './writeError.js';

/** Beside a project's packs: an empty file for each thing that people were told. */
const toldFolder = (projectFolder: string): string => join(projectFolder, 'told');

/**
 * The problem as it is to be said now: one that people should hear of at once is that only for the first window
 * that meets it, until {@link tellAgain}. Where that cannot be noted, it is rather said twice than never.
 */
export async function toldOnce(projectFolder: string, problem: Problem): Promise<Problem> {
  if (problem.kind === undefined) return problem;
  const folder = toldFolder(projectFolder);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // One of several processes makes it.
    await (await open(join(folder, nameOf(problem)), 'wx', 0o600)).close();
    return problem;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') return problem;
    const { where, message } = problem;
    return { where, message };
  }
}

/** Notes that of a kind nothing is wrong any more, but for one problem: what comes back is said again. */
export async function tellAgain(
  projectFolder: string,
  kind: NonNullable<Problem['kind']>,
  except?: Problem,
): Promise<void> {
  const folder = toldFolder(projectFolder);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${kind}-`) || (except && name === nameOf(except))) continue;
    await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
}

function nameOf({ kind, where, message }: Problem): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([where, message]))
    .digest('hex');
  return `${kind}-${hash.slice(0, 32)}`;
}
