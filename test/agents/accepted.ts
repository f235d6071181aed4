import assert from 'node:assert/strict';
import { z } from 'zod';
import type { ModelRequest } from './modelEndpoint.js';

/*
 * What the vendors' interfaces refuse and a scripted endpoint would take. Shapes and limits are those of their
 * published types (the packages `@anthropic-ai/sdk`, `openai` and `@google/genai`) and of their references:
 * docs.anthropic.com/en/api/messages, platform.openai.com/docs/api-reference, ai.google.dev/api/generate-content.
 */

const said = z.string().regex(/\S/, 'a text that says nothing is refused');

const anthropicId = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const anthropicImage = z.looseObject({
  type: z.literal('image'),
  source: z.union([
    z.looseObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: z.base64(),
    }),
    z.looseObject({ type: z.literal('url'), url: z.url() }),
  ]),
});
const anthropicText = z.looseObject({ type: z.literal('text'), text: said });
const anthropicBlock = z.discriminatedUnion('type', [
  anthropicText,
  anthropicImage,
  // Thinking that its maker did not sign is refused.
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: said }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: said }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: anthropicId,
    name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
    input: z.record(z.string(), z.unknown()),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: anthropicId,
    content: z.union([z.string(), z.array(z.union([anthropicText, anthropicImage]))]).optional(),
  }),
]);
const anthropicMessages = z.array(
  z.looseObject({
    role: z.enum(['user', 'assistant', 'system']),
    content: z.union([said, z.array(anthropicBlock).min(1)]),
  }),
);

const openAiName = z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/);
const json = z.string().refine((text) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}, 'arguments are the text of a JSON value');
const completionsContent = z.union([
  z.string(),
  z
    .array(
      z.discriminatedUnion('type', [
        z.looseObject({ type: z.literal('text'), text: z.string() }),
        z.looseObject({ type: z.literal('image_url'), image_url: z.looseObject({ url: said }) }),
      ]),
    )
    .min(1),
]);
const completionsId = z.string().min(1).max(40);
const completionsMessages = z.array(
  z.discriminatedUnion('role', [
    z.looseObject({ role: z.enum(['system', 'developer', 'user']), content: completionsContent }),
    z
      .looseObject({
        role: z.literal('assistant'),
        content: completionsContent.nullish(),
        tool_calls: z
          .array(
            z.looseObject({
              id: completionsId,
              type: z.literal('function'),
              function: z.looseObject({ name: openAiName, arguments: json }),
            }),
          )
          .min(1)
          .optional(),
      })
      .refine(
        ({ content, tool_calls: calls }) => calls !== undefined || (content ?? '') !== '',
        'an answer says something or calls a tool',
      ),
    z.looseObject({
      role: z.literal('tool'),
      tool_call_id: completionsId,
      content: completionsContent,
    }),
  ]),
);

const idThatBegins = (start: string) => z.string().startsWith(start).max(64).nullish();
const callId = z.string().min(1).max(64);
const responsesOutput = z.union([
  z.string(),
  z.array(
    z.discriminatedUnion('type', [
      z.looseObject({ type: z.literal('input_text'), text: z.string() }),
      z.looseObject({ type: z.literal('input_image'), image_url: z.string() }),
    ]),
  ),
]);
const responsesItems = z.array(
  z.discriminatedUnion('type', [
    z.looseObject({
      type: z.literal('message'),
      id: idThatBegins('msg'),
      role: z.enum(['user', 'assistant', 'system', 'developer']),
      content: z.union([
        z.string(),
        z.array(
          z.discriminatedUnion('type', [
            z.looseObject({ type: z.enum(['input_text', 'output_text']), text: z.string() }),
            z.looseObject({ type: z.literal('input_image'), image_url: z.string() }),
          ]),
        ),
      ]),
    }),
    z.looseObject({
      type: z.literal('function_call'),
      id: idThatBegins('fc'),
      call_id: callId,
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
      arguments: json,
    }),
    z.looseObject({
      type: z.literal('function_call_output'),
      call_id: callId,
      output: responsesOutput,
    }),
    z.looseObject({
      type: z.literal('custom_tool_call'),
      id: idThatBegins('ctc'),
      call_id: callId,
      name: z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/),
      input: z.string(),
    }),
    z.looseObject({
      type: z.literal('custom_tool_call_output'),
      call_id: callId,
      output: responsesOutput,
    }),
    z.looseObject({
      type: z.literal('reasoning'),
      id: idThatBegins('rs'),
      summary: z.array(z.unknown()),
    }),
  ]),
);

