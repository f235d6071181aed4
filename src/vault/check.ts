import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { snapshotSchema } from '../core/model/snapshot.js';
import type { ProjectView } from './openView.js';
import { openView } from './openView.js';
import { PackFolder } from './packFolder.js';
import { projectFile, readProjects } from './projectFile.js';
import { checkFrames } from './reader.js';

export interface ProjectCheck {
  readonly key: string;
  readonly packs: number;
  readonly bytes: number;
  /** What is damaged. */
  readonly problems: readonly Problem[];
  /** What a person may want to know and is no damage. */
  readonly notes: readonly Problem[];
}

export interface CheckOptions {
  readonly store: string;
  /** Reads every record and compares its hash; otherwise only heads and lengths. */
  readonly readData: boolean;
  /** Bytes of sql.js's `sql-wasm.wasm`, or its path. */
  readonly wasm: Uint8Array | string;
}

/**
 * Looks for damage in every project of a store. Only reads.
 *
 * @throws Error of the file system when the store cannot be looked into
 */
export async function checkStore(options: CheckOptions): Promise<readonly ProjectCheck[]> {
  const checks: ProjectCheck[] = [];
  for (const project of await readProjects(options.store)) {
    const file = projectFile(options.store, project.key);
    const problems: Problem[] =
      'message' in project ? [{ where: file, message: project.message }] : [];
    checks.push(await checkProject(project.key, dirname(file), options, problems));
  }
  return checks;
}

async function checkProject(
  key: string,
  folder: string,
  { readData, wasm }: CheckOptions,
  problems: Problem[],
): Promise<ProjectCheck> {
  const notes: Problem[] = [];
  const packs = new PackFolder(join(folder, 'packs'));
  await packs.look((problem) => problems.push(problem));
  const paths = new Set(packs.names.flatMap((pack) => packs.place(pack)?.path ?? []));
  let bytes = 0;
  for (const path of paths) {
    bytes += await checkFile(path, packs, problems, notes);
    await checkMode(path, 0o600, notes);
  }
  for (const name of packs.leftovers) {
    notes.push({ where: name, message: 'It was replaced; the next collection removes it.' });
  }
  if (paths.size > 0) await checkMode(packs.path, 0o700, notes);
  if (readData && problems.length === 0) await checkData(folder, wasm, problems, notes);
  return { key, packs: packs.names.length, bytes, problems, notes };
}

async function checkFile(
  path: string,
  packs: PackFolder,
  problems: Problem[],
  notes: Problem[],
): Promise<number> {
  try {
    const { size } = await lstat(path);
    const isSealed = packs.sealedFiles.some((file) => file.path === path);
    const found: Problem[] = [];
    const end = await checkFrames(path, (problem) => found.push(problem));
    // Behind a sealed file's directory is where that is; whether it can be read was seen as it was opened.
    problems.push(...(isSealed ? found.filter((problem) => !isAt(problem, end)) : found));
    if (!isSealed && end < size && found.length === 0) {
      const message = `Its last ${size - end} bytes are of a save that was not completed.`;
      notes.push({ where: basename(path), message });
    }
    return size;
  } catch (error) {
    problems.push({ where: basename(path), message: messageOf(error) });
    return 0;
  }
}

const isAt = ({ where }: Problem, offset: number): boolean => where.endsWith(` @ ${offset}`);

/** Reads everything as a window does, and looks for what snapshots name. */
async function checkData(
  folder: string,
  wasm: Uint8Array | string,
  problems: Problem[],
  notes: Problem[],
): Promise<void> {
  const view = await openView(folder, wasm);
  problems.push(...view.problems);
  for (const session of view.index.sessionIds()) {
    for (const { id } of view.index.snapshots(session)) {
      const missing = await missingParts(view, id);
      if (missing.length === 0) continue;
      const message = `Parts of it are not there (${missing.join(', ')}): they were forgotten, or a file was deleted.`;
      notes.push({ where: `snapshot ${id}`, message });
    }
  }
  await view.close();
}

async function missingParts({ vault, index }: ProjectView, id: string): Promise<readonly string[]> {
  const ref = index.snapshotRef(id);
  if (!ref) return [];
  const { payload } = await vault.readFrame(ref);
  const { parts } = snapshotSchema.parse(JSON.parse(new TextDecoder().decode(payload)));
  return Object.entries(parts)
    .filter(([, hash]) => hash !== undefined && !index.blobRef(hash))
    .map(([name]) => name);
}

async function checkMode(path: string, expected: number, notes: Problem[]): Promise<void> {
  if (process.platform === 'win32') return;
  const { mode } = await lstat(path);
  if ((mode & 0o077) === 0) return;
  const message = `Others on this machine may read it (mode ${(mode & 0o777).toString(8)}, not ${expected.toString(8)}).`;
  notes.push({ where: path, message });
}
