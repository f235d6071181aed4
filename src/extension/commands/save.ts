import * as vscode from 'vscode';
import { z } from 'zod';
import type { SavedAt, SaveOptions } from '../ids.js';
import { Command } from '../ids.js';
import { readCall } from './call.js';
import type { CommandContext, Run } from './context.js';
import { requireTrust } from './target.js';

/** How long the window says that it saved. */
const SAID_MS = 4000;

const optionsSchema: z.ZodType<SaveOptions> = z.object({ label: z.string().optional() });

export const save: Run<SavedAt> = async (context, args) => {
  requireTrust();
  const call = readCall(args, optionsSchema);
  if (call.from === 'program') return saveSnapshot(context, call.options);
  const label = await vscode.window.showInputBox({
    title: vscode.l10n.t('Save snapshot'),
    prompt: vscode.l10n.t('A label to find it by, or Enter for none'),
  });
  if (label === undefined) throw new vscode.CancellationError();
  const saved = await saveSnapshot(context, { label });
  vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('Snapshot saved')}`, SAID_MS);
  return saved;
};

export async function saveSnapshot(
  { sessions, log }: Pick<CommandContext, 'sessions' | 'log'>,
  options: SaveOptions = {},
): Promise<SavedAt> {
  const label = options.label?.trim();
  const result = await sessions.save({ reason: 'manual', label: label === '' ? undefined : label });
  for (const problem of result.problems) log.warn(`${problem.where}: ${problem.message}`);
  if (result.problems.length > 0) void sayProblems(result.problems.length);
  return { sessionId: result.sessionId, snapshotId: result.snapshotId };
}

async function sayProblems(count: number): Promise<void> {
  const showLog = vscode.l10n.t('Show log');
  const message =
    count === 1
      ? vscode.l10n.t('Saved, but one thing could not be kept. The log says what and why.')
      : vscode.l10n.t('Saved, but {0} things could not be kept. The log says what and why.', count);
  const choice = await vscode.window.showWarningMessage(message, showLog);
  if (choice === showLog) await vscode.commands.executeCommand(Command.showLog);
}
