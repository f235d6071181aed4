import * as vscode from 'vscode';
import { ExpectedError } from '../../core/errors.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { readCall, threadTargetSchema } from './call.js';
import type { Run } from './context.js';
import { threadOf } from './pickThread.js';
import { requireTrust } from './target.js';

/** Removes what continuing a conversation wrote into an agent's store, unless the agent has gone on with it. */
export const undoContinue: Run<undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, threadTargetSchema);
  const title = vscode.l10n.t('Undo continuing a conversation');
  const thread = await threadOf(context, call, title, isContinued);
  if (thread === undefined) return undefined;
  const engine = await context.sessions.engine();
  const kept = await engine.undoContinue(thread.agent, thread.nativeId);
  if (kept.length > 0) {
    throw new ExpectedError(
      'changedSince',
      '{0} was changed since it was written, so it stays.',
      [kept.join(', ')],
      { next: 'Remove it in the agent itself if it is not wanted.' },
    );
  }
  context.sessions.noteChange();
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Removed what was written for {0}.', agentName(thread.agent)),
  );
  return undefined;
};

const isContinued = ({ continues }: ThreadSummary): boolean => continues !== undefined;