const geminiContents = z.array(
  z.looseObject({
    role: z.enum(['user', 'model']),
    parts: z
      .array(
        z.union([
          z.looseObject({
            functionCall: z.looseObject({
              name: z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/),
              args: z.record(z.string(), z.unknown()),
            }),
          }),
          z.looseObject({
            functionResponse: z.looseObject({
              name: said,
              response: z.record(z.string(), z.unknown()),
            }),
          }),
          z.looseObject({ inlineData: z.looseObject({ mimeType: said, data: z.base64() }) }),
          z.looseObject({ text: z.string().min(1) }),
        ]),
      )
      .min(1),
  }),
);

/** Fails where the vendor's interface would refuse a request. */
export function assertAccepted({ form, messages }: ModelRequest): void {
  assertTurns(stepsOf(form, messages), form !== 'completions');
}

/** What one message does to the order that interfaces insist on. */
interface Step {
  readonly by: 'user' | 'model' | 'other';
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

function stepsOf(form: ModelRequest['form'], messages: readonly unknown[]): readonly Step[] {
  switch (form) {
    case 'messages':
      return anthropicMessages.parse(messages).map(({ role, content }, at): Step => {
        const blocks = typeof content === 'string' ? [] : content;
        const other = blocks.findIndex(({ type }) => type !== 'tool_result');
        const last = blocks.findLastIndex(({ type }) => type === 'tool_result');
        assert.ok(other < 0 || last < other, `message ${at} says something before its results`);
        return {
          by: role === 'user' ? 'user' : role === 'assistant' ? 'model' : 'other',
          calls: blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
          results: blocks.flatMap((block) =>
            block.type === 'tool_result' ? [block.tool_use_id] : [],
          ),
        };
      });
    case 'completions':
      return completionsMessages.parse(messages).map((message): Step => {
        const { role } = message;
        if (role === 'tool') return { by: 'user', calls: [], results: [message.tool_call_id] };
        if (role !== 'assistant') {
          return { by: role === 'user' ? 'user' : 'other', calls: [], results: [] };
        }
        const calls = message.tool_calls ?? [];
        return { by: 'model', calls: calls.map(({ id }) => id), results: [] };
      });
    case 'responses':
      return responsesItems.parse(messages.map(withType)).map((item): Step => {
        switch (item.type) {
          case 'function_call':
          case 'custom_tool_call':
            return { by: 'model', calls: [item.call_id], results: [] };
          case 'function_call_output':
          case 'custom_tool_call_output':
            return { by: 'user', calls: [], results: [item.call_id] };
          case 'message': {
            const by =
              item.role === 'user' ? 'user' : item.role === 'assistant' ? 'model' : 'other';
            return { by, calls: [], results: [] };
          }
          default:
            return { by: 'model', calls: [], results: [] };
        }
      });
    case 'gemini':
      return geminiSteps(geminiContents.parse(messages));
  }
}

/** A message may come without its type. */
const withType = (item: unknown): unknown =>
  typeof item === 'object' && item !== null && !('type' in item) && 'role' in item
    ? { type: 'message', ...item }
    : item;

/** Calls may have no ids there: a response belongs to the call at its place. */
function geminiSteps(contents: z.infer<typeof geminiContents>): readonly Step[] {
  const steps = contents.map(({ role, parts }, at): Step => {
    const calls = parts.flatMap((part) => ('functionCall' in part ? [part] : []));
    const results = parts.flatMap((part) => ('functionResponse' in part ? [part] : []));
    const by = role === 'user' ? 'user' : 'model';
    return {
      by,
      calls: calls.map((_, index) => `${at}.${index}`),
      results: results.map((_, index) => `${at - 1}.${index}`),
    };
  });
  // Unlike elsewhere, two turns of one side are refused.
  for (const [at, { by }] of steps.entries()) {
    assert.notEqual(by, steps[at - 1]?.by, `contents ${at - 1} and ${at} are of one side`);
  }
  return steps;
}

/**
 * A person begins; all calls of an answer are answered, once, before anything else is said. An answer may come in
 * several messages where the interface joins them.
 */
function assertTurns(all: readonly Step[], joinsAnswers: boolean): void {
  const steps = all.filter(({ by }) => by !== 'other');
  assert.equal(steps[0]?.by, 'user', 'a conversation begins with a person');
  assert.equal(steps.at(-1)?.by, 'user', 'the model is asked last');
  const open = new Set<string>();
  const seen = new Set<string>();
  for (const [at, { by, calls, results }] of steps.entries()) {
    for (const id of results) {
      assert.ok(
        open.delete(id),
        `message ${at} answers ${id}, which nothing asked or which was answered`,
      );
    }
    const goesOn = joinsAnswers && by === 'model' && steps[at - 1]?.by === 'model';
    if (results.length === 0 && !goesOn) {
      assert.deepEqual([...open], [], `message ${at} comes before these were answered`);
    }
    for (const id of calls) {
      assert.ok(!seen.has(id), `the id ${id} is used twice`);
      seen.add(id);
      open.add(id);
    }
  }
  assert.deepEqual([...open], [], 'these were never answered');
}
