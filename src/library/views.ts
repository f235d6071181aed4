import { readdir, readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';

/** What a window makes of the vault and keeps for itself (see the library's persistence). */
const viewFiles = ['sessions.db', 'catalog.json'];

/**
 * Folders in which windows keep their views of a store, told from where VS Code puts both: the store is
 * `User/globalStorage/<extension>`, a view `User/workspaceStorage/<workspace>/<extension>`.
 */
export async function viewsOf(store: string): Promise<readonly string[]> {
  const workspaces = join(dirname(dirname(store)), 'workspaceStorage');
  const names = await readdir(workspaces).catch(() => []);
  const extension = store.slice(dirname(store).length + 1);
  const folders = [
    join(store, 'no-folder'),
    ...names.map((name) => join(workspaces, name, extension)),
  ];
  const views: string[] = [];
  for (const folder of folders) {
    const files = await readdir(folder).catch(() => []);
    if (files.some(isViewFile)) views.push(folder);
  }
  return views;
}

/** Also what was set aside because it was damaged, and what a killed write left. */
const isViewFile = (name: string): boolean => viewFiles.some((file) => name.startsWith(file));

/** Removes a window's view, if its content meets a condition; it is made again when it is needed. */
export async function dropView(
  folder: string,
  condition: (bytes: Uint8Array) => boolean = () => true,
): Promise<number> {
  let dropped = 0;
  for (const name of (await readdir(folder)).filter(isViewFile)) {
    const path = join(folder, name);
    if (!condition(await readFile(path))) continue;
    await rm(path, { force: true });
    dropped += 1;
  }
  return dropped;
}

const workspaceSchema = z.object({ folder: z.string() });

/** URI of the only folder of the window that has a view; undefined for windows of another kind. */
export async function folderOf(view: string): Promise<string | undefined> {
  const text = await readFile(join(dirname(view), 'workspace.json'), 'utf8').catch(() => '{}');
  try {
    return workspaceSchema.safeParse(JSON.parse(text)).data?.folder;
  } catch {
    return undefined;
  }
}
