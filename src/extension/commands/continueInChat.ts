import { Buffer } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { previousRequestsOf } from '../../agents/vscode-chat/reopen.js';
import { chatStoresBeside } from '../../agents/vscode-chat/stores.js';
import { ExpectedError } from '../../core/errors.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import type { CommandContext } from './context.js';

/** Commands of VS Code's chat. They are no API: each is looked for before it is called. */
const OPEN_CHAT = 'workbench.action.chat.open';

/**
 * Reopens a chat of VS Code while VS Code still has it; else opens a new chat that holds what was said.
 * Nothing is sent.
 *
 * @throws ExpectedError `chatMissing`
 */
export async function continueInChat(
  { sessions, storage }: Pick<CommandContext, 'sessions' | 'storage'>,
  { id, nativeId }: ThreadSummary,
): Promise<void> {
  const commands = await vscode.commands.getCommands(true);
  if (!commands.includes(OPEN_CHAT)) {
    throw new ExpectedError('chatMissing', 'This window has no chat.', [], {
      next: 'Turn on the chat of VS Code, or open the conversation to read it.',
    });
  }
  if ((await isKept(storage, nativeId)) && (await reopen(nativeId))) return;
  await openInChat({ sessions }, { id });
}

/** Opens a new chat that holds what was said, of any agent's conversation. Nothing is sent. */
export async function openInChat(
  { sessions }: Pick<CommandContext, 'sessions'>,
  { id }: Pick<ThreadSummary, 'id'>,
): Promise<void> {
  const engine = await sessions.engine();
  await vscode.commands.executeCommand(OPEN_CHAT, {
    query: '',
    isPartialQuery: true,
    previousRequests: previousRequestsOf(await engine.readThread(id)),
  });
}

/** Whether VS Code has the chat in this window: asked for one that it has not, it opens an empty one. */
async function isKept(storage: CommandContext['storage'], nativeId: string): Promise<boolean> {
  const { storageUri, globalStorageUri } = storage;
  const [own] = await chatStoresBeside(storageUri?.fsPath, globalStorageUri.fsPath);
  if (own === undefined) return false;
  const files = await readdir(own).catch((): string[] => []);
  return files.includes(`${nativeId}.jsonl`) || files.includes(`${nativeId}.json`);
}

/** Answers false where VS Code does not know the address and shows an error in its place. */
async function reopen(nativeId: string): Promise<boolean> {
  // As VS Code itself writes it: chatUri.ts, `LocalChatSessionUri`.
  const uri = vscode.Uri.from({
    scheme: 'vscode-chat-session',
    authority: 'local',
    path: `/${Buffer.from(nativeId).toString('base64url')}`,
  });
  await vscode.commands.executeCommand('vscode.open', uri);
  const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
  const isError = tab?.input instanceof vscode.TabInputText && tab.input.uri.scheme === uri.scheme;
  if (isError) await vscode.window.tabGroups.close(tab);
  return !isError;
}
