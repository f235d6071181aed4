import type { RestorePlan, RestoreReport, RestoreScope } from '../../core/restore/types.js';
import { planRestore } from '../../core/restore/plan.js';
import type { Sessions } from '../sessions.js';
import type { ApplyOptions } from './apply.js';
import { applyRestore } from './apply.js';
import { readNow } from './now.js';

export interface RestoreRequest {
  readonly snapshotId: string;
  readonly scope: RestoreScope;
  /** See `PlanRequest`. */
  readonly addsOnly?: boolean | undefined;
}

/**
 * What a restore would do to the window as it is now.
 *
 * @throws ExpectedError when the snapshot cannot be read
 */
export async function previewRestore(
  sessions: Sessions,
  { snapshotId, scope, addsOnly }: RestoreRequest,
): Promise<RestorePlan> {
  const engine = await sessions.engine();
  const content = await engine.readSnapshot(snapshotId);
  const now = await readNow(await sessions.capture(), content);
  return planRestore({ content, scope, now, addsOnly });
}

/**
 * Makes the window look like a snapshot and goes on with its session. Takes a snapshot of the window
 * before, to go back to; no other is taken meanwhile, since it would show half of each.
 *
 * @throws ExpectedError when the snapshot cannot be read or the window not be saved; nothing was touched then
 */
export const restoreSnapshot = (
  sessions: Sessions,
  request: RestoreRequest & Omit<ApplyOptions, 'readText'>,
): Promise<RestoreReport> =>
  sessions.exclusive(async (save) => {
    const engine = await sessions.engine();
    const plan = await previewRestore(sessions, request);
    const before = plan.steps.length === 0 ? undefined : await save({ reason: 'beforeRestore' });
    const { progress, token } = request;
    const readText = (hash: string): Promise<string> => engine.readText(hash);
    const report = await applyRestore(plan, { readText, progress, token });
    await sessions.switchTo(plan.sessionId);
    // The state before is not what the window should come back to. If this fails, the recorder tries on.
    if (before !== undefined) await save({ reason: 'start' }).catch(() => undefined);
    return { ...report, undoSnapshotId: before?.snapshotId, undoSessionId: before?.sessionId };
  });
