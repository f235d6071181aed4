import { emptyThread, type Origin } from '../agents/convert.js';
import { whyDifferent } from '../agents/readBack.js';
import { splitState } from '../agents/splitState.js';
import { exportedChat, exportedForm } from '../agents/vscode-chat/exported.js';
import { agent as chatAgent, ChatParser } from '../agents/vscode-chat/parser.js';
import { prepare } from '../core/convert/prepare.js';
import type { Takes } from '../core/convert/conversation.js';
import { ExpectedError } from '../core/errors.js';
import type { ContinueRequest } from '../core/model/continuation.js';
import type { ConversionReport } from '../core/model/conversion.js';
import { randomUUID } from 'node:crypto';

const takes: Takes = {
  images: true,
  resultImages: false,
  failures: false,
  summaries: false,
  callId: /^[A-Za-z0-9_-]{1,64}$/,
  toolName: { allowed: /[^A-Za-z0-9_.-]/g, longest: 128 },
};

export interface PlannedChat {
  /** JSON of a chat, as `Chat: Import Chat…` takes it. */
  readonly chat: string;
  readonly report: ConversionReport;
}

/**
 * A conversation as a chat that VS Code's import takes, since its store is the running window's own; a chat of VS Code is what it was. Read back by our own reader
 * before it is given away.
 *
 * @throws ExpectedError `emptyThread` or `notReadBack`
 */
export function planChat(
  { thread, records }: Origin,
  { foldThinking, wordsOnly = false }: Pick<ContinueRequest, 'foldThinking' | 'wordsOnly'>,
): PlannedChat {
  if (thread.turns.length === 0) throw emptyThread();
  const isOwn = thread.agent === chatAgent && !wordsOnly;
  const own = isOwn && records !== undefined ? ownChat(records) : undefined;
  if (own !== undefined) {
    const line = {
      fate: 'kept',
      what: 'turn',
      count: thread.turns.length,
      why: 'ownRecords',
    } as const;
    const chat = JSON.stringify(own);
    return { chat, report: { from: chatAgent, to: chatAgent, lines: [line] } };
  }
  const all = wordsOnly ? { ...takes, images: false, calls: false } : takes;
  const { conversation, report } = prepare(thread, chatAgent, all, { foldThinking });
  if (conversation.messages.length === 0) throw emptyThread();
  const place = { now: Date.now(), uuid: () => randomUUID() };
  const chat = JSON.stringify(exportedChat(conversation, place));
  const why = whyDifferent(readChat(chat).thread(), conversation.messages);
  if (why === undefined) return { chat, report };
  throw new ExpectedError(
    'notReadBack',
    'What was made for VS Code’s chat could not be read back ({0}).',
    [why],
  );
}

function ownChat(records: readonly Uint8Array[]): object | undefined {
  const parser = new ChatParser('');
  for (const record of records) parser.push(record);
  return exportedForm(parser.chat);
}

function readChat(chat: string): ChatParser {
  const parser = new ChatParser('');
  for (const record of splitState(Buffer.from(chat), 'requests')) parser.push(record);
  return parser;
}
