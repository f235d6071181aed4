import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { RestorePlan, RestoreStep } from '../../core/restore/types.js';
import type { CommandContext } from '../commands/context.js';
import { askAndLoad, sayReport } from '../commands/loadAsking.js';
import { counted } from '../commands/loadSnapshot.js';
import { Setting } from '../ids.js';
import { readSetting } from '../settings.js';
import { previewRestore, restoreSnapshot } from './restore.js';

/** VS Code brings its terminals back for some time after it has started us, in milliseconds. */
const settling = 2000;

/** Steps that somebody would miss; order, layout and focus alone are not worth a question. */
const worthAsking: ReadonlySet<RestoreStep['kind']> = new Set([
  'open',
  'draft',
  'pin',
  'terminal',
  'breakpoint',
]);

/**
 * Brings the window back to the last state of its session where VS Code itself did not. Adds only:
 * what VS Code remembers beyond the snapshot may be newer. Asks nothing when nothing is missing.
 */
export async function comeBack(context: CommandContext): Promise<void> {
  const choice = readSetting(Setting.restoreOnOpen);
  if (choice === 'never') return;
  const plan = await missing(context);
  if (plan === undefined) return;
  if (choice === 'always') return bringBack(context, plan);
  const restore = vscode.l10n.t('Restore');
  const show = vscode.l10n.t('Show what changes');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('Keepthread can bring back what was open here.'),
    restore,
    show,
    vscode.l10n.t('Not now'),
  );
  if (answer === restore) await bringBack(context, plan);
  if (answer === show) await askAndLoad(context, plan);
}

/** The plan for what is missing, or undefined when nothing is. */
async function missing({ sessions }: CommandContext): Promise<RestorePlan | undefined> {
  const engine = await sessions.engine();
  const sessionId = sessions.activeSessionId;
  if (sessionId === undefined) return undefined;
  // A restore that never ended left the state before it as the newest: that is not what was worked on.
  const snapshots = await engine.listSnapshots(sessionId);
  const last = snapshots.find(({ reason }) => reason !== 'beforeRestore');
  if (last === undefined) return undefined;
  const look = async (): Promise<RestorePlan | undefined> => {
    const request = { snapshotId: last.id, scope: 'all', addsOnly: true } as const;
    const plan = await previewRestore(sessions, request);
    return plan.steps.some(({ kind }) => worthAsking.has(kind)) ? plan : undefined;
  };
  if ((await look()) === undefined) return undefined;
  await wait(settling);
  return look();
}

async function bringBack(context: CommandContext, plan: RestorePlan): Promise<void> {
  const { sessions } = context;
  const report = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Restoring') },
    () => counted(context, () => restoreSnapshot(sessions, { ...plan, addsOnly: true })),
  );
  // Nothing waits until a person has read it.
  void context.errors.run(() => sayReport(context, report));
}
