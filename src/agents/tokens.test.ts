import assert from 'node:assert/strict';
import type { Tokens } from '../core/model/thread.js';
import { sourceOf } from './registry.js';
import { rowRecord } from './sqlite/rowRecord.js';

const fixture = (name: string) => new URL(`../../test/fixtures/${name}`, import.meta.url).pathname;

suite('what answers cost', () => {
  /** `turns` are those of the answers, in order. */
  const costs = (
    title: string,
    agent: string,
    records: readonly unknown[],
    total: Tokens | undefined,
    turns: readonly (Tokens | undefined)[],
  ) =>
    test(`${agent}: ${title}`, () => {
      const lines = records.map((record) =>
        Buffer.from(typeof record === 'string' ? record : JSON.stringify(record)),
      );
      const whole = sourceOf(agent)?.parser('') ?? assert.fail(agent);
      const lean = sourceOf(agent)?.parser('', { turns: false }) ?? assert.fail(agent);
      for (const line of lines) {
        whole.push(line);
        lean.push(line);
      }
      const thread = whole.thread();
      assert.deepEqual(thread.counts.tokens, total);
      assert.deepEqual(lean.thread({ turns: false }).counts.tokens, total);
      const answers = thread.turns.filter(({ role }) => role === 'assistant');
      assert.deepEqual(
        answers.map(({ tokens }) => tokens),
        turns,
      );
    });

  const text = (words: string) => [{ type: 'text', text: words }];
  const claude = (uuid: string, id: string, usage: object) => ({
    type: 'assistant',
    uuid,
    parentUuid: uuid === 'a' ? null : 'a',
    message: { id, role: 'assistant', model: 'm', content: text(uuid), usage },
  });
  const usage = (output: number) => ({
    input_tokens: 3,
    output_tokens: output,
    cache_read_input_tokens: 100,
    cache_creation_input_tokens: 20,
  });
  const cached = (output: number) => ({ input: 3, output, cacheRead: 100, cacheWrite: 20 });
  costs(
    'an answer in several lines counts once, as its last line says',
    'claude-code',
    [claude('a', 'msg_1', usage(1)), claude('b', 'msg_1', usage(7))],
    cached(7),
    [cached(7)],
  );
  costs(
    'an answer of which nothing was counted says nothing',
    'claude-code',
    [claude('a', 'msg_1', { input_tokens: 0, output_tokens: 0 })],
    undefined,
    [undefined],
  );

  const item = (payload: object) => ({ timestamp: 't', type: 'response_item', payload });
  const said = (words: string) =>
    item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: words }] });
  const tokenCount = (total: number, input: number, cachedInput: number, output: number) => ({
    timestamp: 't',
    type: 'event_msg',
    payload: {
      type: 'token_count',
      info: {
        total_token_usage: { total_tokens: total },
        last_token_usage: {
          input_tokens: input,
          cached_input_tokens: cachedInput,
          output_tokens: output,
        },
      },
    },
  });
  costs(
    'a count that is told again counts once, and what was cached is not read twice',
    'codex',
    [
      said('one'),
      item({ type: 'function_call', name: 'x', arguments: '{}', call_id: 'c' }),
      item({ type: 'function_call_output', call_id: 'c', output: 'ok' }),
      tokenCount(15, 10, 4, 5),
      tokenCount(15, 10, 4, 5),
      { timestamp: 't', type: 'event_msg', payload: { type: 'token_count', info: null } },
      said('two'),
      tokenCount(30, 10, 0, 5),
    ],
    { input: 16, output: 10, cacheRead: 4 },
    [
      { input: 6, output: 5, cacheRead: 4 },
      { input: 10, output: 5 },
    ],
  );

  const gemini = { id: 'g', type: 'gemini', content: 'hi', timestamp: 't' };
  costs(
    'a message that is written again counts once; thoughts are written, cached input is not read',
    'gemini-cli',
    [
      { sessionId: 's', projectHash: 'h' },
      gemini,
      { ...gemini, tokens: { input: 10, output: 5, cached: 4, thoughts: 2, tool: 0, total: 17 } },
    ],
    { input: 6, output: 7, cacheRead: 4 },
    [{ input: 6, output: 7, cacheRead: 4 }],
  );
  costs(
    'as its service counts',
    'qwen-code',
    [
      {
        uuid: 'a',
        parentUuid: null,
        sessionId: 's',
        type: 'assistant',
        message: { role: 'model', parts: [{ text: 'hi' }] },
        usageMetadata: {
          promptTokenCount: 10,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 2,
          cachedContentTokenCount: 4,
        },
      },
    ],
    { input: 6, output: 7, cacheRead: 4 },
    [{ input: 6, output: 7, cacheRead: 4 }],
  );

  const openCode = { input: 10, output: 5, reasoning: 2, cache: { read: 100, write: 20 } };
  costs(
    'reasoning is written, too',
    'opencode',
    [
      rowRecord('message', 'm', {
        id: 'm',
        time_created: 1,
        data: JSON.stringify({ role: 'assistant', tokens: openCode }),
      }).record,
      rowRecord('part', 'p', {
        id: 'p',
        message_id: 'm',
        data: JSON.stringify({ type: 'text', text: 'hi' }),
      }).record,
    ],
    { input: 10, output: 7, cacheRead: 100, cacheWrite: 20 },
    [{ input: 10, output: 7, cacheRead: 100, cacheWrite: 20 }],
  );

  costs(
    'as it counts itself',
    'pi',
    [
      { type: 'session', version: 3, id: 's', cwd: '/w' },
      {
        type: 'message',
        id: 'a',
        parentId: null,
        message: {
          role: 'assistant',
          content: text('hi'),
          usage: { input: 10, output: 5, cacheRead: 100, cacheWrite: 20, totalTokens: 135 },
        },
      },
    ],
    { input: 10, output: 5, cacheRead: 100, cacheWrite: 20 },
    [{ input: 10, output: 5, cacheRead: 100, cacheWrite: 20 }],
  );

  const event = (id: string, type: string, data: object) => ({ id, type, data, timestamp: 't' });
  costs(
    'an answer says what it wrote, and a later event the rest',
    'copilot-cli',
    [
      event('1', 'assistant.message', { messageId: 'm', content: 'hi', outputTokens: 5 }),
      event('2', 'assistant.usage', { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100 }),
      event('3', 'assistant.message', { messageId: 'n', content: 'ho', outputTokens: 7 }),
    ],
    { input: 10, output: 12, cacheRead: 100 },
    [
      { input: 10, output: 5, cacheRead: 100 },
      { input: 0, output: 7 },
    ],
  );

  costs(
    'newer versions of VS Code write it down',
    'vscode-chat',
    [
      {
        requestId: 'r',
        message: { text: 'hi' },
        response: [{ value: 'ho' }],
        result: { usage: { promptTokens: 10, completionTokens: 5 } },
      },
      { version: 3, sessionId: 's' },
    ],
    { input: 10, output: 5 },
    [{ input: 10, output: 5 }],
  );

  costs(
    'each request of the log that is shown says it',
    'cline',
    [
      { ts: 1, type: 'say', say: 'task', text: 'go' },
      {
        ts: 2,
        type: 'say',
        say: 'api_req_started',
        text: '{"request":"","tokensIn":10,"tokensOut":5,"cacheReads":100,"cacheWrites":20}',
      },
      { ts: 3, type: 'say', say: 'text', text: 'hi' },
    ],
    { input: 10, output: 5, cacheRead: 100, cacheWrite: 20 },
    [{ input: 10, output: 5, cacheRead: 100, cacheWrite: 20 }],
  );

  costs(
    'a bubble says it, or writes zeros',
    'cursor',
    [
      rowRecord('composer', '*', { id: '*', value: '{"composerId":"c"}' }).record,
      ...[
        { inputTokens: 10, outputTokens: 5 },
        { inputTokens: 0, outputTokens: 0 },
      ].map(
        (tokenCounts, place) =>
          rowRecord('bubble', `b${place}`, {
            id: `b${place}`,
            place,
            value: JSON.stringify({ type: 2, text: 'hi', tokenCount: tokenCounts }),
          }).record,
      ),
    ],
    { input: 10, output: 5 },
    [{ input: 10, output: 5 }],
  );

  costs(
    'only the whole session says it',
    'goose',
    [
      rowRecord('sessions', 's', {
        id: 's',
        accumulated_input_tokens: 10,
        accumulated_output_tokens: 5,
      }).record,
    ],
    { input: 10, output: 5 },
    [],
  );
  costs(
    'only the whole session says it',
    'crush',
    [rowRecord('sessions', 's', { id: 's', prompt_tokens: 10, completion_tokens: 5 }).record],
    { input: 10, output: 5 },
    [],
  );

  const whole: Readonly<Record<string, Tokens>> = {
    'codex/codex-0.171.0-work.jsonl': { input: 70, output: 35 },
    'gemini-cli/gemini-0.61.0-work.jsonl': { input: 70, output: 35 },
    'qwen-code/qwen-0.15.10-work.jsonl': { input: 70, output: 35 },
    'pi/pi-0.73.1-work.jsonl': { input: 70, output: 35 },
    'amp/small.json': { input: 2700, output: 120 },
    'continue/small.json': { input: 900, output: 40 },
  };
  for (const [name, tokens] of Object.entries(whole)) {
    test(`${name}: every answer of the script is counted`, async () => {
      const { inspectFile } = await import('./inspect.js');
      assert.deepEqual((await inspectFile(fixture(name))).tokens, tokens);
    });
  }
});
