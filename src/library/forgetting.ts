import { dirname } from 'node:path';
import { ExpectedError } from '../core/errors.js';
import type { ForgetCounts, Forgotten } from '../core/forgetting.js';
import { automaticBackups } from '../vault/backup.js';
import { readManifests } from '../vault/backupManifest.js';
import type { ForgetReport } from '../vault/forget.js';
import { forgetInBackups, Forgetting, previewForget } from '../vault/forget.js';
import { diskIo } from '../vault/io.js';
import { underLocks } from '../vault/maintain.js';
import { holdsOne, needlesFor } from '../vault/needles.js';
import { bytesOfVault, openView } from '../vault/openView.js';
import { projectFile, readProjects } from '../vault/projectFile.js';
import type { Watch } from '../vault/rewrite.js';
import type { JobControl } from './jobs.js';
import { dropExpectedChats } from './expectedChats.js';
import { dropCounts } from './keptCounts.js';
import { dropHeads } from './keptHeads.js';
import { dropView, viewsOf } from './views.js';

/** So long another process that tidies up is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

export interface StoreForgetOptions extends Partial<JobControl> {
  readonly store: string;
  readonly wasm: string;
  /** Backups' folders, besides the store's own. */
  readonly backups?: readonly string[];
  /** Windows' folders, besides all of VS Code's. */
  readonly views?: readonly string[];
}

type ProjectReport = { readonly key: string } & ForgetReport;

export interface StoreForgetReport {
  readonly projects: readonly ProjectReport[];
  /** Folders of backups that were cleaned. */
  readonly backups: readonly string[];
  /** Files of windows' lists that were dropped. */
  readonly views: number;
}

/**
 * Takes something out of a whole store: every project's vault, the backups, and the lists that windows keep, which
 * are made again. What agents keep in their own files stays theirs.
 *
 * It can be stopped until everything was read; nothing has changed then. What comes afterwards is done as a whole.
 *
 * @throws ExpectedError as `Forgetting`, and `locked`; the signal's reason
 */
export async function forgetInStore(
  what: Forgotten,
  options: StoreForgetOptions,
): Promise<StoreForgetReport> {
  const { store, wasm, signal, backups: given = [], views: more = [] } = options;
  const all = await projectsIn(store);
  // It is read to be changed, and once more to be sure, each time with and without what is to be known of it.
  const onBytes = await progressOver(all, 5, options);
  const folders = all.map(({ folder }) => folder);
  const patience = { waitMs: PATIENCE_MS, signal };
  const { projects, names } = await underLocks(folders, patience, async (stop) => {
    const { whole, names } = await lookFor(what, all, wasm, { signal: stop, onBytes });
    const works = all.map(({ key, folder }) => ({
      key,
      forgetting: new Forgetting(whole, { folder, wasm, io: diskIo }),
    }));
    const reports: ProjectReport[] = [];
    try {
      for (const { forgetting } of works) await forgetting.stage({ signal: stop, onBytes });
      for (const { key, forgetting } of works) {
        reports.push({ key, ...(await forgetting.complete({ onBytes })) });
      }
      return { projects: reports, names };
    } catch (error) {
      for (const { forgetting } of works) await forgetting.discard();
      throw error;
    }
  });
  const backups = [...(await usedBackups(store)), ...given];
  for (const folder of backups) await forgetInBackups(store, folder, Date.now());
  const needles = names.flatMap(needlesFor);
  let views = 0;
  for (const view of [...(await viewsOf(store)), ...more]) {
    views += await dropView(view, (bytes) => holdsOne(bytes, needles));
  }
  await dropHeads(store);
  await dropCounts(store);
  await dropExpectedChats(store);
  return { projects, backups, views };
}

