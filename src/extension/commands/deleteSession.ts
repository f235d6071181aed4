import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/model/session.js';
import { plain } from '../views/plainText.js';
import type { Call } from './call.js';
import { readCall, sessionTargetSchema } from './call.js';
import type { SessionTarget } from '../ids.js';
import type { CommandContext, Run } from './context.js';
import { sessionById, targetSession } from './target.js';

/**
 * Hides sessions; their records stay in the vault. Nothing is asked first, since it can be undone from
 * the message for as long as that is there (VS Code keeps it longer than 10 seconds).
 */
export const deleteSession: Run<SessionSummary> = async (context, args) => {
  const call = readCall(args, sessionTargetSchema);
  const targets = await sessionsOf(context, call);
  const activeBefore = context.sessions.activeSessionId;
  const deleted: SessionSummary[] = [];
  for (const { id } of targets) {
    deleted.push(await context.sessions.update(id, { deleted: true }));
  }
  if (call.from !== 'program') {
    void context.errors.run(() => offerUndo(context, targets, activeBefore));
  }
  const [first] = deleted;
  if (!first) throw new vscode.CancellationError();
  return first;
};

async function sessionsOf(
  context: CommandContext,
  call: Call<SessionTarget>,
): Promise<readonly SessionSummary[]> {
  if (call.from !== 'tree') return [await targetSession(context, call)];
  const all = await (await context.sessions.engine()).listSessions();
  return call.selected
    .filter((node) => node.kind === 'session')
    .map(({ sessionId }) => sessionById(all, sessionId));
}

async function offerUndo(
  { sessions }: CommandContext,
  targets: readonly SessionSummary[],
  activeBefore: string | undefined,
): Promise<void> {
  const [first] = targets;
  if (!first) return;
  const undo = vscode.l10n.t('Undo');
  const message =
    targets.length === 1
      ? vscode.l10n.t('Deleted "{0}".', plain(first.title, 60))
      : vscode.l10n.t('Deleted {0} sessions.', targets.length);
  if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
  for (const { id } of targets) await sessions.update(id, { deleted: false });
  const wasActive = targets.some(({ id }) => id === activeBefore);
  if (wasActive && sessions.activeSessionId === undefined) sessions.adopt(activeBefore);
}
