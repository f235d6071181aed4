import type { RestoreReport } from '../../core/restore/types.js';
import { setContext } from '../contextKeys.js';
import type { SavedAt } from '../ids.js';
import { ContextKey } from '../ids.js';

/** Remembers how to undo the window's last restore. */
export class LastRestore {
  private target: SavedAt | undefined;

  remember({ undoSessionId, undoSnapshotId }: RestoreReport): void {
    const isSaved = undoSessionId !== undefined && undoSnapshotId !== undefined;
    this.set(isSaved ? { sessionId: undoSessionId, snapshotId: undoSnapshotId } : undefined);
  }

  /** Gives the snapshot to go back to, once. */
  take(): SavedAt | undefined {
    const { target } = this;
    this.set(undefined);
    return target;
  }

  private set(target: SavedAt | undefined): void {
    this.target = target;
    setContext(ContextKey.canUndo, target !== undefined);
  }
}
