import { dirname } from 'node:path';
import type { ForgetCounts, Forgotten } from '../core/forgetting.js';
import { automaticBackups } from '../vault/backup.js';
import { readManifests } from '../vault/backupManifest.js';
import type { ForgetReport } from '../vault/forget.js';
import { forgetInBackups, previewForget } from '../vault/forget.js';
import { forgetInProject } from '../vault/maintain.js';
import { holdsOne, needlesFor } from '../vault/needles.js';
import { projectFile, readProjects } from '../vault/projectFile.js';
import { dropHeads } from './keptHeads.js';
import { dropView, viewsOf } from './views.js';

/** So long another process that tidies up is waited for, in milliseconds. */
const PATIENCE_MS = 60_000;

export interface StoreForgetOptions {
  readonly store: string;
  readonly wasm: string;
  /** Backups' folders, besides the store's own. */
  readonly backups?: readonly string[];
  /** Windows' folders, besides all of VS Code's. */
  readonly views?: readonly string[];
}

export interface StoreForgetReport {
  readonly projects: readonly ({ readonly key: string } & ForgetReport)[];
  /** Folders of backups that were cleaned. */
  readonly backups: readonly string[];
  /** Files of windows' lists that were dropped. */
  readonly views: number;
}

/**
 * Takes something out of a whole store: every project's vault, the backups, and the lists that windows keep, which
 * are made again. What agents keep in their own files stays theirs.
 *
 * @throws ExpectedError as `forget`, and `locked`
 */
export async function forgetInStore(
  what: Forgotten,
  { store, wasm, backups: given = [], views: more = [] }: StoreForgetOptions,
): Promise<StoreForgetReport> {
  const projects: StoreForgetReport['projects'][number][] = [];
  // One after the other: each may take the memory and the disk of a whole vault.
  for (const { key } of await readProjects(store)) {
    const folder = dirname(projectFile(store, key));
    const report = await forgetInProject(what, folder, wasm, { waitMs: PATIENCE_MS });
    projects.push({ key, ...report });
  }
  const backups = [...(await usedBackups(store)), ...given];
  for (const folder of backups) await forgetInBackups(store, folder, Date.now());
  const needles = needlesFor('text' in what ? what.text : what.session);
  let views = 0;
  for (const view of [...(await viewsOf(store)), ...more]) {
    views += await dropView(view, (bytes) => holdsOne(bytes, needles));
  }
  await dropHeads(store);
  return { projects, backups, views };
}

/** Counts what {@link forgetInStore} would change. Only reads. */
export async function previewForgetInStore(
  what: Forgotten,
  { store, wasm }: Pick<StoreForgetOptions, 'store' | 'wasm'>,
): Promise<ForgetCounts> {
  const counts = { removed: 0, masked: 0, projects: 0 };
  for (const { key } of await readProjects(store)) {
    const preview = await previewForget(what, { folder: dirname(projectFile(store, key)), wasm });
    counts.removed += preview.removed;
    counts.masked += preview.masked;
    if (preview.removed + preview.masked > 0) counts.projects += 1;
  }
  return { ...counts, backups: (await usedBackups(store)).length };
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

async function usedBackups(store: string): Promise<readonly string[]> {
  const own = automaticBackups(store);
  return (await readManifests(own)).length > 0 ? [own] : [];
}
