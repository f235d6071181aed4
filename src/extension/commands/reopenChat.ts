import { Buffer } from 'node:buffer';
import { readdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { chatStoresBeside } from '../../agents/vscode-chat/stores.js';
import type { ThreadSummary } from '../../core/model/thread.js';
import type { CommandContext } from './context.js';
import { requireChat } from './openInChat.js';

/**
 * Reopens a chat of VS Code while VS Code still has it; answers whether it did. Nothing is sent.
 *
 * @throws ExpectedError `chatMissing`
 */
export async function reopenChat(
  { storage }: Pick<CommandContext, 'storage'>,
  { nativeId }: Pick<ThreadSummary, 'nativeId'>,
): Promise<boolean> {
  await requireChat();
  return (await isKept(storage, nativeId)) && (await reopen(nativeId));
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
