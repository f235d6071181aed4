import type * as vscode from 'vscode';
import type { SaveResult } from '../core/engine.js';
import type { RestoreReport } from '../core/restore/types.js';
import type { SessionSummary } from '../core/model/session.js';
import type { LoadOptions, SavedAt, SaveOptions } from './ids.js';

/**
 * What `activate()` returns to other extensions:
 *
 * ```ts
 * const keepthread = await vscode.extensions
 *   .getExtension<KeepthreadApi>('keepthread.keepthread')
 *   ?.activate();
 * const { sessionId } = await keepthread.save({ label: 'Before the upgrade' });
 * ```
 *
 * Calls show nothing and reject with an `Error`; one whose `isExpected` is true carries words fit to
 * show. Data is JSON.
 */
export interface KeepthreadApi {
  /** Grows when something that worked stops working. */
  readonly version: 1;
  /** Takes a snapshot of the window into its active session, beginning one if there is none. */
  save(options?: SaveOptions): Promise<SavedAt>;
  /** Restores a snapshot; a snapshot of the window as it is now is taken first. */
  load(options: LoadOptions): Promise<RestoreReport>;
  /** Sessions that are not deleted, newest first. */
  list(): Promise<readonly SessionSummary[]>;
  /** After every snapshot, whoever asked for it. */
  readonly onDidSave: vscode.Event<SaveResult>;
  /** Milliseconds that `activate()` itself took. */
  readonly activationMs: number;
}
