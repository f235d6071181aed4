import { createHash } from 'node:crypto';
import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import { sourceConforms } from '../conformance.js';
import { createKimi } from './source.js';

const id = '3e2d1c0b-9a8f-4e7d-8c6b-5a4f3e2d1c0b';

const event = (at: number, fields: object) => {
  return { type: 'context.append_loop_event', event: fields, time: 1767600000000 + at };
};
const prompt = (at: number, text: string) => ({
  type: 'turn.prompt',
  input: [{ type: 'text', text }],
  origin: { kind: 'user' },
  time: 1767600000000 + at,
});

const lines = [
  { type: 'metadata', protocol_version: '1.5', created_at: 1767600000000 },
  prompt(1, 'one 你好'),
  event(2, { type: 'step.begin', turnId: '0', step: 1 }),
  event(3, { type: 'content.part', part: { type: 'think', think: 'hm' } }),
  event(4, { type: 'tool.call', toolCallId: 'c1', name: 'Read', args: { path: 'a' } }),
  event(5, { type: 'tool.result', toolCallId: 'c1', result: { output: 'text' } }),
  event(6, { type: 'step.begin', turnId: '0', step: 2 }),
  event(7, { type: 'content.part', part: { type: 'text', text: 'done' } }),
  { type: 'turn.ended', reason: 'completed' },
  prompt(8, 'two'),
  event(9, { type: 'step.begin', turnId: '1', step: 1 }),
  event(10, { type: 'content.part', part: { type: 'text', text: 'done again' } }),
].map((record) => JSON.stringify(record));

sourceConforms('Kimi', {
  create: createKimi,
  id,
  path: (cwd) => `.kimi/sessions/${createHash('md5').update(cwd).digest('hex')}/${id}/wire.jsonl`,
  lines: () => lines,
  noRecordIds: true,
});

sourceConforms('Kimi, with a list of sessions', {
  create: createKimi,
  id,
  path: () => `.kimi-code/sessions/wd_1/${id}/agents/main/wire.jsonl`,
  beside: (workDir) => ({
    '.kimi-code/session_index.jsonl': `${JSON.stringify({ sessionId: id, workDir })}\n{"cut`,
  }),
  lines: () => lines,
  noRecordIds: true,
});

suite('what sessions of Kimi hold', () => {
  fixtureHolds('kimi', 'small.jsonl', {
    userTurns: 2,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 1,
    toolResultsOrphan: 1,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: ['kimi-k2'],
    firstAt: '2026-01-12T08:30:01.000Z',
    lastAt: '2026-01-12T08:30:15.000Z',
    malformed: 1,
  });
});
