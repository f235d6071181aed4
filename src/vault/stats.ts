import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Problem } from '../core/engine.js';
import { clockTime } from '../core/clock.js';
import { percentile } from '../core/metrics.js';
import type { Amount, ProjectStats, StoreStats } from '../core/statistics.js';
import { automaticBackups } from './backup.js';
import { readManifests } from './backupManifest.js';
import { readMetrics } from './metricsFile.js';
import { bytesOfVault, openView } from './openView.js';
import { PackFolder } from './packFolder.js';
import { projectFile, readProjects } from './projectFile.js';
import type { Watch } from './rewrite.js';
import { FrameType } from './types.js';

const kinds = new Map<number, string>(
  Object.entries(FrameType).map(([name, number]) => [number, name]),
);

export interface StatsOptions {
  /** Key of the only project that is counted; absent: all. */
  readonly only?: string;
  readonly signal?: AbortSignal;
  /** In bytes. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Counts what is in a store, or in one project of it; reads all of that.
 *
 * @param wasm bytes of sql.js's `sql-wasm.wasm`, or its path
 * @throws Error of the file system when the store cannot be looked into; the signal's reason
 */
export async function storeStats(
  store: string,
  wasm: Uint8Array | string,
  { only, signal, onProgress }: StatsOptions = {},
): Promise<StoreStats> {
  const keys = (await readProjects(store))
    .map(({ key }) => key)
    .filter((key) => only === undefined || key === only);
  const folderOf = (key: string): string => dirname(projectFile(store, key));
  let total = 0;
  for (const key of onProgress ? keys : []) total += 2 * (await bytesOfVault(folderOf(key)));
  let done = 0;
  const onBytes = (bytes: number): void => {
    done += bytes;
    onProgress?.(Math.min(done, total), total);
  };
  const projects: ProjectStats[] = [];
  for (const key of keys) {
    projects.push(await projectStats(key, folderOf(key), wasm, { signal, onBytes }));
  }
  const [newest] = await readManifests(automaticBackups(store));
  return { projects, lastBackup: newest?.manifest.at };
}

/**
 * Counts what is in a project's vault; reads all of it.
 *
 * @param folder the project's folder, `<store>/projects/<project key>`
 * @param wasm bytes of sql.js's `sql-wasm.wasm`, or its path
 */
export async function projectStats(
  key: string,
  folder: string,
  wasm: Uint8Array | string,
  watch: Watch = {},
): Promise<ProjectStats> {
  const problems: Problem[] = [];
  const report = (problem: Problem): number => problems.push(problem);
  const packs = new PackFolder(join(folder, 'packs'));
  await packs.look(report);
  const frames = new Tally();
  const growth = new Tally();
  for (const pack of packs.names) {
    for await (const frame of packs.frames(pack, 0, report)) {
      watch.signal?.throwIfAborted();
      const bytes = frame.end - frame.offset;
      watch.onBytes?.(bytes);
      frames.add(kinds.get(frame.type) ?? 'unknown', bytes);
      growth.add(new Date(clockTime(frame.clock)).toISOString().slice(0, 10), bytes);
    }
  }
  const { index, close } = await openView(folder, wasm, watch);
  const sessions = index.sessions();
  const threads = new Set(
    [null, ...sessions.map(({ id }) => id)].flatMap((id) => index.threads(id).map((t) => t.id)),
  );
  await close();
  const metrics = await readMetrics(folder);
  const { ok, failed } = metrics.saves;
  return {
    key,
    files: await filesOf(packs),
    frames: frames.all(),
    sessions: sessions.length,
    threads: threads.size,
    snapshots: sessions.reduce((sum, { snapshots }) => sum + snapshots, 0),
    snapshotsBySession: sessions.map(({ id, title, snapshots }) => ({ id, title, snapshots })),
    growth: Object.entries(growth.all())
      .map(([day, { bytes }]) => ({ day, bytes }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    saves: { ok, failed, p50: percentile(metrics, 0.5), p99: percentile(metrics, 0.99) },
    restores: metrics.restores,
    problems,
  };
}

async function filesOf(packs: PackFolder): Promise<ProjectStats['files']> {
  const tally = new Tally(['open', 'closed', 'sealed']);
  const counted = new Set<string>();
  for (const pack of packs.names) {
    const place = packs.place(pack);
    if (!place || counted.has(place.path)) continue;
    counted.add(place.path);
    tally.add(place.kind, await stat(place.path).then(({ size }) => size));
  }
  const { open, closed, sealed } = tally.all();
  const none = { count: 0, bytes: 0 };
  return { open: open ?? none, closed: closed ?? none, sealed: sealed ?? none };
}

/** Bytes of a project's files that count. */
export async function sizeOfVault(folder: string): Promise<number> {
  const packs = new PackFolder(join(folder, 'packs'));
  await packs.look(() => undefined);
  const files = Object.values(await filesOf(packs));
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}

class Tally {
  private readonly amounts: Map<string, { count: number; bytes: number }>;

  constructor(names: readonly string[] = []) {
    this.amounts = new Map(names.map((name) => [name, { count: 0, bytes: 0 }]));
  }

  add(name: string, bytes: number): void {
    const amount = this.amounts.get(name) ?? { count: 0, bytes: 0 };
    this.amounts.set(name, amount);
    amount.count += 1;
    amount.bytes += bytes;
  }

  all(): Record<string, Amount> {
    return Object.fromEntries(this.amounts);
  }
}
