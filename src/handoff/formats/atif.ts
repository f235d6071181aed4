import type { Part, Thread, ToolCall, Turn } from '../../core/model/thread.js';
import { isoTime, type ReadableFormat } from './readable.js';

/*
 * Agent Trajectory Interchange Format 1.4, https://github.com/laude-institute/harbor (docs/rfcs/0001): a JSON object for
 * one conversation, a list of them for several. What is lost is in docs/format.md.
 */
const schemaVersion = 'ATIF-v1.4';

export const atif: ReadableFormat = async function* (readable) {
  let before: string | undefined;
  let written = 0;
  for await (const thread of readable.threads) {
    const one = JSON.stringify(trajectory(thread));
    // Only a second one tells that it has to be a list.
    if (before !== undefined) yield `${written++ === 0 ? '[\n' : ',\n'}${before}`;
    before = one;
  }
  if (written > 0) yield `,\n${before ?? ''}\n]\n`;
  else yield `${before ?? '[]'}\n`;
};

function trajectory(thread: Thread): object {
  const { agent, nativeId, version, counts, parent, title } = thread;
  const steps = thread.turns.map((turn, at) => step(turn, at + 1));
  const used = thread.turns.flatMap(({ tokens }) => (tokens ? [tokens] : []));
  const sum = (of: (tokens: (typeof used)[number]) => number): number =>
    used.reduce((total, tokens) => total + of(tokens), 0);
  return {
    schema_version: schemaVersion,
    session_id: nativeId,
    agent: { name: agent, version: version ?? 'unknown', model_name: counts.models[0] },
    steps,
    final_metrics: {
      ...(used.length > 0 && {
        total_prompt_tokens: sum(promptTokens),
        total_completion_tokens: sum(({ output }) => output),
        total_cached_tokens: sum(({ cacheRead = 0 }) => cacheRead),
      }),
      total_steps: steps.length,
    },
    extra: { title, parent_session_id: parent },
  };
}

const promptTokens = ({ input, cacheRead = 0, cacheWrite = 0 }: NonNullable<Turn['tokens']>) =>
  input + cacheRead + cacheWrite;

function step({ role, at, model, tokens, parts }: Turn, id: number): object {
  const isAgent = role === 'assistant';
  const calls = parts.filter((part): part is ToolCall => part.kind === 'toolCall');
  const thinking = parts.flatMap((part) => (part.kind === 'thinking' ? [part.text] : []));
  const results = calls.flatMap(({ id: call, result }) =>
    result === undefined ? [] : [{ source_call_id: call, content: result.text }],
  );
  return {
    step_id: id,
    timestamp: at === undefined ? undefined : isoTime(at),
    source: isAgent ? 'agent' : role,
    message: parts.flatMap(words).join('\n\n'),
    ...(isAgent && {
      model_name: model,
      reasoning_content: thinking.length > 0 ? thinking.join('\n\n') : undefined,
      tool_calls: calls.length > 0 ? calls.map(toolCall) : undefined,
      observation: results.length > 0 ? { results } : undefined,
      metrics: tokens && {
        prompt_tokens: promptTokens(tokens),
        completion_tokens: tokens.output,
        cached_tokens: tokens.cacheRead,
      },
    }),
  };
}

function words(part: Part): readonly string[] {
  switch (part.kind) {
    case 'text':
    case 'notice':
      return part.text === '' ? [] : [part.text];
    case 'image':
      return [`[image: ${part.mediaType}]`];
    case 'attachment':
      return [`[attached: ${part.name}]`];
    case 'thinking':
    case 'toolCall':
      return [];
  }
}

const toolCall = ({ id, name, input }: ToolCall): object => ({
  tool_call_id: id,
  function_name: name,
  // Arguments have to be an object.
  arguments:
    typeof input === 'object' && input !== null && !Array.isArray(input) ? input : { input },
});
