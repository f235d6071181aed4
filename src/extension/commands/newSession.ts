import * as vscode from 'vscode';
import { z } from 'zod';
import type { SessionSummary } from '../../core/model/session.js';
import { readCall } from './call.js';
import type { Run } from './context.js';
import { requireTrust } from './target.js';

const optionsSchema = z.object({
  title: z.string().optional(),
  goal: z.string().optional(),
  tags: z.array(z.string()).optional(),
});

/** Begins a session with the window as it is; the one before is paused. */
export const newSession: Run<SessionSummary> = async ({ sessions }, args) => {
  requireTrust();
  const call = readCall(args, optionsSchema);
  const set = call.from === 'program' ? call.options : { title: await askTitle() };
  const title = set.title?.trim();
  const session = await sessions.create({ ...set, title: title === '' ? undefined : title });
  await sessions.save({ reason: 'start' });
  return session;
};

async function askTitle(): Promise<string> {
  const title = await vscode.window.showInputBox({
    title: vscode.l10n.t('New session'),
    prompt: vscode.l10n.t('What is it about? Enter alone lets Keepthread name it'),
  });
  if (title === undefined) throw new vscode.CancellationError();
  return title;
}
