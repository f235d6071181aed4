import * as vscode from 'vscode';
import { readCall, sessionTargetSchema } from './call.js';
import type { Run } from './context.js';
import { continueInAgent } from './continueInAgent.js';
import { pickThread } from './pickThread.js';
import { requireTrust } from './target.js';

/** "Continue where you left off": the conversations, what was asked last, and what is still to do. */
export const continueWork: Run<undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, sessionTargetSchema);
  const title = vscode.l10n.t('Continue where you left off');
  const thread = await pickThread(context, call, title);
  if (thread !== undefined) await continueInAgent(context, thread);
  return undefined;
};
