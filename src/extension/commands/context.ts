import type * as vscode from 'vscode';
import type { ErrorReporter } from '../errors.js';
import type { Log } from '../log.js';
import type { Sessions } from '../sessions.js';
import type { SessionList } from '../views/sessionList.js';
import type { SessionsView } from '../views/sessionsView.js';
import type { Reports } from '../views/reports.js';
import type { LastRestore } from './lastRestore.js';

/** What commands work with: one for the window. */
export interface CommandContext {
  readonly sessions: Sessions;
  readonly list: SessionList;
  readonly view: SessionsView;
  readonly log: Log;
  readonly errors: ErrorReporter;
  readonly lastRestore: LastRestore;
  readonly reports: Reports;
  /** Kept for the workspace. */
  readonly state: vscode.Memento;
  readonly secrets: vscode.SecretStorage;
  /** Where VS Code lets us keep data; its own chats lie beside it. */
  readonly storage: Pick<vscode.ExtensionContext, 'storageUri' | 'globalStorageUri'>;
}

/** A command's work. `args` are as VS Code gave them: see `readCall`. */
export type Run<Result> = (context: CommandContext, args: readonly unknown[]) => Promise<Result>;
