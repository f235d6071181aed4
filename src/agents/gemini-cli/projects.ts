import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fieldsOf, isString } from '../json.js';
import type { SmallFiles } from '../smallFiles.js';

/** How the program names a project's folder, and a session its project, since there is no better name. */
export const hashOf = (folder: string): string => createHash('sha256').update(folder).digest('hex');

/**
 * The folder that the sessions below `tmp/<name>` belong to: a marker in it says so, or the registry of
 * all names; before about 0.29 the name was a hash of the folder. Undefined when none of them knows.
 */
export async function folderOfProject(
  home: string,
  name: string,
  folders: readonly string[],
  files: SmallFiles,
): Promise<string | undefined> {
  const marker = (await files.read(join(home, 'tmp', name, '.project_root')))?.trim();
  if (marker) return marker;
  const registry = parsed(await files.read(join(home, 'projects.json')));
  const entries = Object.entries(fieldsOf(fieldsOf(registry)?.['projects']) ?? {});
  const known = entries.find(([, slug]) => slug === name)?.[0];
  if (known !== undefined) return known;
  const candidates = [...folders, ...entries.map(([folder]) => folder)].filter(isString);
  return candidates.find((folder) => hashOf(folder) === name);
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
