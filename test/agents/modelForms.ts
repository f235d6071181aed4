import type { ServerResponse } from 'node:http';
import type { Step } from './modelEndpoint.js';

/** A request's body, of any of the interfaces. */
export interface Body {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly unknown[];
  readonly input?: readonly unknown[];
  readonly contents?: readonly unknown[];
}

/** How one interface carries the conversation, and an answer. */
export interface Form {
  readonly name: 'messages' | 'responses' | 'completions' | 'gemini';
  readonly isFor: (url: string) => boolean;
  readonly messagesIn: (body: Body) => readonly unknown[];
  /** Ids are made of `answer`, which no other answer has. */
  readonly send: (
    response: ServerResponse,
    step: Step,
    answer: string,
    body: Body,
    url: string,
  ) => void;
}

export function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(value));
}

/** Sends events; one with a name is `[name, data]`. */
function events(response: ServerResponse, all: readonly (readonly [string, unknown])[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const [name, data] of all) {
    const text = typeof data === 'string' ? data : JSON.stringify(data);
    response.write(`${name === '' ? '' : `event: ${name}\n`}data: ${text}\n\n`);
  }
  response.end();
}

const toolsOf = (step: Step, answer: string) =>
  (step.tools ?? []).map((tool, at) => ({ ...tool, id: `call_${answer}_${at}` }));

/** Whether a tool takes a text of its own form instead of JSON. */
const isCustom = ({ tools = [] }: Body, name: string): boolean =>
  tools.some((tool) => {
    const { type, name: called } = tool as { readonly type?: string; readonly name?: string };
    return type === 'custom' && called === name;
  });

/** OpenAI's Responses API, always as a stream. */
export const responsesForm: Form = {
  name: 'responses',
  isFor: (url) => url.includes('/responses'),
  messagesIn: ({ input = [] }) => input,
  send: (response, step, answer, body) => {
    const items = [
      ...(step.thinking === undefined
        ? []
        : [
            {
              type: 'reasoning',
              id: `rs_${answer}`,
              summary: [{ type: 'summary_text', text: step.thinking }],
              encrypted_content: null,
            },
          ]),
      ...(step.text === undefined
        ? []
        : [
            {
              type: 'message',
              id: `msg_${answer}`,
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: step.text, annotations: [] }],
            },
          ]),
      ...toolsOf(step, answer).map(({ id, name, input }) => {
        const call = { call_id: id, name, status: 'completed' };
        return isCustom(body, name)
          ? { ...call, type: 'custom_tool_call', id: `ctc_${id}`, input }
          : { ...call, type: 'function_call', id: `fc_${id}`, arguments: JSON.stringify(input) };
      }),
    ];
    const usage = {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    };
    const about = { id: `resp_${answer}` };
    const made = items.map((item, at): [string, unknown] => {
      const type = 'response.output_item.done';
      return [type, { type, output_index: at, item }];
    });
    events(response, [
      ['response.created', { type: 'response.created', response: about }],
      ...made,
      ['response.completed', { type: 'response.completed', response: { ...about, usage } }],
    ]);
  },
};

/** OpenAI's Chat Completions API. */
export const completionsForm: Form = {
  name: 'completions',
  isFor: (url) => url.includes('/chat/completions'),
  messagesIn: ({ messages = [] }) => messages,
  send: (response, step, answer, body) => {
    const tools = toolsOf(step, answer).map(({ id, name, input }, index) => ({
      index,
      id,
      type: 'function',
      function: { name, arguments: JSON.stringify(input) },
    }));
    const message = {
      role: 'assistant',
      content: step.text ?? null,
      ...(step.thinking !== undefined && { reasoning_content: step.thinking }),
      ...(tools.length > 0 && { tool_calls: tools }),
    };
    const finish_reason = tools.length > 0 ? 'tool_calls' : 'stop';
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const head = { id: `chatcmpl_${answer}`, created: 1, model: body.model };
    if (body.stream !== true) {
      const choices = [{ index: 0, message, finish_reason }];
      json(response, { ...head, object: 'chat.completion', choices, usage });
      return;
    }
    const chunk = { ...head, object: 'chat.completion.chunk' };
    const choice = (delta: unknown, reason: string | null) => [
      { index: 0, delta, finish_reason: reason },
    ];
    events(response, [
      ['', { ...chunk, choices: choice(message, null) }],
      ['', { ...chunk, choices: choice({}, finish_reason), usage }],
      ['', '[DONE]'],
    ]);
  },
};

/** Google's Gemini API; whether it streams stands in the address. */
export const geminiForm: Form = {
  name: 'gemini',
  isFor: (url) => /:(?:streamGenerateContent|generateContent)/.test(url),
  messagesIn: ({ contents = [] }) => contents,
  send: (response, step, answer, _body, url) => {
    const parts = [
      ...(step.thinking === undefined ? [] : [{ text: step.thinking, thought: true }]),
      ...(step.text === undefined ? [] : [{ text: step.text }]),
      ...toolsOf(step, answer).map(({ id, name, input }) => ({
        functionCall: { id, name, args: input },
      })),
    ];
    const reply = {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    };
    if (url.includes(':stream')) events(response, [['', reply]]);
    else json(response, reply);
  },
};
