import assert from 'node:assert/strict';
import { inspectFile, type Inspection } from './inspect.js';

const fixture = (name: string) => new URL(`../../test/fixtures/${name}`, import.meta.url).pathname;

const shop = '/home/user/shop';
const none = {
  userTurns: 0,
  assistantMessages: 0,
  toolCalls: 0,
  toolResultsMatched: 0,
  toolResultsOrphan: 0,
  thinkingBlocks: 0,
  malformed: 0,
};
const at = (second: number) => new Date(Date.UTC(2026, 0, 5, 9, 0, second)).toISOString();
const cart = 'Why does the cart total come out wrong? 购物车';

/** Numbers were worked out from the notes on each format, and from what a script made a program do. */
suite('what hand-made transcripts of the command line agents hold', () => {
  const holds = (
    name: string,
    expected: Partial<Omit<Inspection, 'skipped'>>,
    skipped: readonly string[] = [],
  ) =>
    test(name, async () => {
      const [agent = ''] = name.split('/');
      const counted = await inspectFile(fixture(name));
      const { skipped: told, tokens, ...counts } = counted;
      assert.ok(tokens === null || tokens.input + tokens.output > 0);
      assert.deepEqual(counts, { ...none, agent, malformed: skipped.length, ...expected });
      assert.deepEqual(
        told.map(({ line, reason }) => `${line} ${reason}`),
        skipped,
      );
    });

  const codex = { cwd: shop, sessionId: '0199a213-81c0-7800-8aa1-bbab2a035a53' };
  holds('codex/small.jsonl', {
    ...codex,
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 4,
    toolResultsMatched: 4,
    thinkingBlocks: 2,
    firstPrompt: cart,
    models: ['gpt-5-codex', 'gpt-5.1-codex'],
    firstAt: at(0),
    lastAt: at(34),
  });
  holds('codex/drift.jsonl', {
    cwd: shop,
    sessionId: '01a00000-0000-7000-8000-000000000002',
    userTurns: 3,
    assistantMessages: 1,
    toolCalls: 4,
    toolResultsMatched: 3,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'first prompt 第一',
    models: ['gpt-5.5', 'gpt-5.5-mini'],
    firstAt: at(0),
    lastAt: at(33),
  });
  holds('codex/bare-2025-08.jsonl', {
    cwd: shop,
    sessionId: '0198aaaa-0000-7000-8000-000000000001',
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 1,
    toolResultsMatched: 1,
    thinkingBlocks: 1,
    firstPrompt: 'list the files',
    models: [],
    firstAt: '2025-08-02T07:00:00.000Z',
    lastAt: '2025-08-02T07:00:00.000Z',
  });
  holds(
    'codex/damaged.jsonl',
    {
      cwd: shop,
      sessionId: null,
      userTurns: 2,
      assistantMessages: 1,
      toolCalls: 1,
      toolResultsOrphan: 1,
      firstPrompt: 'first prompt',
      models: ['gpt-5-codex'],
      firstAt: at(1),
      lastAt: at(59),
    },
    [
      '1 notJson',
      '7 nulBytes',
      '8 notJson',
      '10 notAnObject',
      '11 notAnObject',
      '15 nulBytes',
      '18 incomplete',
    ],
  );

  holds('gemini-cli/small.json', {
    cwd: null,
    sessionId: 'c0ffee00-1111-4222-8333-444455556666',
    userTurns: 2,
    assistantMessages: 4,
    toolCalls: 3,
    toolResultsMatched: 3,
    thinkingBlocks: 2,
    firstPrompt: cart,
    models: ['gemini-2.5-pro', 'gemini-2.5-flash'],
    firstAt: '2026-01-12T08:30:00.000Z',
    lastAt: '2026-01-12T08:30:09.000Z',
  });
  // What `/chat save` writes: the API's contents, without ids, times and models.
  holds('gemini-cli/checkpoint-tag.json', {
    cwd: null,
    sessionId: null,
    userTurns: 2,
    assistantMessages: 2,
    toolCalls: 1,
    toolResultsMatched: 1,
    firstPrompt: cart,
    models: [],
    firstAt: null,
    lastAt: null,
  });
  // A list of prompts alone.
  holds('gemini-cli/prompts-logs.json', {
    cwd: null,
    sessionId: 'c0ffee00-1111-4222-8333-444455556666',
    userTurns: 2,
    firstPrompt: cart,
    models: [],
    firstAt: '2026-01-12T08:30:00.000Z',
    lastAt: '2026-01-12T08:31:00.000Z',
  });
  holds('gemini-cli/drift.jsonl', {
    cwd: null,
    sessionId: 'd41f7000-1111-4222-8333-444455556666',
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 1,
    toolResultsMatched: 1,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: '/chat list',
    models: ['gemini-2.5-pro', 'gemini-3-pro'],
    firstAt: at(0),
    lastAt: '2026-01-06T09:00:01.000Z',
  });
  holds(
    'gemini-cli/damaged.jsonl',
    {
      cwd: null,
      sessionId: 'da4a6ed0-1111-4222-8333-444455556666',
      userTurns: 2,
      assistantMessages: 1,
      firstPrompt: 'first prompt',
      models: ['gemini-2.5-pro'],
      firstAt: at(0),
      lastAt: at(60),
    },
    ['4 notJson', '5 nulBytes', '6 notJson', '7 notAnObject', '11 incomplete'],
  );

  holds('qwen-code/small.jsonl', {
    cwd: shop,
    sessionId: '11110000-1111-4222-8333-444455556666',
    userTurns: 2,
    assistantMessages: 4,
    toolCalls: 4,
    toolResultsMatched: 4,
    thinkingBlocks: 1,
    firstPrompt: cart,
    models: ['qwen3-coder', 'qwen3-max'],
    firstAt: at(0),
    lastAt: at(11),
  });
  holds('qwen-code/drift.jsonl', {
    cwd: shop,
    sessionId: '22220000-1111-4222-8333-444455556666',
    userTurns: 3,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'first prompt',
    models: ['qwen3-coder'],
    firstAt: at(0),
    lastAt: at(16),
  });
  holds(
    'qwen-code/damaged.jsonl',
    {
      cwd: shop,
      sessionId: '33330000-1111-4222-8333-444455556666',
      userTurns: 2,
      assistantMessages: 1,
      toolResultsOrphan: 1,
      firstPrompt: 'first prompt',
      models: ['qwen3-coder'],
      firstAt: at(0),
      lastAt: at(4),
    },
    ['1 notJson', '5 nulBytes', '6 notJson', '8 notJson', '9 notAnObject', '11 incomplete'],
  );

  holds('pi/small.jsonl', {
    cwd: shop,
    sessionId: '44440000-1111-7222-8333-444455556666',
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 2,
    thinkingBlocks: 1,
    firstPrompt: cart,
    models: ['claude-sonnet-4-5', 'claude-opus-4-5'],
    firstAt: at(0),
    lastAt: at(11),
  });
  holds('pi/drift.jsonl', {
    cwd: shop,
    sessionId: '55550000-1111-7222-8333-444455556666',
    userTurns: 3,
    assistantMessages: 4,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'first prompt',
    models: ['claude-sonnet-4-5'],
    firstAt: at(0),
    lastAt: at(17),
  });
  holds('pi/version-1.jsonl', {
    cwd: shop,
    sessionId: '66660000-1111-7222-8333-444455556666',
    userTurns: 1,
    assistantMessages: 2,
    toolCalls: 1,
    toolResultsMatched: 1,
    firstPrompt: 'go',
    models: ['claude-sonnet-4-5'],
    firstAt: '2025-11-20T10:00:00.000Z',
    lastAt: '2025-11-20T10:00:04.000Z',
  });
  holds(
    'pi/damaged.jsonl',
    {
      cwd: null,
      sessionId: null,
      userTurns: 2,
      assistantMessages: 1,
      firstPrompt: 'first prompt',
      models: ['claude-sonnet-4-5'],
      firstAt: at(1),
      lastAt: at(5),
    },
    ['1 notJson', '5 nulBytes', '6 notJson', '7 notAnObject', '9 incomplete'],
  );

  const played = (name: string, model: string, more: Partial<Inspection> = {}) =>
    test(`${name}, by the script that the program played`, async () => {
      const [agent = ''] = name.split('/');
      const { sessionId, firstAt, lastAt, ...counts } = await inspectFile(fixture(name));
      assert.deepEqual(counts, {
        ...none,
        agent,
        cwd: '/home/user/wörk 项目',
        userTurns: 2,
        assistantMessages: 7,
        toolCalls: 6,
        toolResultsMatched: 6,
        thinkingBlocks: 1,
        firstPrompt: 'Do the first thing: 写一个文件',
        models: [model],
        tokens: { input: 70, output: 35 },
        skipped: [],
        ...more,
      });
      assert.match(sessionId ?? '', /^[0-9a-f-]{36}$/);
      assert.ok(firstAt !== null && lastAt !== null && firstAt < lastAt);
    });
  played('codex/codex-0.171.0-work.jsonl', 'gpt-5', { assistantMessages: 4 });
  played('gemini-cli/gemini-0.61.0-work.jsonl', 'gemini-2.5-pro', { cwd: null });
  played('qwen-code/qwen-0.15.10-work.jsonl', 'm1');
  played('pi/pi-0.73.1-work.jsonl', 'm1');
});
