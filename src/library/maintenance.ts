import { stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OpenRequest, Problem } from '../core/engine.js';
import { isExpected, messageOf } from '../core/errors.js';
import { automaticBackups, backUp } from '../vault/backup.js';
import { quotaState } from '../core/retention.js';
import { sizeOfVault } from '../vault/stats.js';
import { tellAgain, toldOnce } from '../vault/told.js';
import { collectProject, sealProject } from '../vault/maintain.js';
import type { Project } from './openProject.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** When what is looked after. */
export interface Rhythm {
  /** After the window opened, in milliseconds: its start comes first. */
  readonly firstMs: number;
  /** Time between backups, if something was saved, in milliseconds. */
  readonly backupMs: number;
  /** Saves after which a backup does not wait for its time. */
  readonly backupSaves: number;
}

export const usualRhythm: Rhythm = { firstMs: MINUTE, backupMs: 15 * MINUTE, backupSaves: 20 };

/** Between two times of tidying up one project, whichever window does it. */
const TIDY_MS = { seal: DAY, collect: 7 * DAY } as const;

export interface MaintenanceOptions {
  /** Root of all vaults. */
  readonly store: string;
  /** The projects' folders. */
  readonly folders: readonly string[];
  readonly wasm: string;
  readonly backups: boolean;
  /** Absent: none. */
  readonly quotaBytes: number | undefined;
  readonly rhythm: Rhythm;
  readonly onProblem: (problem: Problem) => void;
}

/**
 * Looks after a window's vaults while it is open: backs the store up, seals packs, and collects what is not
 * needed, in this order, so that what goes is in a backup for a week. Other windows do so too; who finds another
 * one at work leaves it to that.
 */
export class Maintenance {
  private timer: NodeJS.Timeout | undefined;
  private readonly stopping = new AbortController();
  private working: Promise<void> = Promise.resolve();
  private saves = 0;
  /** Whether something was saved that no backup of this window holds; what was there before is unknown. */
  private changed = true;

  constructor(private readonly options: MaintenanceOptions) {
    this.again(options.rhythm.firstMs);
  }

  /** Something was saved. */
  saved(): void {
    this.changed = true;
    this.saves += 1;
    if (this.saves === this.options.rhythm.backupSaves) this.again(0);
  }

  /** Stops at the next step; what was begun is completed by another window. */
  async close(): Promise<void> {
    clearTimeout(this.timer);
    this.stopping.abort();
    await this.working;
  }

  private isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private again(afterMs: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.working = this.working.then(() => this.work());
    }, afterMs);
    this.timer.unref();
  }

  private async work(): Promise<void> {
    await this.attempt('backups', () => this.backUp());
    for (const folder of this.options.folders) {
      await this.attempt(folder, () => this.tidy(folder));
      await this.attempt(folder, () => this.checkQuota(folder));
    }
    if (!this.isStopping()) this.again(this.options.rhythm.backupMs);
  }

  private async backUp(): Promise<void> {
    const { store, backups } = this.options;
    if (!backups || !this.changed) return;
    this.changed = false;
    this.saves = 0;
    try {
      const to = automaticBackups(store);
      const { signal } = this.stopping;
      const report = await backUp({ store, to, now: Date.now(), rotate: true, signal });
      for (const problem of report.problems) this.options.onProblem(problem);
    } catch (error) {
      this.changed = true;
      throw error;
    }
  }

  private async tidy(folder: string): Promise<void> {
    // Nothing was saved yet.
    if (!(await stat(join(folder, 'packs')).catch(() => undefined))) return;
    const now = Date.now();
    const patience = { waitMs: 0, signal: this.stopping.signal };
    if (await isDue(join(folder, 'sealed.stamp'), TIDY_MS.seal)) {
      const report = await sealProject(folder, now, patience);
      for (const problem of report?.problems ?? []) this.options.onProblem(problem);
    }
    if (await isDue(join(folder, 'collected.stamp'), TIDY_MS.collect)) {
      const { wasm } = this.options;
      await collectProject({ folder, wasm, now, dryRun: false }, patience);
    }
  }

  private async checkQuota(folder: string): Promise<void> {
    const { quotaBytes, onProblem } = this.options;
    const state =
      quotaBytes === undefined ? 'fits' : quotaState(await sizeOfVault(folder), quotaBytes);
    const problem = state === 'fits' ? undefined : quotaProblem(folder, state);
    await tellAgain(folder, 'quota', problem);
    if (problem) onProblem(await toldOnce(folder, problem));
  }

  private async attempt(where: string, action: () => Promise<void>): Promise<void> {
    if (this.isStopping()) return;
    try {
      await action();
    } catch (error) {
      if (this.isStopping() || isExpected(error, 'locked')) return;
      this.options.onProblem({ where, message: messageOf(error) });
    }
  }
}

const quotaProblem = (where: string, state: 'nearlyFull' | 'full'): Problem => ({
  where,
  message:
    state === 'full'
      ? 'It is larger than the settings allow. Nothing is removed for that: delete sessions, or allow more.'
      : 'It has nearly the size that the settings allow. Nothing is removed for that.',
  kind: 'quota',
});

/** A command that is gone in a moment leaves it to the windows, and so does one that may not write. */
export function maintain(
  { store: root, settings, trusted }: OpenRequest,
  { store, vaultFolders }: Pick<Project, 'store' | 'vaultFolders'>,
  options: Pick<MaintenanceOptions, 'wasm' | 'rhythm' | 'onProblem'>,
): Maintenance | undefined {
  if (settings.pollMs === 0 || !trusted || store.readOnly) return undefined;
  return new Maintenance({
    ...options,
    store: root,
    folders: vaultFolders,
    backups: settings.backups ?? true,
    quotaBytes: settings.quotaBytes,
  });
}

/**
 * Whether something was not done for so long. It then counts as done: a vault that cannot be tidied up, because
 * it is damaged, is not read again and again. The first time is due after one whole while.
 */
async function isDue(stamp: string, everyMs: number): Promise<boolean> {
  const now = new Date();
  const last = await stat(stamp).catch(() => undefined);
  if (!last) {
    await writeFile(stamp, '', { mode: 0o600 });
    return false;
  }
  const age = now.getTime() - last.mtimeMs;
  if (age >= 0 && age < everyMs) return false;
  await utimes(stamp, now, now);
  return true;
}
