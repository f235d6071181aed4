import assert from 'node:assert/strict';
import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { createCopilotCli } from './source.js';

const id = '7c1e0b52-0d3a-4f9e-b1a6-2d4c6e8f0a1b';

const events = (...all: readonly (readonly [string, object])[]): readonly string[] =>
  all.map(([type, data], at) => {
    const timestamp = new Date(Date.UTC(2026, 0, 5, 9, 0, at)).toISOString();
    const parentId = at === 0 ? null : `e${at - 1}`;
    return JSON.stringify({ type, data, id: `e${at}`, timestamp, parentId });
  });

const call = { toolCallId: 'c1', name: 'bash', arguments: { command: 'ls' }, type: 'function' };

const lines = (cwd: string) =>
  events(
    ['session.start', { sessionId: id, version: 1, copilotVersion: '1.0.90', context: { cwd } }],
    ['user.message', { content: 'one 你好', attachments: [] }],
    ['assistant.turn_start', { turnId: '0' }],
    [
      'assistant.message',
      { messageId: 'm1', content: 'looking', toolRequests: [call], reasoningText: 'hm' },
    ],
    ['tool.execution_start', { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'ls' } }],
    [
      'tool.execution_complete',
      { toolCallId: 'c1', success: true, result: { content: 'a.ts' }, model: 'gpt-5' },
    ],
    ['assistant.message', { messageId: 'm2', content: 'done', toolRequests: [] }],
    ['assistant.turn_end', { turnId: '0' }],
    ['user.message', { content: 'two' }],
    ['assistant.message', { messageId: 'm3', content: 'done again' }],
  );

sourceConforms('Copilot CLI', {
  create: createCopilotCli,
  id,
  path: () => `.copilot/session-state/${id}/events.jsonl`,
  lines,
});

sourceConforms('Copilot CLI, where its events name no folder', {
  create: createCopilotCli,
  id,
  path: () => `.copilot/session-state/${id}/events.jsonl`,
  beside: (cwd) => ({
    [`.copilot/session-state/${id}/workspace.yaml`]: `id: ${id}\ncwd: ${cwd}\nsummary: One\n`,
  }),
  lines: (cwd) => lines(cwd).slice(1),
});

suite('what sessions of Copilot CLI hold', () => {
  fixtureHolds('copilot-cli', 'small.jsonl', {
    sessionId: '9b1f6c2e-5a3d-4c7b-8e90-1a2b3c4d5e6f',
    cwd: '/home/user/shop',
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 2,
    toolResultsOrphan: 0,
    thinkingBlocks: 2,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['claude-sonnet-4.5', 'gpt-5'],
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T08:30:16.000Z',
    malformed: 0,
  });

  fixtureHolds('copilot-cli', 'drift.jsonl', {
    userTurns: 1,
    assistantMessages: 2,
    toolCalls: 1,
    toolResultsMatched: 0,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'first prompt of an old version',
    malformed: 0,
  });

  fixtureHolds('copilot-cli', 'damaged.jsonl', {
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 1,
    toolResultsMatched: 1,
    malformed: 3,
  });

  fixtureHolds('copilot-cli', 'copilot-1.0.102-work.jsonl', {
    cwd: '/home/user/wörk 项目',
    userTurns: 2,
    assistantMessages: 8,
    toolCalls: 7,
    toolResultsMatched: 7,
    toolResultsOrphan: 0,
    thinkingBlocks: 1,
    firstPrompt: 'Do the first thing: 写一个文件',
    models: ['m1'],
    tokens: { input: 80, output: 40 },
    malformed: 0,
    skipped: [],
  });
});

suite('thoughts of Copilot CLI', () => {
  const counts = (
    title: string,
    expected: number,
    ...all: readonly (readonly [string, object])[]
  ) =>
    test(title, () => {
      const parser = createCopilotCli().parser(id);
      for (const line of events(...all)) parser.push(Buffer.from(line));
      assert.equal(parser.thread().counts.thinkingBlocks, expected);
    });
  const event = (content: string) => ['assistant.reasoning', { content }] as const;
  const answer = (messageId: string, reasoningText: string) =>
    ['assistant.message', { messageId, content: 'x', reasoningText }] as const;

  counts('one that is an event and in the answer is one', 1, event('hm'), answer('m1', 'hm'));
  counts('in the other order, too', 1, answer('m1', 'hm'), event('hm'));
  counts(
    'the same words in another answer are another',
    2,
    event('hm'),
    answer('m1', 'hm'),
    answer('m2', 'hm'),
  );
  counts('in answers alone they all count', 2, answer('m1', 'hm'), answer('m2', 'hm'));
});
