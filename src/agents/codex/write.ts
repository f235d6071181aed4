import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  AnsweredCall,
  Content,
  Conversation,
  Message,
} from '../../core/convert/conversation.js';
import { decode } from '../decode.js';
import { fieldsOf, timeOf } from '../json.js';
import { jsonLines } from '../jsonLines.js';
import type { NewSession, StoreFacts, Target } from '../target.js';
import { homesOf } from './find.js';
import { rewriteRecords } from './rewrite.js';

/** The version whose records these look like, and which was tried with them. */
const version = '0.171.0';

/**
 * A new rollout of Codex, in its older form: files that mix both forms are dropped. What its loader wants
 * was tried on 0.171: facts of the session on the first line, and the provider that the user has
 * configured. What the model gets comes from the items; events are what the person sees.
 */
export const codexTarget: Target = {
  agent: 'codex',
  name: 'Codex',
  getIt: 'npm install -g @openai/codex',
  takes: {
    images: true,
    summaries: true,
    failures: false,
    // Tried on 0.171 with results of 8,000 to 80,000 characters.
    longestResult: 48_000,
    callId: /^[A-Za-z0-9_-]{1,64}$/,
    toolName: { allowed: /[^A-Za-z0-9_-]/g, longest: 64 },
  },
  newId: timeOrdered,
  home: (query) => homesOf({ ...query, folders: [], homes: [] })[0] ?? '',
  look: async (home) => ({ provider: providerIn(await configOf(home)) }),
  write: (conversation, place) => [
    { path: pathOf(place), bytes: jsonLines(recordsOf(conversation, place)) },
  ],
  rewrite: (own, place) => {
    const bytes = rewriteRecords(own, place);
    // Its database says where a session lay: one that comes back must lie there again (seen on 0.171).
    const began = place.id === own.nativeId ? startOf(own.records) : undefined;
    return bytes && [{ path: pathOf({ ...place, now: began ?? place.now }), bytes }];
  },
  resume: ({ id }) => ['codex', 'resume', id],
};

/** A UUID of version 7, as the program's own: 48 bits of time, the rest random. */
function timeOrdered(random: string, now: number): string {
  const time = now.toString(16).padStart(12, '0').slice(-12);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}

/** `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, in local time. */
function pathOf({ id, now }: NewSession): string {
  const at = new Date(now);
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = [String(at.getFullYear()), two(at.getMonth() + 1), two(at.getDate())];
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join('-');
  return join('sessions', ...day, `rollout-${day.join('-')}T${time}-${id}.jsonl`);
}

/** When a session began, by its first line, from which its file has its name. */
const startOf = ([first]: readonly Uint8Array[]): number | undefined =>
  first && timeOf(fieldsOf(decode(first).fields?.['payload'])?.['timestamp']);

const configOf = (home: string): Promise<string> =>
  readFile(join(home, 'config.toml'), 'utf8').catch(() => '');

/**
 * The provider that sessions must name: the one at the top of the settings, or of the profile that is
 * named there. Tried on 0.171: with any other it does not go on.
 */
function providerIn(config: string): string {
  const [top = '', ...tables] = config.split(/^\s*(?=\[)/m);
  const valueIn = (text: string, name: string): string | undefined =>
    new RegExp(`^\\s*${name}\\s*=\\s*["']([^"']*)["']`, 'm').exec(text)?.[1];
  const profile = valueIn(top, 'profile');
  const isProfile = (table: string): boolean =>
    new RegExp(String.raw`^\[profiles\.["']?${escaped(profile ?? '')}["']?\]`).test(table);
  const own = profile === undefined ? undefined : tables.find(isProfile);
  return valueIn(own ?? '', 'model_provider') ?? valueIn(top, 'model_provider') ?? 'openai';
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

export const metaOf = (
  { id, cwd, now, facts }: NewSession,
  branch: string | undefined,
): Readonly<Record<string, unknown>> => ({
  id,
  timestamp: new Date(now).toISOString(),
  cwd,
  originator: 'codex_cli_rs',
  cli_version: version,
  source: 'cli',
  model_provider: providerOf(facts),
  ...(branch !== undefined && { git: { branch } }),
});

const providerOf = (facts: StoreFacts): string => facts['provider'] ?? 'openai';

function recordsOf(conversation: Conversation, place: NewSession): readonly unknown[] {
  const line = (at: number, type: string, payload: object): unknown => ({
    timestamp: new Date(at || place.now).toISOString(),
    type,
    payload,
  });
  const first = conversation.messages[0]?.at ?? place.now;
  return [
    line(first, 'session_meta', metaOf(place, conversation.branch)),
    ...conversation.messages.flatMap((message) =>
      payloadsOf(message).map(([type, payload]) => line(message.at, type, payload)),
    ),
  ];
}

type Payload = readonly [type: string, payload: object];

function payloadsOf(message: Message): readonly Payload[] {
  if (message.role === 'summary') return [['compacted', { message: message.text }]];
  if (message.role === 'user') return promptPayloads(message.content);
  const said = message.content.flatMap((content): readonly Payload[] =>
    content.kind === 'text' ? answerPayloads(content.text) : [],
  );
  const calls = message.calls.map(callPayload);
  return [...said, ...calls, ...message.calls.map(resultPayload)];
}

function promptPayloads(content: readonly Content[]): readonly Payload[] {
  const text = textIn(content);
  const images = content.flatMap((part) => (part.kind === 'image' ? [urlOf(part)] : []));
  const event = {
    type: 'user_message',
    message: text,
    kind: 'plain',
    ...(images[0] && { images }),
  };
  return [
    ['response_item', { type: 'message', role: 'user', content: content.map(inputPart) }],
    ['event_msg', event],
  ];
}

const answerPayloads = (text: string): readonly Payload[] => [
  [
    'response_item',
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] },
  ],
  ['event_msg', { type: 'agent_message', message: text }],
];

const callPayload = ({ id, name, input }: AnsweredCall): Payload => [
  'response_item',
  { type: 'function_call', name, arguments: JSON.stringify(input), call_id: id },
];

function resultPayload({ id, result }: AnsweredCall): Payload {
  const { text, images } = result;
  const parts = [...(text === '' ? [] : [{ kind: 'text', text } as const]), ...images];
  const output = images.length === 0 ? text : parts.map(inputPart);
  return ['response_item', { type: 'function_call_output', call_id: id, output }];
}

const inputPart = (part: Content): object =>
  part.kind === 'text'
    ? { type: 'input_text', text: part.text }
    : { type: 'input_image', image_url: urlOf(part) };

const urlOf = ({ mediaType, data }: Extract<Content, { kind: 'image' }>): string =>
  `data:${mediaType};base64,${data}`;

const textIn = (content: readonly Content[]): string =>
  content.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
