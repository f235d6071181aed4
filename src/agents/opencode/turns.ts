import type { Part, Turn } from '../../core/model/thread.js';
import { fieldsOf, objectsOf, textOf, type Fields } from '../json.js';
import { callParts, imageOfUrl, textParts, type ToolResult } from '../parts.js';
import { usageApart } from '../tokens.js';
import { TurnList } from '../turnList.js';
import { callOf, modelOf, partsByMessage, typedText } from './rows.js';
import type { Message, MessagePart, SessionFacts } from './rows.js';

export interface Conversation {
  /** In order. */
  readonly messages: readonly Message[];
  readonly parts: readonly MessagePart[];
  readonly revert: SessionFacts['revert'];
}

/** The turns that the agent would go on with: what was undone is left out. */
export function buildTurns({ messages, parts, revert }: Conversation): readonly Turn[] {
  const turns = new TurnList();
  const byMessage = partsByMessage(parts);
  for (const message of messages) {
    const isUndone = message.id === revert?.messageId;
    if (isUndone && revert.partId === undefined) break;
    const own = (byMessage.get(message.id) ?? []).filter(
      ({ id }) => !isUndone || id < (revert.partId ?? ''),
    );
    if (message.role === 'user') addPrompt(turns, message, own);
    else if (message.role === 'assistant') addAnswer(turns, message, own);
    if (isUndone) break;
  }
  return turns.turns;
}

const originOf = ({ id, createdAt }: Message) => ({
  id,
  at: createdAt > 0 ? createdAt : undefined,
});

function addPrompt(turns: TurnList, message: Message, parts: readonly MessagePart[]): void {
  const origin = originOf(message);
  const shown = parts.flatMap((part) =>
    part.type === 'file' ? filePart(part.data) : textParts(typedText(part)),
  );
  if (shown.length > 0) turns.open('user', origin, shown);
  for (const { type, data } of parts) {
    if (type === 'compaction') turns.compaction('', origin);
    else if (type === 'subtask') {
      turns.notice('command', textOf(data['description']) ?? textOf(data['prompt']) ?? '', origin);
    }
  }
}

function addAnswer(turns: TurnList, message: Message, parts: readonly MessagePart[]): void {
  const origin = originOf(message);
  if (message.data['summary'] === true) {
    const text = parts.map(({ type, data }) =>
      type === 'text' ? textOf(data['text']) : undefined,
    );
    turns.compaction(text.filter(Boolean).join('\n'), origin);
    return;
  }
  const shown = parts.flatMap(answerPart);
  const tokens = usageApart(message.data['tokens']);
  if (shown.length > 0) {
    turns.open('assistant', { ...origin, model: modelOf(message), tokens }, shown);
  }
  const error = fieldsOf(message.data['error']);
  if (error !== undefined) addError(turns, error, origin);
}

function addError(turns: TurnList, error: Fields, origin: ReturnType<typeof originOf>): void {
  const name = textOf(error['name']) ?? '';
  const text = textOf(fieldsOf(error['data'])?.['message']) ?? name;
  turns.notice(name === 'MessageAbortedError' ? 'interrupted' : 'error', text, {
    ...origin,
    id: `${origin.id}-error`,
  });
}

function answerPart(part: MessagePart): readonly Part[] {
  const { type, data } = part;
  const text = textOf(data['text']);
  if (type === 'text') return textParts(text);
  if (type === 'reasoning') return [{ kind: 'thinking', text: text ?? '' }];
  if (type === 'file') return filePart(data);
  const call = callOf(part);
  if (call === undefined) return [];
  const { id, name, state, isAnswered } = call;
  const result = isAnswered ? resultOf(state) : undefined;
  return callParts({ id, name, input: state['input'] }, result);
}

function resultOf(state: Fields): ToolResult {
  const isError = state['status'] === 'error';
  const media = objectsOf(state['attachments']).flatMap(filePart);
  return { text: textOf(state[isError ? 'error' : 'output']) ?? '', isError, media };
}

const isImage = (file: Fields): boolean => textOf(file['mime'])?.startsWith('image/') ?? false;

function filePart(file: Fields): readonly Part[] {
  const url = textOf(file['url']);
  const name = textOf(file['filename']);
  if (isImage(file) && url?.startsWith('data:') === true) {
    return [{ ...imageOfUrl(url), name }];
  }
  const uri = url?.startsWith('file:') === true ? url : undefined;
  return [{ kind: 'attachment', name: name ?? uri ?? 'file', uri }];
}
