import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';

suite('what the tasks of Cline and Roo Code hold', () => {
  const shop = { cwd: '/home/user/shop', malformed: 0, skipped: [] };
  const start = '2026-01-12T08:30:01.000Z';

  fixtureHolds('cline', 'small-model-log.json', {
    ...shop,
    userTurns: 3,
    assistantMessages: 4,
    toolCalls: 5,
    toolResultsMatched: 4,
    toolResultsOrphan: 0,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['claude-sonnet-4-5-20250929'],
    firstAt: start,
    lastAt: '2026-01-12T08:30:08.000Z',
  });

  fixtureHolds('cline', 'drift-model-log.json', {
    ...shop,
    userTurns: 3,
    assistantMessages: 5,
    toolCalls: null,
    toolResultsMatched: null,
    toolResultsOrphan: null,
    thinkingBlocks: 0,
    firstPrompt: 'first prompt of an old version',
    models: [],
    firstAt: null,
    lastAt: null,
  });

  fixtureHolds('cline', 'damaged-model-log.json', {
    cwd: '/home/user/shop',
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 1,
    toolResultsMatched: 0,
    toolResultsOrphan: 1,
    firstPrompt: 'what is left of it',
    malformed: 2,
  });

  fixtureHolds('cline', 'small-shown-log.json', {
    ...shop,
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: null,
    toolResultsMatched: null,
    toolResultsOrphan: null,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['claude-sonnet-4-5-20250929'],
    firstAt: start,
    lastAt: '2026-01-12T08:30:16.000Z',
  });

  fixtureHolds('cline', 'drift-shown-log.json', {
    userTurns: 2,
    assistantMessages: 2,
    toolCalls: null,
    firstPrompt: 'first prompt of an old version',
    firstAt: start,
    lastAt: '2026-01-12T08:30:09.000Z',
    malformed: 0,
  });

  fixtureHolds('cline', 'cline-3.0.65-work.json', {
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

  fixtureHolds('roo-code', 'small-model-log.json', {
    ...shop,
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 2,
    toolResultsOrphan: 0,
    thinkingBlocks: 3,
    firstPrompt: 'Make the header blue',
  });

  fixtureHolds('roo-code', 'small-shown-log.json', {
    userTurns: 2,
    assistantMessages: 2,
    toolCalls: null,
    thinkingBlocks: 1,
    firstPrompt: 'Make the header blue',
    malformed: 0,
  });
});
