import { join } from 'node:path';
import type {
  AnsweredCall,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { jsonLines } from '../jsonLines.js';
import { rewriteChain } from '../rewriteChain.js';
import type { NewSession, Target } from '../target.js';
import { nameOf, sessionFolders } from './find.js';
import { piParser } from './parse.js';

/** A new session of Pi, in the third version of its form, tried on 0.73.1. */
export const piTarget: Target = {
  agent: 'pi',
  name: 'Pi',
  getIt: 'npm install -g @mariozechner/pi-coding-agent',
  takes: {
    images: true,
    summaries: true,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: (random) => random,
  home: (query) => sessionFolders({ ...query, folders: [], homes: [] }).at(-1) ?? '',
  write: (conversation, place) => [
    { path: pathOf(place), bytes: jsonLines(recordsOf(conversation, place)) },
  ],
  rewrite: (own, place) => {
    const bytes = rewriteChain(own, place, { session: 'id', parser: piParser });
    return bytes && [{ path: pathOf(place), bytes }];
  },
  resume: ({ id }) => ['pi', '--session', id],
};

const pathOf = ({ id, cwd, now }: NewSession): string => {
  const time = new Date(now).toISOString().replace(/[:.]/g, '-');
  return join(nameOf(cwd), `${time}_${id}.jsonl`);
};

function recordsOf({ messages, title }: Conversation, place: NewSession): readonly unknown[] {
  const { id, cwd, now } = place;
  const timeOf = (at: number): string => new Date(at || now).toISOString();
  const first = timeOf(messages[0]?.at ?? now);
  const records: unknown[] = [{ type: 'session', version: 3, id, timestamp: first, cwd }];
  let parentId: string | null = null;
  const add = (at: number, fields: object): void => {
    const entryId = place.uuid().slice(0, 8);
    records.push({ id: entryId, parentId, timestamp: timeOf(at), ...fields });
    parentId = entryId;
  };
  for (const message of messages) {
    for (const fields of entriesOf(message, now)) add(message.at, fields);
  }
  if (title !== '') add(now, { type: 'session_info', name: title });
  return records;
}

function entriesOf(message: Message, now: number): readonly object[] {
  const timestamp = message.at || now;
  if (message.role === 'summary') {
    // What it kept of the time before begins at an entry; none of that name means nothing was.
    const kept = { firstKeptEntryId: '', tokensBefore: 0 };
    return [{ type: 'compaction', summary: message.text, ...kept }];
  }
  const content = message.content.map(blockOf);
  if (message.role === 'user') {
    return [{ type: 'message', message: { role: 'user', content, timestamp } }];
  }
  const { calls, model } = message;
  const toolCalls = calls.map(({ id, name, input }) => ({
    type: 'toolCall',
    id,
    name,
    arguments: input,
  }));
  const answer = {
    role: 'assistant',
    content: [...content, ...toolCalls],
    api: 'openai-completions',
    provider: 'unknown',
    model: model ?? 'unknown',
    usage: noUsage,
    stopReason: calls.length > 0 ? 'toolUse' : 'stop',
    timestamp,
  };
  return [
    { type: 'message', message: answer },
    ...calls.map((call) => ({ type: 'message', message: resultOf(call, timestamp) })),
  ];
}

/** What another agent's model used is not this one's. */
const noUsage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

const blockOf = (part: Content): object =>
  part.kind === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', data: part.data, mimeType: part.mediaType };

function resultOf({ id, name, result }: AnsweredCall, timestamp: number): object {
  const { text, isError, images } = result;
  const content = [blockOf({ kind: 'text', text }), ...images.map(blockOf)];
  return { role: 'toolResult', toolCallId: id, toolName: name, content, isError, timestamp };
}
