import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { ExpectedError } from '../../core/errors.js';
import { previousRequestsIn } from '../../agents/vscode-chat/reopen.js';
import type { CommandContext } from './context.js';

/** Commands of VS Code's chat. They are no API: each is looked for before it is called. */
const OPEN_CHAT = 'workbench.action.chat.open';
const IMPORT_CHAT = 'workbench.action.chat.import';

/** Since 1.109 the import takes a file that it is given (microsoft/vscode#286444); before, it asked for one. */
const takesFile = [1, 109] as const;

/** @throws ExpectedError `chatMissing` */
export async function requireChat(): Promise<ReadonlySet<string>> {
  const commands = new Set(await vscode.commands.getCommands(true));
  if (commands.has(OPEN_CHAT)) return commands;
  throw new ExpectedError('chatMissing', 'This window has no chat.', [], {
    next: 'Turn on the chat of VS Code, or open the conversation to read it.',
  });
}

/**
 * Whether this window's chat takes tool calls as such. One that takes no file takes prompts and answers alone.
 *
 * @throws ExpectedError `chatMissing`
 */
export async function chatTakesCalls(): Promise<boolean> {
  const [major = 0, minor = 0] = vscode.version.split('.').map(Number);
  const isNew = major > takesFile[0] || (major === takesFile[0] && minor >= takesFile[1]);
  return (await requireChat()).has(IMPORT_CHAT) && isNew;
}

/** Opens a new chat that holds a conversation, as JSON that the chat's import takes. Nothing is sent. */
export async function openInChat(
  { storage }: Pick<CommandContext, 'storage'>,
  chat: string,
): Promise<void> {
  if (!(await chatTakesCalls())) {
    const previousRequests = previousRequestsIn(chat);
    await vscode.commands.executeCommand(OPEN_CHAT, {
      query: '',
      isPartialQuery: true,
      previousRequests,
    });
    return;
  }
  const folder = storage.globalStorageUri;
  const file = vscode.Uri.joinPath(folder, `chat-${randomUUID()}.json`);
  await vscode.workspace.fs.createDirectory(folder);
  try {
    await vscode.workspace.fs.writeFile(file, Buffer.from(chat));
    await vscode.commands.executeCommand(IMPORT_CHAT, { inputPath: file, target: 'chatViewPane' });
  } finally {
    await vscode.workspace.fs.delete(file).then(undefined, () => undefined);
  }
}

/** A new chat with a text in its box, for the person to send. */
export async function askInChat(text: string): Promise<void> {
  await requireChat();
  await vscode.commands.executeCommand(OPEN_CHAT, { query: text, isPartialQuery: true });
}
