import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { createContinue } from './source.js';

const id = '5f0d7a52-6a0e-4b8e-9a64-0f1a2b3c4d5e';

const item = (message: object, more: object = {}) => ({ message, contextItems: [], ...more });

const lines = (cwd: string) =>
  [
    item({ role: 'user', content: 'one 你好' }),
    item(
      {
        role: 'assistant',
        content: 'looking',
        toolCalls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'read_file', arguments: '{"filepath":"a"}' },
          },
        ],
      },
      { toolCallStates: [{ toolCallId: 'c1', status: 'done', output: [{ content: 'text' }] }] },
    ),
    item({ role: 'assistant', content: 'done' }, { reasoning: { active: false, text: 'hm' } }),
    item({ role: 'user', content: [{ type: 'text', text: 'two' }] }),
    item({ role: 'assistant', content: 'done again' }),
    { sessionId: id, title: 'One', workspaceDirectory: cwd },
  ].map((record) => JSON.stringify(record));

sourceConforms('Continue', {
  create: createContinue,
  id,
  path: () => `.continue/sessions/${id}.json`,
  beside: () => ({ '.continue/sessions/sessions.json': '[]' }),
  lines,
  whole: { list: 'history' },
  noRecordIds: true,
});

suite('what sessions of Continue hold', () => {
  fixtureHolds('continue', 'small.json', {
    sessionId: '0c9d3a1e-7f52-4b6a-8d10-5e4f3a2b1c0d',
    cwd: '/home/user/shop',
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 2,
    toolResultsOrphan: 0,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['Claude Sonnet 4.5'],
    firstAt: null,
    lastAt: null,
    malformed: 0,
  });

  fixtureHolds('continue', 'drift.json', {
    cwd: 'c:/Users/user/shop',
    userTurns: 1,
    assistantMessages: 2,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'first prompt of an old version',
    malformed: 0,
  });

  fixtureHolds('continue', 'damaged.json', {
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 1,
    toolResultsMatched: 0,
    malformed: 2,
  });

  fixtureHolds('continue', 'cn-1.5.47-work.json', {
    cwd: '/home/user/wörk 项目',
    userTurns: 2,
    assistantMessages: 9,
    toolCalls: 8,
    toolResultsMatched: 8,
    toolResultsOrphan: 0,
    thinkingBlocks: 0,
    firstPrompt: 'Do the first thing: 写一个文件',
    models: ['m1'],
    tokens: { input: 90, output: 45 },
    malformed: 0,
    skipped: [],
  });
});
