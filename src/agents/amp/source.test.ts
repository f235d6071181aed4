import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { createAmp } from './source.js';

const id = 'T-5928a90d-d53b-488f-a829-4e36442142ee';

const text = (words: string) => ({ type: 'text', text: words });
const message = (messageId: number, role: string, content: readonly object[]) => {
  return { role, messageId, content, meta: { sentAt: 1767600000000 + messageId * 1000 } };
};

const lines = (cwd: string) =>
  [
    message(0, 'user', [text('one 你好')]),
    message(1, 'assistant', [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      text('looking'),
      { type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' }, complete: true },
    ]),
    message(2, 'user', [
      { type: 'tool_result', toolUseID: 'c1', run: { status: 'done', result: 'text' } },
    ]),
    message(3, 'assistant', [text('done')]),
    message(4, 'user', [text('two')]),
    message(5, 'assistant', [text('done again')]),
    { v: 9, id, created: 1767600000000, env: { initial: { trees: [{ uri: `file://${cwd}` }] } } },
  ].map((record) => JSON.stringify(record));

sourceConforms('Amp', {
  create: createAmp,
  id,
  path: () => `.local/share/amp/threads/${id}.json`,
  lines,
  whole: { list: 'messages' },
});

suite('what threads of Amp hold', () => {
  fixtureHolds('amp', 'small.json', {
    sessionId: 'T-0c9d3a1e-7f52-4b6a-8d10-5e4f3a2b1c0d',
    cwd: '/home/user/shop',
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 2,
    toolResultsOrphan: 0,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['claude-opus-4-5'],
    firstAt: '2026-01-12T08:30:00.500Z',
    lastAt: '2026-01-12T08:30:06.000Z',
    malformed: 0,
  });

  fixtureHolds('amp', 'damaged.json', {
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 0,
    toolResultsOrphan: 1,
    malformed: 2,
  });
});
