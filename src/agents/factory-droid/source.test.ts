import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { dashed } from '../folders.js';
import { createFactoryDroid } from './source.js';

const id = '8d7c6b5a-4f3e-4d2c-9b1a-0f1e2d3c4b5a';

const text = (words: string) => ({ type: 'text', text: words });
const message = (at: number, role: string, content: unknown) => ({
  type: 'message',
  id: `0000000${at}-0000-4000-8000-000000000000`,
  timestamp: `2026-01-05T09:00:0${at}.000Z`,
  message: { role, content },
});

const lines = (cwd: string) =>
  [
    { type: 'session_start', id, title: 'one', sessionTitle: 'New Session', version: 2, cwd },
    message(1, 'user', [text('<system-reminder>\nTODO\n</system-reminder>'), text('one 你好')]),
    message(2, 'assistant', [
      { type: 'thinking', thinking: 'hm' },
      { type: 'tool_use', id: 'c1', name: 'Read', input: { file_path: 'a' } },
    ]),
    message(3, 'user', [{ type: 'tool_result', tool_use_id: 'c1', content: 'text' }]),
    message(4, 'assistant', [text('done')]),
    message(5, 'user', 'two'),
    message(6, 'assistant', [text('done again')]),
  ].map((record) => JSON.stringify(record));

sourceConforms('Factory Droid', {
  create: createFactoryDroid,
  id,
  path: (cwd) => `.factory/sessions/${dashed(cwd)}/${id}.jsonl`,
  beside: (cwd) => ({ [`.factory/sessions/${dashed(cwd)}/${id}.settings.json`]: '{}' }),
  lines,
});

suite('what sessions of Factory Droid hold', () => {
  fixtureHolds('factory-droid', 'small.jsonl', {
    sessionId: 'b5a4c3d2-1e0f-4a9b-8c7d-6e5f4a3b2c1d',
    cwd: '/home/user/shop',
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T08:30:09.000Z',
    malformed: 0,
  });

  fixtureHolds('factory-droid', 'damaged.jsonl', {
    userTurns: 1,
    assistantMessages: 1,
    toolCalls: 2,
    malformed: 2,
  });
});
