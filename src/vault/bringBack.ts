import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { BroughtBack } from '../core/forgetting.js';
import { restoreBackup } from './backup.js';
import { encodeFrame } from './frame.js';
import { diskIo } from './io.js';
import { PackWriter } from './pack.js';
import { PackFolder } from './packFolder.js';
import { projectFile } from './projectFile.js';
import type { Frame } from './types.js';

/** Frames are written in groups of so many bytes. */
const GROUP = 4 * 2 ** 20;

/**
 * Adds to a project's vault what its newest whole backup has and it cannot read any more: what was damaged or
 * deleted. Nothing of the vault is changed; frames keep their clocks, so that they are where they were in the order.
 *
 * @param backups the backup's folder
 * @throws ExpectedError as `restoreBackup`, or as appending to a vault; the signal's reason: what was added stays
 */
export async function bringBack(
  store: string,
  key: string,
  backups: string,
  signal?: AbortSignal,
): Promise<BroughtBack> {
  const folder = dirname(projectFile(store, key));
  // Beside the backup: its files can be linked there.
  const scratch = await mkdtemp(join(store, 'restoring-'));
  try {
    const to = join(scratch, 'store');
    const { at } = await restoreBackup(backups, to);
    const known = new Set<string>();
    for await (const frame of framesIn(folder)) {
      signal?.throwIfAborted();
      known.add(nameOf(frame));
    }
    const writer = new PackWriter(join(folder, 'packs'), diskIo);
    const missing = notIn(known, framesIn(dirname(projectFile(to, key))));
    const records = await write(writer, missing, signal).finally(() => writer.close());
    return { records, at };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function* framesIn(folder: string): AsyncGenerator<Frame, void, undefined> {
  const packs = new PackFolder(join(folder, 'packs'));
  await packs.look(() => undefined);
  for (const pack of packs.names) yield* packs.frames(pack, 0, () => undefined);
}

async function* notIn(
  known: ReadonlySet<string>,
  frames: AsyncIterable<Frame>,
): AsyncGenerator<Frame, void, undefined> {
  for await (const frame of frames) if (!known.has(nameOf(frame))) yield frame;
}

/** One frame is the same wherever it lies. */
const nameOf = ({ type, clock, hash }: Frame): string => `${type} ${clock} ${hash}`;

async function write(
  writer: PackWriter,
  frames: AsyncIterable<Frame>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let count = 0;
  let size = 0;
  let group: Uint8Array[] = [];
  const flush = async (): Promise<void> => {
    if (group.length > 0) await writer.append(group);
    group = [];
    size = 0;
  };
  for await (const frame of frames) {
    signal?.throwIfAborted();
    const { bytes } = encodeFrame(frame, frame.clock);
    group.push(bytes);
    count += 1;
    size += bytes.length;
    if (size >= GROUP) await flush();
  }
  await flush();
  return count;
}
