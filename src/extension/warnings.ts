import * as vscode from 'vscode';
import type { BuildProgress, Problem } from '../core/engine.js';
import { Command } from './ids.js';
import { bytesWords } from './views/words.js';

/** Tells a person what should not wait in the log; of one kind no more while a message of it is still there. */
export class Warnings {
  private readonly shown = new Set<Problem['kind']>();

  tell({ kind }: Problem): void {
    if (kind === undefined || this.shown.has(kind)) return;
    this.shown.add(kind);
    const answered = kind === 'quota' ? warnOfQuota() : warnOfDamage();
    void answered.finally(() => this.shown.delete(kind));
  }
}

export async function warnOfQuota(): Promise<void> {
  const stored = vscode.l10n.t('Show what is stored');
  const going = vscode.l10n.t('See what would go');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'What Keepthread stores of this project has nearly reached the size that you allow. Nothing is removed for that.',
    ),
    stored,
    going,
  );
  if (choice === stored) await vscode.commands.executeCommand(Command.showStatistics);
  if (choice === going) await vscode.commands.executeCommand(Command.previewCleanup);
}

export async function warnOfDamage(): Promise<void> {
  const back = vscode.l10n.t('Bring it back from the backup');
  const log = vscode.l10n.t('Show log');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t(
      'Something that was saved is damaged and could not be read. The rest is here, and nothing was removed.',
    ),
    back,
    log,
  );
  if (choice === back) await vscode.commands.executeCommand(Command.bringBack);
  if (choice === log) await vscode.commands.executeCommand(Command.showLog);
}

/** Shows that the list is being made again, for as long as it takes, with a way to stop. */
export class BuildingNotice {
  private progress: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  private end: (() => void) | undefined;
  private percent = 0;

  constructor(private readonly stop: () => void) {}

  show(state: BuildProgress | undefined): void {
    if (state === undefined) {
      this.end?.();
      this.progress = undefined;
      return;
    }
    if (!this.progress) this.begin();
    const percent = state.total === 0 ? 0 : Math.floor((state.done / state.total) * 100);
    this.progress?.report({
      increment: percent - this.percent,
      message: vscode.l10n.t('{0} of {1}', bytesWords(state.done), bytesWords(state.total)),
    });
    this.percent = percent;
  }

  private begin(): void {
    this.percent = 0;
    void vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Reading what was saved'),
        cancellable: true,
      },
      (progress, token) => {
        this.progress = progress;
        token.onCancellationRequested(this.stop);
        return new Promise<void>((resolve) => (this.end = resolve));
      },
    );
  }
}
