import type { ThreadTarget } from '../ids.js';
import { openThread as openDocument } from '../views/threadDocument.js';
import type { Call } from './call.js';
import { readCall, threadTargetSchema } from './call.js';
import type { Run } from './context.js';
import { continueInAgent } from './continueInAgent.js';
import { continueWork } from './continueWork.js';
import { findThread } from './findThread.js';
import { requireTrust } from './target.js';

/** Opens a conversation as a read-only document. */
export const openThread: Run<undefined> = async ({ sessions }, args) => {
  const call = readCall(args, threadTargetSchema);
  const threadId = threadIdOf(call);
  const place = call.from === 'program' ? call.options.place : undefined;
  if (threadId !== undefined) await openDocument(sessions, threadId, place);
  return undefined;
};

/** Goes on with a conversation; without one, the person chooses. */
export const continueThread: Run<undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, threadTargetSchema);
  if (call.from === 'tree' && call.node.kind === 'thread') {
    await continueInAgent(context, call.node.thread);
    return undefined;
  }
  const threadId = threadIdOf(call);
  if (threadId === undefined) return continueWork(context, []);
  await continueInAgent(context, await findThread(context.sessions, threadId));
  return undefined;
};

function threadIdOf(call: Call<ThreadTarget>): string | undefined {
  if (call.from === 'program') return call.options.threadId;
  return call.from === 'tree' && call.node.kind === 'thread' ? call.node.threadId : undefined;
}
