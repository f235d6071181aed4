import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { ExpectedError, messageOf } from '../core/errors.js';
import { encodeFrame } from './frame.js';
import { diskIo } from './io.js';
import { PackWriter } from './pack.js';
import { PackFolder } from './packFolder.js';
import { projectFile, readProjects } from './projectFile.js';
import { codeOf } from './writeError.js';

/** Frames are written in groups of so many bytes. */
const GROUP = 4 * 2 ** 20;

export interface RepairReport {
  readonly projects: number;
  /** Records that the new store has. */
  readonly frames: number;
  readonly bytes: number;
  /** What could not be read, and so is not in the new store. */
  readonly problems: readonly Problem[];
}

/**
 * Writes a new store with everything that can be read of another. The old one stays as it is.
 *
 * @param to a folder that is empty or not there
 * @throws ExpectedError `notEmpty`, or as appending to a vault
 */
export async function repairStore(store: string, to: string): Promise<RepairReport> {
  await requireEmpty(to);
  const problems: Problem[] = [];
  let frames = 0;
  let bytes = 0;
  const projects = await readProjects(store);
  for (const project of projects) {
    const file = projectFile(store, project.key);
    if ('message' in project) problems.push({ where: file, message: project.message });
    const target = projectFile(to, project.key);
    const copied = await copyProject(dirname(file), dirname(target), (p) => problems.push(p));
    frames += copied.frames;
    bytes += copied.bytes;
    if (project.state !== 'known') continue;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await copyFile(file, target);
  }
  return { projects: projects.length, frames, bytes, problems };
}

async function copyProject(
  from: string,
  to: string,
  report: (problem: Problem) => void,
): Promise<{ readonly frames: number; readonly bytes: number }> {
  const packs = new PackFolder(join(from, 'packs'));
  await packs.look(report);
  const writer = new PackWriter(join(to, 'packs'), diskIo);
  let frames = 0;
  let bytes = 0;
  let group: Uint8Array[] = [];
  let size = 0;
  const flush = async (): Promise<void> => {
    if (group.length > 0) await writer.append(group);
    frames += group.length;
    bytes += size;
    group = [];
    size = 0;
  };
  for (const pack of packs.names) {
    try {
      for await (const frame of packs.frames(pack, 0, report)) {
        const encoded = encodeFrame(frame, frame.clock).bytes;
        group.push(encoded);
        size += encoded.length;
        if (size >= GROUP) await flush();
      }
    } catch (error) {
      if (error instanceof ExpectedError) throw error;
      report({ where: pack, message: messageOf(error) });
    }
  }
  await flush();
  await writer.close();
  return { frames, bytes };
}

/** @throws ExpectedError `notEmpty` */
export async function requireEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return;
  throw new ExpectedError('notEmpty', 'The folder {0} is not empty.', [folder], {
    next: 'Name a folder that is empty or does not exist yet.',
  });
}
