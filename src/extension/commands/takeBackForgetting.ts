import * as vscode from 'vscode';
import { ExpectedError } from '../../core/errors.js';
import type { ForgottenThread } from '../../core/forgetting.js';
import { splitThreadId } from '../../core/model/ids.js';
import { agentName } from '../../core/thread/names.js';
import { withJob } from '../jobs.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { fullMomentWords } from '../views/words.js';
import { readCall, threadTargetSchema } from './call.js';
import type { CommandContext, Run } from './context.js';
import { pick } from './pick.js';
import { requireTrust } from './target.js';

interface ForgottenItem extends vscode.QuickPickItem {
  readonly threadId: string;
}

/** Lets a forgotten conversation be taken in again from what its agent still has of it. */
export const takeBackForgetting: Run<undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, threadTargetSchema);
  const threadId = call.from === 'program' ? call.options.threadId : await askWhich(context);
  const engine = await context.sessions.engine();
  await withJob(engine, vscode.l10n.t('Taking in the conversation again'), async (job) => {
    await engine.takeBackForgetting(threadId, job);
    await engine.scanThreads();
  });
  context.sessions.noteChange();
  return undefined;
};

async function askWhich({ sessions }: CommandContext): Promise<string> {
  const forgotten = await (await sessions.engine()).listForgotten();
  const ids = new Set(forgotten.map(({ id }) => id));
  const tops = forgotten.filter(({ parent }) => parent === undefined || !ids.has(parent));
  if (tops.length === 0) {
    throw new ExpectedError('threadMissing', 'No conversation of this project was forgotten.');
  }
  const picked = await pick<ForgottenItem>({
    items: tops.toReversed().map(itemOf),
    title: vscode.l10n.t('Take in forgotten conversation again'),
    placeholder: vscode.l10n.t('What was removed stays removed; the agent may still have it'),
  });
  if (picked === undefined || picked === 'back') throw new vscode.CancellationError();
  return picked.threadId;
}

/** Nothing else is known of it any more. */
function itemOf({ id, at }: ForgottenThread): ForgottenItem {
  const { agent, nativeId } = splitThreadId(id);
  return {
    threadId: id,
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    label: agentName(agent),
    description: escapeIcons(plain(nativeId)),
    detail: vscode.l10n.t('Forgotten {0}', fullMomentWords(at)),
  };
}
