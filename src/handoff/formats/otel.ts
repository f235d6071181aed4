import { createHash } from 'node:crypto';
import type { Part, Thread, ToolCall, Turn } from '../../core/model/thread.js';
import type { ReadableFormat } from './readable.js';

/*
 * Spans of OpenTelemetry's conventions for generative AI as OTLP in JSON: for each conversation an `invoke_agent` span, in
 * it a `chat` span for each answer and an `execute_tool` span for each call. Sources:
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding,
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.41.0/docs/gen-ai/
 */

type Value = string | number | boolean | readonly string[] | undefined;

export const otel: ReadableFormat = async function* ({ session, tool, threads }) {
  const trace = hex(session.id, 32);
  const resource = attributes({ 'service.name': tool.name, 'service.version': tool.version });
  const scope = JSON.stringify({ name: tool.name, version: tool.version });
  yield `{"resourceSpans":[{"resource":{"attributes":${JSON.stringify(resource)}},"scopeSpans":[{"scope":${scope},"spans":[`;
  let isFirst = true;
  for await (const thread of threads) {
    for (const span of spansOf(thread, trace)) {
      yield `${isFirst ? '' : ','}\n${JSON.stringify(span)}`;
      isFirst = false;
    }
  }
  yield '\n]}]}]}\n';
};

function* spansOf(thread: Thread, traceId: string): Generator<object, void, undefined> {
  const { agent, nativeId, counts, parent, title } = thread;
  const root = hex(nativeId, 16);
  const times = thread.turns.flatMap(({ at }) => (at === undefined ? [] : [at]));
  const first = counts.firstAt ?? times[0] ?? 0;
  const last = counts.lastAt ?? times.at(-1) ?? first;
  const common = {
    'gen_ai.provider.name': providerOf(counts.models[0]),
    'gen_ai.conversation.id': nativeId,
  };
  yield {
    traceId,
    spanId: root,
    ...(parent !== undefined && { parentSpanId: hex(parent, 16) }),
    name: `invoke_agent ${agent}`,
    kind: 1,
    ...between(first, last),
    attributes: attributes({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': agent,
      'gen_ai.agent.description': title,
      ...common,
    }),
  };
  let asked: Turn[] = [];
  let before = first;
  for (const [at, turn] of thread.turns.entries()) {
    if (turn.role !== 'assistant') {
      asked.push(turn);
      before = turn.at ?? before;
      continue;
    }
    const chat = hex(`${nativeId} ${at}`, 16);
    const end = turn.at ?? before;
    yield {
      traceId,
      spanId: chat,
      parentSpanId: root,
      name: `chat ${turn.model ?? ''}`.trim(),
      kind: 3,
      ...between(before, end),
      attributes: attributes({
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': turn.model,
        'gen_ai.response.model': turn.model,
        'gen_ai.usage.input_tokens': turn.tokens?.input,
        'gen_ai.usage.output_tokens': turn.tokens?.output,
        'gen_ai.input.messages': asked.length > 0 ? JSON.stringify(asked.map(message)) : undefined,
        'gen_ai.output.messages': JSON.stringify([{ ...message(turn), finish_reason: 'stop' }]),
        ...common,
      }),
    };
    for (const call of turn.parts) {
      if (call.kind === 'toolCall') {
        yield toolSpan(call, { traceId, parent: chat, at: end, common });
      }
    }
    asked = [];
    before = end;
  }
}

function toolSpan(
  { id, name, input, result }: ToolCall,
  context: {
    readonly traceId: string;
    readonly parent: string;
    readonly at: number;
    readonly common: Readonly<Record<string, Value>>;
  },
): object {
  const { traceId, parent, at, common } = context;
  return {
    traceId,
    spanId: hex(`${parent} ${id}`, 16),
    parentSpanId: parent,
    name: `execute_tool ${name}`,
    kind: 1,
    ...between(at, at),
    attributes: attributes({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': id,
      'gen_ai.tool.call.arguments': JSON.stringify(input ?? {}),
      'gen_ai.tool.call.result': result?.text,
      ...common,
    }),
    ...(result?.isError === true && { status: { code: 2 } }),
  };
}

const message = ({ role, parts }: Turn): object => ({ role, parts: parts.flatMap(messageParts) });

function messageParts(part: Part): readonly object[] {
  switch (part.kind) {
    case 'text':
    case 'notice':
      return [{ type: 'text', content: part.text }];
    case 'thinking':
      return [{ type: 'reasoning', content: part.text }];
    case 'toolCall':
      return [{ type: 'tool_call', id: part.id, name: part.name, arguments: part.input ?? {} }];
    case 'image':
      return [{ type: 'text', content: `[image: ${part.mediaType}]` }];
    case 'attachment':
      return [{ type: 'text', content: `[attached: ${part.name}]` }];
  }
}

/** Nanoseconds do not fit into a number: OTLP writes them as text. */
const between = (from: number, to: number) => ({
  startTimeUnixNano: nanoseconds(from),
  endTimeUnixNano: nanoseconds(Math.max(from, to)),
});

const nanoseconds = (at: number): string => `${BigInt(Math.max(0, Math.round(at))) * 1_000_000n}`;

const attributes = (values: Readonly<Record<string, Value>>): readonly object[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );

function anyValue(value: NonNullable<Value>): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') return { intValue: String(value) };
  return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } };
}

const hex = (id: string, digits: number): string =>
  createHash('sha256').update(id).digest('hex').slice(0, digits);

/** The well-known names of providers, told from the model's. */
function providerOf(model: string | undefined): string {
  if (model === undefined) return 'unknown';
  if (/^claude/i.test(model)) return 'anthropic';
  if (/^(?:gpt|o\d|codex)/i.test(model)) return 'openai';
  return /^gemini/i.test(model) ? 'gcp.gemini' : 'unknown';
}
