import { z } from 'zod';
import type { RestoreReport } from '../../core/restore/types.js';
import type { LoadOptions } from '../ids.js';
import { readCall } from './call.js';
import type { CommandContext, Run } from './context.js';
import { askAndLoad, askSnapshotAndLoad } from './loadAsking.js';
import { loadSnapshot } from './loadSnapshot.js';
import { pickSession } from './pickSession.js';
import { requireTrust, sessionById } from './target.js';

const optionsSchema: z.ZodType<LoadOptions> = z.object({
  sessionId: z.string(),
  snapshotId: z.string().optional(),
  apply: z.enum(['editors', 'all']).optional(),
});

/** Restores a snapshot. A person chooses session, snapshot and how much, with the way back each time. */
export const load: Run<RestoreReport | undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, optionsSchema);
  if (call.from === 'program') return loadSnapshot(context, call.options);
  if (call.from === 'tree' && call.node.kind === 'snapshot') {
    return done(await askAndLoad(context, call.node));
  }
  const all = await (await context.sessions.engine()).listSessions();
  if (call.from === 'tree' && call.node.kind === 'session') {
    const session = sessionById(all, call.node.sessionId);
    return done(await askSnapshotAndLoad(context, session));
  }
  for (;;) {
    const step = { at: 1, of: 3 };
    const session = await pickSession(context.list, all, { step });
    if (!session) return undefined;
    const loaded = await askSnapshotAndLoad(context, session, { at: 2, of: 3 });
    if (loaded !== 'back') return loaded;
  }
};

const done = (loaded: RestoreReport | 'back' | undefined): RestoreReport | undefined =>
  loaded === 'back' ? undefined : loaded;

/** Goes back to what was there before the window's last restore. */
export const undoRestore: Run<RestoreReport | undefined> = async (context) => {
  requireTrust();
  return undoLastRestore(context);
};

async function undoLastRestore(context: CommandContext): Promise<RestoreReport | undefined> {
  const target = context.lastRestore.take();
  return target && loadSnapshot(context, target);
}
