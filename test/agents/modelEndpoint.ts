import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  completionsForm,
  geminiForm,
  json,
  responsesForm,
  type Body,
  type Form,
} from './modelForms.js';

/** One answer of the model: what it thinks, says and calls, in that order. */
export interface Step {
  readonly thinking?: string;
  readonly text?: string;
  /** Several are called in parallel. */
  readonly tools?: readonly { readonly name: string; readonly input: unknown }[];
  /** Never answers: the agent waits until somebody ends it. */
  readonly hangs?: boolean;
}

/** A request of an agent for an answer; what it sends is what it remembers. */
export interface ModelRequest {
  readonly form: Form['name'];
  readonly messages: readonly unknown[];
}

export interface ModelEndpoint {
  readonly url: string;
  /** Requests for an answer, without the agent's small side calls. */
  readonly requests: readonly ModelRequest[];
  /** Answers to give from now on; after the last one every answer is `done`. */
  play(steps: readonly Step[]): void;
  close(): Promise<void>;
}

/**
 * A model on loopback that says what a script tells it, in the form of Anthropic's Messages API, of
 * OpenAI's two and of Gemini's. A real agent talks to it without network or login and writes a real
 * transcript.
 */
export async function startModelEndpoint(): Promise<ModelEndpoint> {
  let script: Step[] = [];
  let answers = 0;
  // An endpoint of another run gives other ids, as a vendor does.
  const run = randomUUID().slice(0, 8);
  const requests: ModelRequest[] = [];

  const answer = (response: ServerResponse, form: Form, body: Body, url: string): void => {
    // Side calls (titles, quota probes) come without tools and use up no step.
    const isSideCall = (body.tools ?? []).length === 0;
    if (!isSideCall) requests.push({ form: form.name, messages: form.messagesIn(body) });
    const step = isSideCall ? { text: 'side call' } : (script.shift() ?? { text: 'done' });
    if (step.hangs === true) return;
    answers += 1;
    form.send(response, step, `${run}_${answers}`, body, url);
  };

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const { url = '' } = request;
      const form = forms.find((one) => one.isFor(url));
      if (url.includes('count_tokens')) json(response, { input_tokens: 10 });
      else if (form !== undefined) answer(response, form, body, url);
      else json(response, {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    play: (steps) => {
      script = [...steps];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function bodyOf(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  return text === '' ? {} : (JSON.parse(text) as Body);
}

interface Block {
  readonly type: string;
  readonly [field: string]: unknown;
}

function blocksOf(step: Step, answer: string): readonly Block[] {
  const blocks: Block[] = [];
  if (step.thinking !== undefined) {
    blocks.push({ type: 'thinking', thinking: step.thinking, signature: 'c2lnbmF0dXJl' });
  }
  if (step.text !== undefined) blocks.push({ type: 'text', text: step.text });
  for (const [at, { name, input }] of (step.tools ?? []).entries()) {
    blocks.push({ type: 'tool_use', id: `toolu_${answer}_${at}`, name, input });
  }
  return blocks;
}

function send(response: ServerResponse, step: Step, answer: string, body: Body): void {
  const content = blocksOf(step, answer);
  const stop = step.tools === undefined ? 'end_turn' : 'tool_use';
  const message = {
    id: `msg_${answer}`,
    type: 'message',
    role: 'assistant',
    model: body.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 1 },
  };
  if (body.stream !== true) {
    json(response, { ...message, content, stop_reason: stop });
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const event = (type: string, data: object): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  event('message_start', { message });
  for (const [index, block] of content.entries()) {
    event('content_block_start', { index, content_block: emptyOf(block) });
    for (const delta of deltasOf(block)) event('content_block_delta', { index, delta });
    event('content_block_stop', { index });
  }
  const delta = { stop_reason: stop, stop_sequence: null };
  event('message_delta', { delta, usage: { output_tokens: 5 } });
  event('message_stop', {});
  response.end();
}

function emptyOf(block: Block): Block {
  if (block.type === 'text') return { type: 'text', text: '' };
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' };
  return { ...block, input: {} };
}

function deltasOf(block: Block): readonly Block[] {
  if (block.type === 'text') return [{ type: 'text_delta', text: block['text'] }];
  if (block.type === 'thinking') {
    return [
      { type: 'thinking_delta', thinking: block['thinking'] },
      { type: 'signature_delta', signature: block['signature'] },
    ];
  }
  return [{ type: 'input_json_delta', partial_json: JSON.stringify(block['input']) }];
}

const messagesForm: Form = {
  name: 'messages',
  isFor: (url) => url.includes('/v1/messages'),
  messagesIn: ({ messages = [] }) => messages,
  send,
};

const forms = [messagesForm, responsesForm, completionsForm, geminiForm];
