import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type {
  AnsweredCall,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { joinState } from '../joinState.js';
import { fieldsOf, textOf, type Fields } from '../json.js';
import type { NewFile, NewSession, OwnRecords, StoreFacts, Target } from '../target.js';
import { sessionFolder } from './source.js';

/** The version whose records these look like, and which was tried with them. */
const version = '3.0.65';

/** A new session of Cline's command line: what it is about, and beside it the messages. */
export const clineTarget: Target = {
  agent: 'cline',
  name: 'Cline',
  getIt: 'npm install -g cline',
  takes: {
    images: true,
    // Tried on 3.0.65 with results of 8,000 to 80,000 characters.
    longestResult: 8000,
    summaries: false,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: (random, now) => `${now}_${random.replaceAll('-', '').slice(0, 5)}`,
  home: (query) => sessionFolder({ ...query, folders: [], homes: [] }),
  write: (conversation, place) => {
    const { title, messages } = conversation;
    return filesOf(place, json(messagesFile(conversation, place)), title, messages[0]?.at);
  },
  rewrite: (own, place) => {
    const bytes = rewriteRecords(own, place);
    return bytes && filesOf(place, bytes, own.title ?? '', own.startedAt);
  },
  look: async (home) => ({ home, ...(await modelIn(dirname(home))) }),
  // It sums up what is long for its model, and takes one that it does not know for a small one.
  resume: ({ id }) => ['cline', '--id', id, '--compaction', 'off'],
};

const json = (value: object): Uint8Array => Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`);

function filesOf(
  place: NewSession,
  messages: Uint8Array,
  title: string,
  startedAt: number | undefined,
): readonly NewFile[] {
  const home = join(place.id, place.id);
  return [
    { path: `${home}.messages.json`, bytes: messages },
    { path: `${home}.json`, bytes: json(aboutFile(title, startedAt, place)) },
  ];
}

/**
 * Its own messages byte for byte, where they come back. Undefined for tasks of the extension, which have another form, for a
 * session of another id, and for a cut: a message may hold the end of one turn and the beginning of the next.
 */
function rewriteRecords(
  { records, nativeId, turns }: OwnRecords,
  { id }: NewSession,
): Uint8Array | undefined {
  if (turns !== undefined || id !== nativeId) return undefined;
  const joined = joinState(records, 'messages');
  return joined?.members['sessionId'] === id ? joined.bytes : undefined;
}

/** The model that the person uses there: without one the program shows a session but forgets its messages. */
async function modelIn(data: string): Promise<StoreFacts> {
  const file = join(data, 'settings', 'providers.json');
  const settings = parsed(await readFile(file, 'utf8').catch(() => '{}'));
  const provider = textOf(settings?.['lastUsedProvider']);
  const own = fieldsOf(fieldsOf(settings?.['providers'])?.[provider ?? '']);
  const model = textOf(fieldsOf(own?.['settings'])?.['model']);
  return { ...(provider !== undefined && { provider }), ...(model !== undefined && { model }) };
}

function parsed(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function aboutFile(
  title: string,
  startedAt: number | undefined,
  { id, cwd, now, facts }: NewSession,
): object {
  const at = new Date(now).toISOString();
  const first = new Date(startedAt || now).toISOString();
  return {
    version: 1,
    session_id: id,
    source: 'cli',
    // Of no process that there could be: the session is at rest.
    pid: 2 ** 31 - 1,
    started_at: first,
    ended_at: at,
    exit_code: 0,
    status: 'completed',
    interactive: false,
    provider: facts['provider'] ?? 'cline',
    model: facts['model'] ?? 'unknown',
    cwd,
    workspace_root: cwd,
    team_name: `team-${id.slice(-5)}`,
    enable_tools: true,
    enable_spawn: true,
    enable_teams: true,
    prompt: title,
    metadata: { sessionHistoryOrigin: { mode: 'user', version }, title },
    messages_path: join(facts['home'] ?? '', id, `${id}.messages.json`),
  };
}

const messagesFile = ({ messages }: Conversation, place: NewSession): object => ({
  version: 1,
  updated_at: new Date(place.now).toISOString(),
  agent: 'lead',
  sessionId: place.id,
  origin: { source: 'cli', mode: 'user', sessionId: place.id, version },
  messages: messages.flatMap((message) => messagesOf(message, place)),
});

function messagesOf(message: Message, { now, uuid }: NewSession): readonly object[] {
  if (message.role === 'summary') return [];
  const ts = message.at || now;
  const common = () => ({ id: `msg_${uuid().slice(0, 8)}`, ts });
  if (message.role === 'user') {
    return [{ ...common(), role: 'user', content: message.content.map(promptBlock) }];
  }
  const { content, calls, model } = message;
  const uses = calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }));
  return [
    {
      ...common(),
      role: 'assistant',
      content: [...content.map(blockOf), ...uses],
      modelInfo: { id: model ?? 'unknown', provider: 'unknown' },
    },
    ...calls.map((call) => ({ ...common(), role: 'user', content: [resultBlock(call)] })),
  ];
}

/** A person's words stand in an element, by which the program tells them from its own. */
const promptBlock = (part: Content): object =>
  part.kind === 'text'
    ? { type: 'text', text: `<user_input mode="act">${part.text}</user_input>` }
    : blockOf(part);

const blockOf = (part: Content): object =>
  part.kind === 'text'
    ? { type: 'text', text: part.text }
    : { type: 'image', data: part.data, mediaType: part.mediaType };

const resultBlock = ({ id, name, result }: AnsweredCall): object => {
  const { text, isError, images } = result;
  const content =
    images.length === 0 ? text : [blockOf({ kind: 'text', text }), ...images.map(blockOf)];
  return {
    type: 'tool_result',
    tool_use_id: id,
    name,
    content,
    ...(isError && { is_error: true }),
  };
};
