import * as vscode from 'vscode';
import type { CommandContext } from './commands/context.js';
import type { Recorder } from './recorder.js';

/**
 * What the window does by itself once it has started: bring the last state back, and record. Neither
 * happens in restricted mode.
 */
export function startBackground(context: CommandContext, recorder: Recorder): vscode.Disposable {
  const start = async (): Promise<void> => {
    recorder.start({ hold: true });
    try {
      const { comeBack } = await import('./restore/comeBack.js');
      await comeBack(context);
    } finally {
      recorder.release();
    }
    const { offerArchive } = await import('./offerArchive.js');
    await offerArchive(context);
  };
  const begin = (): void => void context.errors.run(start);
  if (!vscode.workspace.isTrusted) return vscode.workspace.onDidGrantWorkspaceTrust(begin);
  // After activation has returned: it is measured, and the window is still busy.
  const timer = setTimeout(begin, 0);
  return new vscode.Disposable(() => clearTimeout(timer));
}
