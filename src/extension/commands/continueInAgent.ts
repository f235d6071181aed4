import * as vscode from 'vscode';
import { sourceOf } from '../../agents/registry.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { refuseWhileRunning } from '../../agents/running.js';
import { openTerminal, startInTerminal } from './agentTerminal.js';
import type { CommandContext } from './context.js';
import { continueThreadIn } from './continueIn.js';
import { reopenChat } from './reopenChat.js';

/**
 * Goes on with a conversation where it was held: in a terminal with the agent's own resume command, in
 * the recorded folder, or in VS Code's chat. One that its agent has thrown away, or never could resume, is written
 * anew.
 *
 * @throws ExpectedError `agentRunning`, `folderMissing`, `programMissing` or what the chat says
 */
export async function continueInAgent(
  context: CommandContext,
  thread: ThreadSummary,
): Promise<void> {
  if (thread.agent === 'vscode-chat') {
    if (await reopenChat(context, thread)) return;
    return continueThreadIn(context, thread, { agent: thread.agent, isWhole: true });
  }
  const argv = sourceOf(thread.agent)?.resume?.(thread);
  if (argv === undefined || thread.state === 'gone') return continueThreadIn(context, thread);
  // A window's own terminal is shown; an agent that runs elsewhere would write to the same file.
  if (openTerminal(thread.id) === undefined) {
    await refuseWhileRunning({ ...thread, files: [], writtenAt: thread.lastAt });
  }
  const cwd = thread.cwd ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  await startInTerminal({ agent: thread.agent, title: thread.title, argv, cwd, key: thread.id });
}
