import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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

const wire = (type: string, payload: object, at = 1768206601.5) => ({
  timestamp: at,
  message: { type, payload },
});

sourceConforms('Kimi’s command line before', {
  create: createKimi,
  id,
  path: () =>
    `.kimi/sessions/${createHash('md5').update('/home/user/project').digest('hex')}/${id}/wire.jsonl`,
  beside: (path) => ({ '.kimi/kimi.json': JSON.stringify({ work_dirs: [{ path }, {}, 7] }) }),
  lines: () =>
    [
      { type: 'metadata', protocol_version: '1.9' },
      wire('TurnBegin', { user_input: 'one 你好' }),
      wire('StepBegin', { n: 1 }),
      wire('ToolCall', { id: 'c1', function: { name: 'ReadFile', arguments: '{}' } }),
      wire('ToolResult', { tool_call_id: 'c1', return_value: { output: 'text' } }),
      wire('StepBegin', { n: 2 }),
      wire('ContentPart', { type: 'text', text: 'done' }),
      wire('TurnEnd', {}),
      wire('TurnBegin', { user_input: [{ type: 'text', text: 'two' }] }),
      wire('StepBegin', { n: 1 }),
      wire('ContentPart', { type: 'text', text: 'done again' }),
      wire('TurnEnd', {}),
    ].map((record) => JSON.stringify(record)),
  noRecordIds: true,
});

sourceConforms('Kimi, where there is only what its model saw', {
  create: createKimi,
  id,
  path: (cwd) =>
    `.kimi/sessions/${createHash('md5').update(cwd).digest('hex')}/${id}/context.jsonl`,
  lines: () =>
    [
      { role: '_checkpoint', id: 0 },
      { role: 'user', content: 'one 你好' },
      {
        role: 'assistant',
        content: [],
        tool_calls: [{ id: 'c1', function: { name: 'ReadFile', arguments: '{}' } }],
      },
      { role: 'tool', content: 'text', tool_call_id: 'c1' },
      { role: 'assistant', content: 'done' },
      { role: 'user', content: [{ type: 'text', text: 'two' }] },
      { role: 'assistant', content: 'done again' },
    ].map((record) => JSON.stringify(record)),
  noRecordIds: true,
});

suite('sessions of Kimi with subagents', () => {
  let home: string;
  setup(async () => (home = await mkdtemp(join(tmpdir(), 'kimi-'))));
  teardown(() => rm(home, { recursive: true }));

  test('each is a thread of its own with the session as its parent, in either program', async () => {
    const session = join(home, '.kimi/sessions/0123', id);
    const newer = join(home, '.kimi-code/sessions/wd_1', id.replace('3e2d', '4e2d'));
    const folders = [
      session,
      join(session, 'subagents/a1'),
      join(newer, 'agents/main'),
      join(newer, 'agents/sub-1'),
    ];
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'wire.jsonl'), '{}\n');
    }
    await writeFile(join(session, 'context.jsonl'), '{}\n');
    await writeFile(join(home, '.kimi/sessions/0123/flat.jsonl'), '{}\n');
    const query = { folders: [], everywhere: true, homes: [], env: {}, userHome: home };
    const { threads } = await createKimi().find(query);
    assert.deepEqual(
      threads.map(({ path, parent = '' }) => `${path.slice(home.length + 1)} ${parent}`.trim()),
      [
        `.kimi/sessions/0123/${id}/wire.jsonl`,
        `.kimi/sessions/0123/${id}/subagents/a1/wire.jsonl ${id}`,
        '.kimi/sessions/0123/flat.jsonl',
        `.kimi-code/sessions/wd_1/4e${id.slice(2)}/agents/main/wire.jsonl`,
        `.kimi-code/sessions/wd_1/4e${id.slice(2)}/agents/sub-1/wire.jsonl 4e${id.slice(2)}`,
      ],
    );
  });
});

suite('what sessions of Kimi hold', () => {
  fixtureHolds('kimi', 'cli-wire.jsonl', {
    userTurns: 3,
    assistantMessages: 3,
    toolCalls: 2,
    toolResultsMatched: 2,
    toolResultsOrphan: 0,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    models: [],
    tokens: { input: 100, output: 25, cacheRead: 30 },
    firstAt: '2026-01-12T08:30:01.500Z',
    lastAt: '2026-01-12T08:30:23.000Z',
    malformed: 0,
  });
  fixtureHolds('kimi', 'cli-context.jsonl', {
    userTurns: 2,
    assistantMessages: 2,
    toolCalls: 1,
    toolResultsMatched: 1,
    toolResultsOrphan: 0,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车',
    firstAt: null,
    malformed: 0,
  });
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
