import { join } from 'node:path';
import type {
  AnsweredCall,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { dashed } from '../folders.js';
import { jsonLines } from '../jsonLines.js';
import type { NewSession, Target } from '../target.js';
import { rewriteChain } from '../rewriteChain.js';
import { homesOf } from './find.js';
import { qwenParser } from './parse.js';

/** The version whose records these look like, and which was tried with them. */
const version = '0.15.10';

/** A new session of Qwen Code: a chain of records with content in the form of Google's interface. */
export const qwenTarget: Target = {
  agent: 'qwen-code',
  name: 'Qwen Code',
  getIt: 'npm install -g @qwen-code/qwen-code',
  takes: {
    images: true,
    summaries: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: (random) => random,
  home: (query) => homesOf({ ...query, folders: [], homes: [] })[0] ?? '',
  write: (conversation, place) => [
    { path: pathOf(place), bytes: jsonLines(recordsOf(conversation, place)) },
  ],
  rewrite: (own, place) => {
    const bytes = rewriteChain(own, place, { session: 'sessionId', parser: qwenParser });
    return bytes && [{ path: pathOf(place), bytes }];
  },
  resume: ({ id }) => ['qwen', '--resume', id],
};

const pathOf = ({ id, cwd }: NewSession): string =>
  join(
    'projects',
    dashed(process.platform === 'win32' ? cwd.toLowerCase() : cwd),
    'chats',
    `${id}.jsonl`,
  );

function recordsOf(
  { messages, branch, title }: Conversation,
  place: NewSession,
): readonly unknown[] {
  const records: unknown[] = [];
  let parentUuid: string | null = null;
  const add = (at: number, fields: object): void => {
    const uuid = place.uuid();
    const common = {
      uuid,
      parentUuid,
      sessionId: place.id,
      timestamp: new Date(at || place.now).toISOString(),
    };
    const where = { cwd: place.cwd, version, ...(branch !== undefined && { gitBranch: branch }) };
    records.push({ ...common, ...fields, ...where });
    parentUuid = uuid;
  };
  for (const message of messages) for (const fields of fieldsOf(message)) add(message.at, fields);
  if (title !== '') {
    const systemPayload = { customTitle: title };
    add(place.now, { type: 'system', subtype: 'custom_title', systemPayload });
  }
  return records;
}

function fieldsOf(message: Message): readonly object[] {
  if (message.role === 'summary') return [];
  const parts = message.content.map(partOf);
  if (message.role === 'user') return [{ type: 'user', message: { role: 'user', parts } }];
  const { calls, model } = message;
  const functionCalls = calls.map(({ id, name, input }) => ({
    functionCall: { id, name, args: input },
  }));
  return [
    {
      type: 'assistant',
      model: model ?? 'unknown',
      message: { role: 'model', parts: [...parts, ...functionCalls] },
    },
    ...calls.map(resultFields),
  ];
}

const partOf = (part: Content): object =>
  part.kind === 'text'
    ? { text: part.text }
    : { inlineData: { mimeType: part.mediaType, data: part.data } };

function resultFields({ id, name, result }: AnsweredCall): object {
  const { text, isError, images } = result;
  const response = isError ? { error: text } : { output: text };
  const media = images.length > 0 ? { parts: images.map(partOf) } : {};
  return {
    type: 'tool_result',
    message: { role: 'user', parts: [{ functionResponse: { id, name, response, ...media } }] },
    toolCallResult: { callId: id, status: isError ? 'error' : 'success', resultDisplay: text },
  };
}