/** Counts what {@link forgetInStore} would change. Only reads. */
export async function previewForgetInStore(
  what: Forgotten,
  options: Pick<StoreForgetOptions, 'store' | 'wasm' | keyof JobControl>,
): Promise<ForgetCounts> {
  const { store, wasm, signal } = options;
  const all = await projectsIn(store);
  const onBytes = await progressOver(all, 3, options);
  const { whole } = await lookFor(what, all, wasm, { signal, onBytes });
  const counts = { removed: 0, masked: 0, projects: 0 };
  for (const { folder } of all) {
    const preview = await previewForget(whole, { folder, wasm }, { signal, onBytes });
    counts.removed += preview.removed;
    counts.masked += preview.masked;
    if (preview.removed + preview.masked > 0) counts.projects += 1;
  }
  return { ...counts, backups: (await usedBackups(store)).length };
}

/** What is to be forgotten of all projects. */
interface Everywhere {
  readonly whole: Forgotten;
  /** Texts of which one is in every list that has to do with it. */
  readonly names: readonly string[];
}

/** @throws ExpectedError `threadMissing` */
async function lookFor(
  what: Forgotten,
  projects: readonly { readonly folder: string }[],
  wasm: string,
  watch: Watch,
): Promise<Everywhere> {
  if ('text' in what) return { whole: what, names: [what.text] };
  if ('session' in what) {
    return { whole: await withThreads(what, projects, wasm, watch), names: [what.session] };
  }
  const sessions = new Set<string>();
  let isKnown = false;
  for (const { folder } of projects) {
    const { index, close } = await openView(folder, wasm, watch);
    isKnown ||=
      index.thread(what.thread) !== undefined || index.forgottenThreads().has(what.thread);
    for (const session of index.sessionsOf(what.thread)) sessions.add(session);
    await close();
  }
  if (!isKnown) {
    throw new ExpectedError('threadMissing', 'There is no conversation {0}.', [what.thread]);
  }
  return { whole: what, names: [what.thread, ...sessions] };
}

/** A session of a window of several projects has conversations in the vaults of others than its own. */
async function withThreads(
  what: Extract<Forgotten, { readonly session: string }>,
  projects: readonly { readonly folder: string }[],
  wasm: string,
  watch: Watch,
): Promise<Forgotten> {
  if (projects.length < 2) return what;
  const own = new Set<string>();
  const others = new Set<string>();
  for (const { folder } of projects) {
    const { index, close } = await openView(folder, wasm, watch);
    for (const thread of index.joined(what.session)) own.add(thread);
    for (const { id } of index.sessions().filter((session) => session.id !== what.session)) {
      for (const thread of index.joined(id)) others.add(thread);
    }
    await close();
  }
  return { ...what, threads: [...own].filter((thread) => !others.has(thread)) };
}

/** The same numbers of a report. */
export function countsOf({ projects, backups }: StoreForgetReport): ForgetCounts {
  const sum = (of: (project: ForgetReport) => number): number =>
    projects.reduce((total, project) => total + of(project), 0);
  return {
    removed: sum(({ removed }) => removed),
    masked: sum(({ masked }) => masked),
    projects: projects.filter(({ removed, masked }) => removed + masked > 0).length,
    backups: backups.length,
  };
}

const projectsIn = async (store: string) =>
  (await readProjects(store)).map(({ key }) => ({ key, folder: dirname(projectFile(store, key)) }));

/** Tells how much was read of what is read so many times. */
async function progressOver(
  projects: readonly { readonly folder: string }[],
  times: number,
  { onProgress }: Partial<JobControl>,
): Promise<(bytes: number) => void> {
  if (!onProgress) return () => undefined;
  let total = 0;
  for (const { folder } of projects) total += times * (await bytesOfVault(folder));
  let done = 0;
  return (bytes) => {
    done += bytes;
    onProgress(Math.min(done, total), total);
  };
}

async function usedBackups(store: string): Promise<readonly string[]> {
  const own = automaticBackups(store);
  return (await readManifests(own)).length > 0 ? [own] : [];
}
