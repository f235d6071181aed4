import * as vscode from 'vscode';
import type { SessionSummary } from '../../core/model/session.js';
import { sessionsToOffer } from '../../core/retention.js';
import { Command, Setting } from '../ids.js';
import { readSetting } from '../settings.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { fullMomentWords, joined, snapshotCount } from '../views/words.js';
import { readCall, sessionTargetSchema } from './call.js';
import type { CommandContext, Run } from './context.js';
import { sessionById, targetSession } from './target.js';

/** Leaves sessions out of the lists; nothing of them is removed. */
export const archive: Run<SessionSummary> = (context, args) => setArchived(context, args, true);
export const unarchive: Run<SessionSummary> = (context, args) => setArchived(context, args, false);

/** Lets a person choose which finished sessions are archived. */
export const reviewFinished: Run<undefined> = async (context) => {
  const days = readSetting(Setting.retentionDays);
  const all = await (await context.sessions.engine()).listSessions();
  const finished = sessionsToOffer(all, 0, Date.now());
  if (finished.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('There is no finished session to archive.'),
    );
    return undefined;
  }
  const old = new Set(days > 0 ? sessionsToOffer(all, days, Date.now()) : []);
  const picked = await vscode.window.showQuickPick(
    finished.map((session) => ({
      session,
      picked: old.has(session),
      label: escapeIcons(plain(session.title)) || vscode.l10n.t('Untitled session'),
      description: fullMomentWords(session.updatedAt),
      detail: escapeIcons(joined(plain(session.goal, 100), snapshotCount(session.snapshots))),
    })),
    {
      canPickMany: true,
      title: vscode.l10n.t('Archive finished sessions'),
      placeHolder: vscode.l10n.t('Archived sessions leave the list. Nothing of them is removed'),
    },
  );
  if (!picked || picked.length === 0) return undefined;
  await archiveAll(
    context,
    picked.map(({ session }) => session),
  );
  return undefined;
};

async function setArchived(
  context: CommandContext,
  args: readonly unknown[],
  archived: boolean,
): Promise<SessionSummary> {
  const call = readCall(args, sessionTargetSchema);
  const all = await (await context.sessions.engine()).listSessions();
  const targets =
    call.from === 'tree'
      ? call.selected
          .filter((node) => node.kind === 'session')
          .map(({ sessionId }) => sessionById(all, sessionId))
      : [await targetSession(context, call, (session) => (session.archived === true) !== archived)];
  const [first] = targets;
  if (!first) throw new vscode.CancellationError();
  if (archived && call.from !== 'program') await archiveAll(context, targets);
  else for (const { id } of targets) await context.sessions.update(id, { archived });
  const after = await (await context.sessions.engine()).listSessions();
  return sessionById(after, first.id);
}

async function archiveAll(
  context: CommandContext,
  targets: readonly SessionSummary[],
): Promise<void> {
  for (const { id } of targets) await context.sessions.update(id, { archived: true });
  void context.errors.run(() => sayArchived(context, targets));
}

async function sayArchived(
  { sessions }: CommandContext,
  targets: readonly SessionSummary[],
): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const show = vscode.l10n.t('Show archived');
  const [first] = targets;
  const message =
    targets.length === 1
      ? vscode.l10n.t('Archived "{0}".', plain(first?.title ?? '', 60))
      : vscode.l10n.t('Archived {0} sessions.', targets.length);
  const choice = await vscode.window.showInformationMessage(message, undo, show);
  if (choice === show) await vscode.commands.executeCommand(Command.showArchived);
  if (choice !== undo) return;
  for (const { id } of targets) await sessions.update(id, { archived: false });
}
