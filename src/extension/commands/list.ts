import * as vscode from 'vscode';
import { z } from 'zod';
import type { SessionSummary } from '../../core/model/session.js';
import type { Sessions } from '../sessions.js';
import { View } from '../ids.js';
import { readCall } from './call.js';
import type { CommandContext, Run } from './context.js';
import { askSnapshotAndLoad } from './loadAsking.js';
import { pickSession } from './pickSession.js';

/** Answers with the sessions; called by a person, it shows them too and lets one be loaded. */
export const list: Run<readonly SessionSummary[]> = async (context, args) => {
  const call = readCall(args, z.object({}));
  const sessions = await listSessions(context.sessions);
  // Not awaited: whoever called without arguments gets the rows at once, person or program.
  if (call.from !== 'program') void context.errors.run(() => showList(context, sessions));
  return sessions;
};

/** Newest first. */
export async function listSessions(sessions: Sessions): Promise<readonly SessionSummary[]> {
  const all = await (await sessions.engine()).listSessions();
  return all.toSorted((a, b) => b.updatedAt - a.updatedAt);
}

async function showList(
  context: CommandContext,
  sessions: readonly SessionSummary[],
): Promise<void> {
  const picked = await pickSession(context.list, sessions);
  if (picked && vscode.workspace.isTrusted) await askSnapshotAndLoad(context, picked);
  else if (picked) await vscode.commands.executeCommand(`${View.sessions}.focus`);
}
