import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import type { FoundProject } from '../vault/project.js';

/** Which of a window's projects something belongs to, as a place among them; undefined: none of them for sure. */
export interface Homes {
  /** @param workspace URI of the folder or workspace that a session was made in */
  ofSession(workspace: string | undefined): number | undefined;
  /** @param folder path of the folder that a conversation was in */
  ofThread(folder: string | undefined): number | undefined;
}

/** A window of one project. */
export const oneHome: Homes = { ofSession: () => 0, ofThread: () => 0 };

/** @param folders paths of the window's folders, each with the place of its project */
export function homesOf(
  projects: readonly FoundProject[],
  folders: readonly { readonly path: string; readonly project: number }[],
): Homes {
  const uris = new Map<string, number>();
  for (const [at, { places, former }] of projects.entries()) {
    const own = places.flatMap((place) => [place.uri, ...(place.former ?? [])]);
    for (const uri of [...own, ...former]) if (!uris.has(uri)) uris.set(uri, at);
  }
  const roots = folders
    .flatMap(({ path, project }) =>
      [...new Set([path, realPath(path)])].map((root) => ({ root, project })),
    )
    .sort((a, b) => b.root.length - a.root.length);
  return {
    ofSession: (workspace) => (workspace === undefined ? undefined : uris.get(workspace)),
    ofThread: (folder) =>
      roots.find(({ root }) => folder === root || folder?.startsWith(root + sep))?.project,
  };
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
