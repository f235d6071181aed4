import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../core/engine.js';
import type { SessionSummary } from '../core/model/session.js';
import { sessionsToOffer } from '../core/retention.js';
import { catchUp } from './catchUp.js';
import type { Io } from './io.js';
import type { Needed } from './needed.js';
import { findNeeded } from './needed.js';
import type { ProjectView } from './openView.js';
import { openView } from './openView.js';
import { PackFolder } from './packFolder.js';
import { closedFiles, damaged, lastNeeded, removeLeftovers, rewrite, strictly } from './rewrite.js';
import { removeStaleImages } from './search/imageFolder.js';
import { closeIdlePacks } from './seal.js';
import { loadSql } from './sqlite.js';

const DAY_MS = 24 * 60 * 60 * 1000;
/** What is not needed stays for so long, in case somebody wants it back or is about to name it. */
const GRACE_MS = 7 * DAY_MS;
/** A file is rewritten when so much of it is not needed. */
const MOSTLY = 0.5;
/** A save takes less. */
const IN_FLIGHT_MS = 60 * 60 * 1000;

export interface CollectOptions {
  /** The project's folder, `<store>/projects/<project key>`. */
  readonly folder: string;
  /** Bytes of sql.js's `sql-wasm.wasm`, or its path. */
  readonly wasm: Uint8Array | string;
  readonly io: Io;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Says what would go and takes nothing. */
  readonly dryRun: boolean;
  /** Finished sessions are offered after so many days; absent: none are. */
  readonly offerAfterDays?: number | undefined;
  /** How long a save may take, in milliseconds; absent: an hour. */
  readonly inFlightMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface CollectReport {
  /** Sessions that were deleted long enough ago, and snapshots that are not needed. */
  readonly deadSessions: number;
  readonly deadSnapshots: number;
  /** Bytes of frames that are needed and that are not, as they were first written. */
  readonly liveBytes: number;
  readonly deadBytes: number;
  /** Of those, the bytes that go now; the others lie among what is needed, or were written this week. */
  readonly goingBytes: number;
  readonly files: readonly {
    readonly file: string;
    readonly live: number;
    readonly dead: number;
  }[];
  /** Finished sessions that a person may want to let go of. */
  readonly offered: readonly SessionSummary[];
}

/**
 * Takes what is not needed out of a vault, where most of a file is not. To be called under the vault's lock.
 * Killed at any step it loses nothing that is needed.
 *
 * Windows may write meanwhile: a file that one of them came to rely upon stays, and so does all of it when a
 * deleted session was brought back.
 *
 * @throws ExpectedError `damaged`: what cannot be read may have named what seems not to be needed
 */
export async function collect(options: CollectOptions): Promise<CollectReport> {
  const { folder, io, now, dryRun } = options;
  const packs = new PackFolder(join(folder, 'packs'));
  await packs.look(refuse);
  if (!dryRun) {
    await removeLeftovers(packs, io);
    await closeIdlePacks(packs, { io, now });
  }
  const before = await timesOf(packs);
  const view = await openView(folder, options.wasm, { io, signal: options.signal });
  try {
    const [problem] = view.problems;
    if (problem) throw damaged(problem);
    const needed = await findNeeded(view, now - GRACE_MS, options.inFlightMs ?? IN_FLIGHT_MS);
    const report = await measure(packs, needed, before, options, view);
    if (!dryRun) {
      for (const { file } of report.files) {
        options.signal?.throwIfAborted();
        await rewriteUnused(options, packs, file, before.get(file), needed, view);
      }
      const isThere = (pack: string): boolean => packs.place(pack) !== undefined;
      await removeStaleImages(folder, await loadSql(options.wasm), isThere);
    }
    return report;
  } finally {
    await view.close();
  }
}

async function rewriteUnused(
  { io }: CollectOptions,
  packs: PackFolder,
  file: string,
  lastTime: number | undefined,
  needed: Needed,
  view: ProjectView,
): Promise<void> {
  const rewritten = await rewrite(io, packs, file, (frame) =>
    needed.has(frame) ? frame : undefined,
  );
  const isRelied = (await lastNeeded(packs, file)) !== lastTime;
  if (isRelied || (await wasBroughtBack(view, needed))) await rewritten.takeBack();
  else await rewritten.finish();
  await packs.look(refuse);
}

/** Whether a session that was deleted is not any more. */
async function wasBroughtBack(view: ProjectView, needed: Needed): Promise<boolean> {
  await catchUp([view.vault], view.index, () => undefined);
  const deleted = view.index.deletedSessions();
  return [...needed.deadSessions].some((id) => !deleted.has(id));
}

async function measure(
  packs: PackFolder,
  needed: Needed,
  times: ReadonlyMap<string, number>,
  options: CollectOptions,
  { index }: ProjectView,
): Promise<CollectReport> {
  let liveBytes = 0;
  let deadBytes = 0;
  const byFile = new Map<string, { live: number; dead: number }>();
  for (const [file, names] of closedFiles(packs)) {
    const sum = { live: 0, dead: 0 };
    for (const pack of names) {
      options.signal?.throwIfAborted();
      for await (const frame of strictly(packs, pack)) {
        sum[needed.has(frame) ? 'live' : 'dead'] += frame.end - frame.offset;
      }
    }
    byFile.set(file, sum);
    liveBytes += sum.live;
    deadBytes += sum.dead;
  }
  const files = [...byFile]
    .map(([file, sum]) => ({ file, ...sum }))
    .filter(({ file, live, dead }) => {
      const isOld = options.now - (times.get(file) ?? Infinity) > GRACE_MS;
      return isOld && dead > 0 && dead >= MOSTLY * (live + dead);
    });
  return {
    deadSessions: needed.deadSessions.size,
    deadSnapshots: needed.deadSnapshots,
    liveBytes,
    deadBytes,
    goingBytes: files.reduce((sum, { dead }) => sum + dead, 0),
    files,
    offered: sessionsToOffer(index.sessions(), options.offerAfterDays ?? Infinity, options.now),
  };
}

async function timesOf(packs: PackFolder): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>();
  for (const file of closedFiles(packs).keys()) {
    const found = await stat(join(packs.path, file)).catch(() => undefined);
    if (found) times.set(file, found.mtimeMs);
  }
  return times;
}

const refuse = (problem: Problem): never => {
  throw damaged(problem);
};
