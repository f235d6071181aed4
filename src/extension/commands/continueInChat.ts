import { Buffer } from 'node:buffer';
import * as vscode from 'vscode';
import { ExpectedError } from '../../core/errors.js';
import type { Thread, ThreadSummary, Turn } from '../../core/model/thread.js';
import type { CommandContext } from './context.js';

/** Commands of VS Code's chat. They are no API: each is looked for before it is called. */
const OPEN_CHAT = 'workbench.action.chat.open';

/** One exchange, as `workbench.action.chat.open` takes them. */
interface Exchange {
  readonly request: string;
  readonly response: string;
}

/**
 * Reopens a chat of VS Code while VS Code still has it; else opens a new chat that holds what was said.
 * Nothing is sent.
 *
 * @throws ExpectedError `chatMissing`
 */
export async function continueInChat(
  { sessions }: Pick<CommandContext, 'sessions'>,
  thread: ThreadSummary,
): Promise<void> {
  const commands = await vscode.commands.getCommands(true);
  if (!commands.includes(OPEN_CHAT)) {
    throw new ExpectedError('chatMissing', 'This window has no chat.', [], {
      next: 'Turn on the chat of VS Code, or open the conversation to read it.',
    });
  }
  if (thread.state === 'live' && (await reopen(thread.nativeId))) return;
  const engine = await sessions.engine();
  await vscode.commands.executeCommand(OPEN_CHAT, {
    query: '',
    isPartialQuery: true,
    previousRequests: exchanges(await engine.readThread(thread.id)),
  });
}

/** The scheme and authority under which VS Code opens its own chats (chatUri.ts, `LocalChatSessionUri`). */
const chatUri = (nativeId: string): vscode.Uri =>
  vscode.Uri.from({
    scheme: 'vscode-chat-session',
    authority: 'local',
    path: `/${Buffer.from(nativeId).toString('base64url')}`,
  });

async function reopen(nativeId: string): Promise<boolean> {
  try {
    await vscode.commands.executeCommand('vscode.open', chatUri(nativeId));
    return true;
  } catch {
    return false;
  }
}

/** Prompts with the text of what was answered; a chat takes no tool calls. */
function exchanges({ turns }: Thread): readonly Exchange[] {
  const result: { request: string; response: string }[] = [];
  for (const turn of turns) {
    const text = textOf(turn);
    const last = result.at(-1);
    if (turn.role === 'user') result.push({ request: text, response: '' });
    else if (turn.role === 'assistant' && last) {
      last.response = `${last.response}\n\n${text}`.trim();
    }
  }
  return result;
}

const textOf = ({ parts }: Turn): string =>
  parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n\n');
