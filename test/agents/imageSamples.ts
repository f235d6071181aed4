/** The one image that every sample holds. */
export const png = 'iVBORw0KGgo=';
const url = `data:image/png;base64,${png}`;
const anthropic = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
const genAi = { inlineData: { mimeType: 'image/png', data: png } };
const numbered = Object.fromEntries([...Buffer.from(png, 'base64')].entries());
const user = (content: unknown, more = {}) => ({ role: 'user', content, ...more });
const row = (table: string, fields: object) => ({ table, row: fields });

/** Records of an agent that hold an image. */
export interface ImageSample {
  readonly agent: string;
  readonly where: string;
  readonly records: readonly unknown[];
}

const inPrompt = (agent: string, ...records: readonly unknown[]): ImageSample => {
  return { agent, where: 'a prompt', records };
};
const inResult = (agent: string, ...records: readonly unknown[]): ImageSample => {
  return { agent, where: 'what a tool answered', records };
};

const claude = (type: string, uuid: string, parentUuid: string | null, message: object) => {
  return { type, uuid, parentUuid, sessionId: 's', message };
};
const claudeCall = claude('assistant', 'a', null, {
  id: 'm',
  role: 'assistant',
  content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }],
});
const toolResult = { type: 'tool_result', tool_use_id: 't', content: [anthropic] };
const codex = (payload: object) => ({
  timestamp: '2026-11-30T05:00:00Z',
  type: 'response_item',
  payload,
});
const input = { type: 'input_image', image_url: url };
const qwen = (uuid: string, type: string, parts: readonly unknown[]) => {
  return { uuid, parentUuid: null, sessionId: 's', type, message: { role: type, parts } };
};
const functionCall = { functionCall: { id: 't', name: 'shot', args: {} } };
const functionResponse = { id: 't', name: 'shot', response: { output: 'ok' }, parts: [genAi] };
const pi = (id: string, parentId: string | null, message: object) => {
  return { type: 'message', id, parentId, message };
};
const piImage = { type: 'image', mimeType: 'image/png', data: png };
const openCode = (id: string, role: string) =>
  row('message', { id, session_id: 's', time_created: 1, data: { role } });
const part = (data: object) =>
  row('part', { id: 'p', message_id: 'm', session_id: 's', time_created: 1, data });
const file = { type: 'file', mime: 'image/png', url };
const chat = (more: object) => {
  return { kind: 0, v: { requests: [{ requestId: 'r', message: { text: 'See' }, ...more }] } };
};
const shot = { kind: 'toolInvocationSerialized', toolId: 'shot', toolCallId: 't' };
const imageUrl = { type: 'imageUrl', imageUrl: { url } };

export const imageSamples: readonly ImageSample[] = [
  inPrompt('claude-code', claude('user', 'u', null, user([anthropic]))),
  inResult('claude-code', claudeCall, claude('user', 'r', 'a', user([toolResult]))),
  inPrompt('codex', codex({ type: 'message', ...user([input]) })),
  inResult(
    'codex',
    codex({ type: 'function_call', call_id: 't', name: 'shot', arguments: '{}' }),
    codex({ type: 'function_call_output', call_id: 't', output: [input] }),
  ),
  inPrompt(
    'cursor',
    row('composer', { id: '*', value: { composerId: 'c' } }),
    row('bubble', {
      id: 'b',
      place: 0,
      value: { type: 1, text: 'See', images: [{ data: numbered, mimeType: 'image/png' }] },
    }),
  ),
  inPrompt('gemini-cli', { id: 'u', type: 'user', content: [genAi] }),
  inResult('gemini-cli', {
    id: 'a',
    type: 'gemini',
    content: '',
    toolCalls: [{ id: 't', name: 'shot', args: {}, result: [{ functionResponse }] }],
  }),
  inPrompt('qwen-code', qwen('u', 'user', [{ text: 'See' }, genAi])),
  inResult('qwen-code', qwen('a', 'assistant', [functionCall]), {
    ...qwen('r', 'tool_result', [{ functionResponse }]),
    parentUuid: 'a',
  }),
  inPrompt('pi', pi('u', null, user([piImage]))),
  inResult(
    'pi',
    pi('a', null, { role: 'assistant', content: [{ type: 'toolCall', id: 't', name: 'shot' }] }),
    pi('r', 'a', { role: 'toolResult', toolCallId: 't', content: [piImage] }),
  ),
  ...['opencode', 'kilo-code'].flatMap((agent) => [
    inPrompt(agent, openCode('m', 'user'), part(file)),
    inResult(
      agent,
      openCode('m', 'assistant'),
      part({
        type: 'tool',
        callID: 't',
        tool: 'shot',
        state: { status: 'completed', attachments: [file] },
      }),
    ),
  ]),
  inPrompt(
    'vscode-chat',
    chat({
      variableData: { variables: [{ kind: 'image', mimeType: 'image/png', value: numbered }] },
    }),
  ),
  inPrompt(
    'vscode-chat',
    chat({ variableData: { variables: [{ kind: 'image', mimeType: 'image/png', value: png }] } }),
  ),
  inResult(
    'vscode-chat',
    chat({
      response: [
        {
          ...shot,
          resultDetails: {
            input: '{}',
            output: [{ type: 'embed', mimeType: 'image/png', value: png }],
          },
        },
      ],
    }),
  ),
  inResult(
    'vscode-chat',
    chat({
      response: [shot],
      result: {
        metadata: {
          toolCallResults: { t: { content: [{ mimeType: 'image/png', data: numbered }] } },
        },
      },
    }),
  ),
  ...['cline', 'roo-code'].flatMap((agent) => [
    inPrompt(agent, user([{ type: 'text', text: '<task>See</task>' }, anthropic])),
    inResult(
      agent,
      user([{ type: 'text', text: '<task>See</task>' }]),
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'shot', input: {} }] },
      user([toolResult]),
    ),
  ]),
  ...['continue', 'kiro'].map((agent) =>
    inPrompt(agent, { message: user([{ type: 'text', text: 'See' }, imageUrl]) }),
  ),
  inPrompt(
    'amp',
    user([{ ...anthropic, source: { type: 'base64', mediaType: 'image/png', data: png } }]),
  ),
  inResult(
    'amp',
    { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'shot', input: {} }] },
    user([{ type: 'tool_result', toolUseID: 't', run: { status: 'done', result: [anthropic] } }]),
  ),
  inPrompt('factory-droid', { type: 'message', id: 'u', message: user([anthropic]) }),
  inPrompt('copilot-cli', {
    type: 'user.message',
    id: 'u',
    data: { content: 'See', attachments: [{ type: 'blob', mimeType: 'image/png', data: png }] },
  }),
  inPrompt('kimi', { type: 'turn.prompt', input: [{ type: 'image_url', image_url: { url } }] }),
  inPrompt('grok', { type: 'user', content: [{ type: 'image_url', image_url: { url } }] }),
  inPrompt(
    'goose',
    row('messages', { id: '1', role: 'user', content_json: JSON.stringify([piImage]) }),
  ),
  inPrompt(
    'crush',
    row('messages', {
      id: '1',
      role: 'user',
      parts: JSON.stringify([{ type: 'binary', data: { MIMEType: 'image/png', Data: png } }]),
    }),
  ),
  inPrompt(
    'zed',
    row('message', {
      id: '1',
      place: 0,
      value: { User: { content: [{ Image: { source: png } }] } },
    }),
  ),
];
