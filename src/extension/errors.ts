import * as vscode from 'vscode';
import type { ExpectedError } from '../core/errors.js';
import { isExpected } from '../core/errors.js';
import { Command } from './ids.js';
import type { Log } from './log.js';

/** Shows failures to the person. One for the window. */
export interface ErrorReporter {
  /** Runs what a person asked for; a failure is logged and shown, never thrown. */
  run<T>(task: () => Promise<T>): Promise<T | undefined>;
  /** Shows a failure of something that nobody waits for. */
  report(error: unknown): void;
}

interface Button {
  readonly title: () => string;
  readonly command: string;
}

const whereIsMyData: Button = {
  title: () => vscode.l10n.t('Where is my data?'),
  command: Command.whereIsMyData,
};

/** The next step that a button can take, by the error's reason. */
const buttons: Readonly<Record<string, Button>> = {
  untrusted: { title: () => vscode.l10n.t('Manage trust'), command: 'workbench.trust.manage' },
  notWritable: whereIsMyData,
  diskFull: whereIsMyData,
};

export function createErrorReporter(log: Log): ErrorReporter {
  // The same bug often fails many times in a row; it is shown once and logged each time.
  const shown = new Set<string>();
  const report = (error: unknown): void => {
    if (isCancellation(error)) return;
    if (isExpected(error)) {
      log.warn(error.message, error.cause);
      void showExpected(error);
      return;
    }
    log.error(error);
    const key = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (shown.has(key)) return;
    shown.add(key);
    void showBug();
  };
  return {
    report,
    run: async (task) => {
      try {
        return await task();
      } catch (error) {
        report(error);
        return undefined;
      }
    },
  };
}

function isCancellation(error: unknown): boolean {
  return error instanceof vscode.CancellationError;
}

/** The words of an expected error in the person's language, what to do next included. */
export function wordsOf(error: ExpectedError): string {
  const what = vscode.l10n.t(error.template, ...error.args);
  return error.next === undefined ? what : `${what} ${vscode.l10n.t(error.next)}`;
}

async function showExpected(error: ExpectedError): Promise<void> {
  const showLog = vscode.l10n.t('Show log');
  const button = buttons[error.reason];
  const first = button ? [button.title()] : [];
  const choice = await vscode.window.showErrorMessage(wordsOf(error), ...first, showLog);
  if (choice === showLog) await vscode.commands.executeCommand(Command.showLog);
  else if (choice !== undefined && button) await vscode.commands.executeCommand(button.command);
}

async function showBug(): Promise<void> {
  const showLog = vscode.l10n.t('Show log');
  const choice = await vscode.window.showErrorMessage(
    vscode.l10n.t('Keepthread ran into an error that it did not expect. The log has the details.'),
    showLog,
  );
  if (choice === showLog) await vscode.commands.executeCommand(Command.showLog);
}
