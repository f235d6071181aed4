import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import process from 'node:process';
import * as vscode from 'vscode';
import { findProgram } from '../../agents/program.js';
import { sourceOf } from '../../agents/registry.js';
import { ExpectedError } from '../../core/errors.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import { agentName } from '../../core/thread/names.js';
import { Command } from '../ids.js';
import { plain } from '../views/plainText.js';
import type { CommandContext } from './context.js';
import { continueInChat } from './continueInChat.js';

/** Terminals in which conversations were continued, by thread: a second one would write to the same file. */
const terminals = new Map<string, vscode.Terminal>();

/**
 * Goes on with a conversation where it was held: in a terminal with the agent's own resume command, in
 * the recorded folder, or in VS Code's chat.
 *
 * @throws ExpectedError `folderMissing`, `programMissing` or what the chat says
 */
export async function continueInAgent(
  context: CommandContext,
  thread: ThreadSummary,
): Promise<void> {
  const argv = sourceOf(thread.agent)?.resume?.(thread);
  if (argv === undefined && thread.agent === 'vscode-chat') return continueInChat(context, thread);
  if (argv === undefined || thread.state === 'gone') return showCopy(thread);
  const open = terminals.get(thread.id);
  if (open !== undefined && open.exitStatus === undefined) {
    open.show();
    return;
  }
  const cwd = await existingFolder(thread);
  const program = await installedProgram(argv);
  const terminal = vscode.window.createTerminal({
    name: `${agentName(thread.agent)}: ${plain(thread.title, 30)}`,
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    cwd,
    shellPath: program.file,
    shellArgs: [...program.args],
    // A window that comes back would run it again by itself.
    isTransient: true,
  });
  terminals.set(thread.id, terminal);
  terminal.show();
}

/** @throws ExpectedError `programMissing` */
async function installedProgram(argv: readonly string[]) {
  const { env, platform } = process;
  const program = await findProgram(argv, { env, platform, node: 'node', userHome: homedir() });
  if (program !== undefined) return program;
  throw new ExpectedError('programMissing', 'The program {0} was not found.', [argv[0] ?? ''], {
    next: 'Install it or add its folder to PATH, then try again.',
  });
}

/** @throws ExpectedError `folderMissing` */
async function existingFolder({ cwd }: ThreadSummary): Promise<string> {
  const folder = cwd ?? vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return folder;
  throw new ExpectedError(
    'folderMissing',
    'The folder of this conversation is gone: {0}',
    [folder],
    {
      next: 'Open the conversation in the sessions view to read it.',
    },
  );
}

/** The agent cannot continue it, but what was said is kept. */
async function showCopy(thread: ThreadSummary): Promise<void> {
  const read = vscode.l10n.t('Open conversation');
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      '{0} cannot continue this conversation any more. Keepthread has a copy to read.',
      agentName(thread.agent),
    ),
    read,
  );
  if (choice === read) {
    await vscode.commands.executeCommand(Command.openThread, { threadId: thread.id });
  }
}
