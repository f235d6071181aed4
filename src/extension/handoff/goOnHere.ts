import { stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { ApplyPlan, ApplyReport } from '../../core/apply/types.js';
import { isImported } from '../../core/model/ids.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { uriPath } from '../../core/restore/places.js';
import { agentName } from '../../core/thread/names.js';
import { readCall, sessionTargetSchema } from '../commands/call.js';
import type { CommandContext, Run } from '../commands/context.js';
import { continueThreadIn } from '../commands/continueIn.js';
import { pickAgent } from '../commands/pickAgent.js';
import { requireTrust, targetSession } from '../commands/target.js';
import { restoreSnapshot } from '../restore/restore.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { joined, momentWords, promptCount } from '../views/words.js';
import { askAndApply, sayApplied } from './applyChanges.js';
import { openUnresolved } from './mergeInEditor.js';

/** Goes on with a session that came from elsewhere: its changes, then its editors, then its conversations. */
export const goOnHere: Run<undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, sessionTargetSchema);
  const session = await targetSession(context, call);
  const report = await askAndApply(context, session.id);
  if (report === undefined) return undefined;
  await openEditors(context, session.id, report);
  if (report.undo !== undefined) await openUnresolved(report.plan);
  if (report.undo !== undefined) void context.errors.run(() => sayApplied(report));
  await continueThreads(context, session.id, report.plan);
  return undefined;
};

/** Opens what was open, and closes nothing. */
async function openEditors(
  { sessions, lastRestore }: CommandContext,
  sessionId: string,
  { plan }: ApplyReport,
): Promise<void> {
  const snapshots = await (await sessions.engine()).listSnapshots(sessionId);
  const newest = snapshots.find(({ reason }) => reason !== 'beforeRestore');
  const snapshotId = plan.snapshotId ?? newest?.id;
  if (snapshotId === undefined) return sessions.switchTo(sessionId);
  const request = { snapshotId, scope: 'editors', addsOnly: true } as const;
  lastRestore.remember(await restoreSnapshot(sessions, request));
}

interface ThreadItem extends vscode.QuickPickItem {
  readonly thread: ThreadSummary;
}

/** Lets the person choose which conversations go on, and for each of them the agent. */
async function continueThreads(
  context: CommandContext,
  sessionId: string,
  plan: ApplyPlan,
): Promise<void> {
  const engine = await context.sessions.engine();
  const all = (await engine.listThreads(sessionId)).filter(({ parent }) => !parent);
  // What was said here meanwhile may have joined the session; it goes on as it always does.
  const came = all.filter(({ nativeId }) => isImported(nativeId));
  const threads = came.length > 0 ? came : all;
  if (threads.length === 0) return;
  const chosen = threads.length === 1 ? threads : await pickThreads(threads);
  for (const [at, thread] of (chosen ?? []).entries()) {
    const many = threads.length === 1 ? undefined : { at: at + 1, of: chosen?.length ?? 0 };
    const choice = await pickAgent(thread, many);
    if (choice === undefined) return;
    const folder = await folderFor(thread, plan);
    await continueThreadIn(context, thread, { ...choice, folder });
  }
}

async function pickThreads(
  threads: readonly ThreadSummary[],
): Promise<readonly ThreadSummary[] | undefined> {
  const now = Date.now();
  const items = threads.map((thread, at): ThreadItem => ({
    thread,
    picked: at === 0,
    label: escapeIcons(plain(thread.title, 80)) || vscode.l10n.t('Untitled conversation'),
    description: escapeIcons(
      joined(
        agentName(thread.agent),
        promptCount(thread.turns),
        thread.lastAt === undefined ? undefined : momentWords(thread.lastAt, now),
      ),
    ),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    canPickMany: true,
    title: vscode.l10n.t('Continue conversations'),
    placeHolder: vscode.l10n.t('Choose those that go on; then an agent for each'),
  });
  return picked?.map(({ thread }) => thread);
}

/**
 * Where a conversation goes on here. Its own folder is one of the sender's machine: it leads to the folder that its
 * repository was found in, never to whatever has the same path here.
 */
async function folderFor(
  { cwd }: ThreadSummary,
  { repositories }: ApplyPlan,
): Promise<string | undefined> {
  const own = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  for (const { root, folder } of repositories) {
    const from = uriPath(root).replace(/\/+$/, '');
    const whole = (cwd ?? '').replaceAll('\\', '/');
    if (folder === undefined || !(whole === from || whole.startsWith(`${from}/`))) continue;
    const rest = whole
      .slice(from.length)
      .split('/')
      .filter((name) => name !== '');
    const below = path.join(folder, ...rest);
    const isHere = !rest.includes('..') && (await isFolder(below));
    return isHere ? below : folder;
  }
  return own;
}

const isFolder = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
