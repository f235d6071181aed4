import type * as vscode from 'vscode';
import { ExpectedError } from '../../core/errors.js';
import type { RestoreEnd } from '../../core/metrics.js';
import type { RestoreReport } from '../../core/restore/types.js';
import type { LoadOptions } from '../ids.js';
import { restoreSnapshot } from '../restore/restore.js';
import type { Sessions } from '../sessions.js';
import type { CommandContext } from './context.js';

/** Where a restore tells how far it is, and learns that it should stop. */
export interface Watched {
  readonly progress: vscode.Progress<{ message?: string; increment?: number }>;
  readonly token: vscode.CancellationToken;
}

/**
 * Restores a snapshot and goes on with its session. The window as it was is saved first.
 *
 * @throws ExpectedError `sessionMissing`, `snapshotMissing`, or what the engine says
 */
export async function loadSnapshot(
  context: Restoring,
  { sessionId, snapshotId, apply = 'all' }: LoadOptions,
  watched?: Watched,
): Promise<RestoreReport> {
  const { sessions } = context;
  const known = await existing(sessions, sessionId, snapshotId);
  const request = { snapshotId: known, scope: apply, ...watched };
  return counted(context, () => restoreSnapshot(sessions, request));
}

type Restoring = Pick<CommandContext, 'sessions' | 'lastRestore'>;

/** Counts how a restore ends, and keeps its report at hand. */
export async function counted(
  { sessions, lastRestore }: Restoring,
  restore: () => Promise<RestoreReport>,
): Promise<RestoreReport> {
  const engine = await sessions.engine();
  try {
    const report = await restore();
    lastRestore.remember(report);
    await engine.noteRestore(endOf(report));
    return report;
  } catch (error) {
    await engine.noteRestore('failed');
    throw error;
  }
}

/** What was left out because it is there already, or cannot come back at all, is no failure. */
const endOf = ({ outcomes, cancelled }: RestoreReport): RestoreEnd =>
  cancelled || outcomes.some(({ outcome }) => outcome === 'failed') ? 'partial' : 'whole';

/** The snapshot that is meant, the newest one if none is named. */
async function existing(
  sessions: Sessions,
  sessionId: string,
  snapshotId: string | undefined,
): Promise<string> {
  const snapshots = await (await sessions.engine()).listSnapshots(sessionId);
  const snapshot =
    snapshotId === undefined ? snapshots[0] : snapshots.find(({ id }) => id === snapshotId);
  if (snapshot) return snapshot.id;
  throw snapshotId === undefined
    ? new ExpectedError('snapshotMissing', 'This session has no snapshot yet.')
    : new ExpectedError('snapshotMissing', 'There is no snapshot {0} in this session.', [
        snapshotId,
      ]);
}
