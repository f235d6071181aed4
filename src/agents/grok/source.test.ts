import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { createGrok } from './source.js';

const id = '01a22ae5-0750-751f-9824-7a48f3040f76';

const lines = [
  { type: 'system', content: 'You are Grok.' },
  { type: 'user', content: 'instructions', synthetic_reason: 'project_instructions' },
  { type: 'user', content: [{ type: 'text', text: 'one 你好' }] },
  { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] },
  {
    type: 'assistant',
    content: 'looking',
    tool_calls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a"}' }],
    model_id: 'grok-code-fast-1',
  },
  { type: 'tool_result', tool_call_id: 'c1', content: 'text' },
  { type: 'assistant', content: 'done', model_id: 'grok-code-fast-1' },
  { type: 'user', content: 'two' },
  { type: 'assistant', content: 'done again', model_id: 'grok-code-fast-1' },
].map((record) => JSON.stringify(record));

sourceConforms('Grok', {
  create: createGrok,
  id,
  path: (cwd) => `.grok/sessions/${encodeURIComponent(cwd)}/${id}/chat_history.jsonl`,
  beside: (cwd) => ({ [`.grok/sessions/${encodeURIComponent(cwd)}/${id}/summary.json`]: '{}' }),
  lines: () => lines,
});

suite('what sessions of Grok hold', () => {
  fixtureHolds('grok', 'small.jsonl', {
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 0,
    thinkingBlocks: 2,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['grok-4', 'grok-code-fast-1'],
    firstAt: null,
    malformed: 1,
  });
});
