import * as vscode from 'vscode';
import { ExpectedError } from '../../core/errors.js';
import type { SessionSummary } from '../../core/model/session.js';
import type { RestorePlan, RestoreReport } from '../../core/restore/types.js';
import type { LoadOptions, SavedAt } from '../ids.js';
import { Command } from '../ids.js';
import { previewRestore } from '../restore/restore.js';
import type { CommandContext } from './context.js';
import { loadSnapshot } from './loadSnapshot.js';
import { pickScope } from './pickScope.js';
import { pickSnapshot } from './pickSnapshot.js';
import { reportDocument, summaryWords } from './restoreWords.js';

interface Step {
  readonly at: number;
  readonly of: number;
}

/** Lets a person choose one of a session's snapshots, and loads it. "back" only from a `step`. */
export async function askSnapshotAndLoad(
  context: CommandContext,
  session: SessionSummary,
  step?: Step,
): Promise<RestoreReport | 'back' | undefined> {
  const snapshots = await (await context.sessions.engine()).listSnapshots(session.id);
  if (snapshots.length === 0) {
    throw new ExpectedError('snapshotMissing', 'This session has no snapshot yet.');
  }
  for (;;) {
    const snapshot = await pickSnapshot(session, snapshots, step);
    if (snapshot === undefined || snapshot === 'back') return snapshot;
    const target = { sessionId: session.id, snapshotId: snapshot.id };
    const loaded = await askAndLoad(context, target, step && { at: step.at + 1, of: step.of });
    if (loaded !== 'back') return loaded;
  }
}

/** Shows what a restore would do; runs it when a person says so, and says what it did. */
export async function askAndLoad(
  context: CommandContext,
  { sessionId, snapshotId }: SavedAt,
  step?: Step,
): Promise<RestoreReport | 'back' | undefined> {
  const plan = await previewRestore(context.sessions, { snapshotId, scope: 'all' });
  if (plan.steps.length === 0) {
    await context.sessions.switchTo(sessionId);
    void vscode.window.showInformationMessage(
      vscode.l10n.t('The window already looks like this snapshot.'),
    );
    return undefined;
  }
  const apply = await pickScope(plan, await editorsPlan(context, snapshotId), step);
  if (apply === undefined || apply === 'back') return apply;
  const report = await loadWithProgress(context, { sessionId, snapshotId, apply });
  void context.errors.run(() => sayReport(context, report));
  return report;
}

const editorsPlan = (context: CommandContext, snapshotId: string): Promise<RestorePlan> =>
  previewRestore(context.sessions, { snapshotId, scope: 'editors' });

/** Loads with progress and a way to stop. */
const loadWithProgress = (context: CommandContext, options: LoadOptions): Promise<RestoreReport> =>
  Promise.resolve(
    vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: vscode.l10n.t('Restoring'),
        cancellable: true,
      },
      (progress, token) => loadSnapshot(context, options, { progress, token }),
    ),
  );

/** A short message with the way on to the agents, to the details and back. */
export async function sayReport(context: CommandContext, report: RestoreReport): Promise<void> {
  const goOn = vscode.l10n.t('Continue with an agent');
  const details = vscode.l10n.t('Show details');
  const undo = vscode.l10n.t('Undo');
  const at = Date.now();
  const threads = await (await context.sessions.engine()).listThreads(report.sessionId);
  const choices = [
    ...(threads.length > 0 && vscode.workspace.isTrusted ? [goOn] : []),
    details,
    ...(report.undoSnapshotId === undefined ? [] : [undo]),
  ];
  const choice = await vscode.window.showInformationMessage(summaryWords(report), ...choices);
  if (choice === goOn) {
    await vscode.commands.executeCommand(Command.continueWork, { sessionId: report.sessionId });
  }
  if (choice === undo) await vscode.commands.executeCommand(Command.undoRestore);
  if (choice === details) {
    await context.reports.show(vscode.l10n.t('Restore report'), reportDocument(report, at));
  }
}
