import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
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
  noRecordIds: true,
});

suite('what sessions of Grok hold', () => {
  fixtureHolds('grok', 'updates.jsonl', {
    sessionId: id,
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 0,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T08:30:15.000Z',
    malformed: 0,
  });

  test('texts that are written in chunks are shown as one', async () => {
    const path = fileURLToPath(
      new URL('../../../test/fixtures/grok/updates.jsonl', import.meta.url),
    );
    const parser = createGrok().parser(id);
    for (const line of (await readFile(path, 'utf8')).trim().split('\n')) {
      parser.push(Buffer.from(line));
    }
    const shown = parser
      .thread()
      .turns.map(({ role, parts }) => [
        role,
        ...parts.map((part) => ('text' in part ? part.text : part.kind)),
      ]);
    assert.deepEqual(shown, [
      ['user', 'Why does the cart total come out wrong? 购物车'],
      ['assistant', 'Integer division?'],
      ['assistant', 'I read it.', 'toolCall', 'toolCall'],
      ['assistant', 'It halves the count.'],
      ['user', 'Now add a test'],
      ['assistant', 'Here it is.'],
    ]);
  });

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
