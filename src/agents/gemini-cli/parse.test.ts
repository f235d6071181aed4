import assert from 'node:assert/strict';
import { show } from '../../../test/agents/claudeThreads.js';
import {
  call,
  contextText,
  gemini,
  linesOf,
  metadata,
  response,
  sessionId,
  set,
  user,
} from '../../../test/agents/geminiRecords.js';
import { counted, nothing, type Counted } from '../../../test/agents/counted.js';
import type { Thread } from '../../core/model/thread.js';
import { geminiParser } from './parse.js';

const parse = (...records: readonly unknown[]) => {
  const parser = geminiParser('');
  for (const line of linesOf(...records)) parser.push(Buffer.from(line));
  return parser;
};
const threadOf = (...records: readonly unknown[]): Thread => parse(...records).thread();

const functionCall = (id: string) => ({
  functionCall: { id, name: 'run_shell_command', args: {} },
});

suite('what is counted in a session of Gemini CLI', () => {
  const counts = (title: string, records: readonly unknown[], expected: Partial<Counted>) =>
    test(title, () => {
      assert.deepEqual(counted(threadOf(...records)), { ...nothing, ...expected });
    });

  counts(
    'a message that is written again is one message, as it was last',
    [
      user('m1', 'go'),
      gemini('m2', 'looking', { thoughts: [{ subject: 'S', description: 'd' }] }),
      gemini('m2', 'looking', {
        thoughts: [{ subject: 'S', description: 'd' }],
        toolCalls: [call('c1'), call('c2', { result: null, status: 'cancelled' })],
      }),
      user('m3', [response('c1')]),
      gemini('m4', 'done'),
    ],
    { prompts: 1, answers: 2, calls: 2, matched: 1, thinking: 1, first: 'go' },
  );

  counts(
    'what a rewind dropped is not counted',
    [
      user('m1', 'one'),
      gemini('m2', 'a'),
      user('m3', 'two'),
      gemini('m4', 'b'),
      { $rewindTo: 'm3' },
    ],
    { prompts: 1, answers: 1, first: 'one' },
  );

  counts(
    'a rewind to what is not there drops everything',
    [user('m1', 'one'), gemini('m2', 'a'), { $rewindTo: 'nowhere' }, user('m5', 'new')],
    { prompts: 1, first: 'new' },
  );

  counts(
    'a list of messages stands for all before it',
    [
      user('m1', 'one'),
      gemini('m2', 'a'),
      set({ messages: [user('m7', 'other'), gemini('m8', 'b'), gemini('m9', 'c')] }),
      gemini('m10', 'd'),
    ],
    { prompts: 1, answers: 3, first: 'other' },
  );

  counts(
    'a change of other facts keeps them',
    [user('m1', 'one'), set({ summary: 'S', lastUpdated: '2026-01-05T10:00:00.000Z' })],
    { prompts: 1, first: 'one' },
  );

  counts(
    'a resumed session has its calls and thoughts in the content, and they are the same',
    [
      set({
        messages: [
          user('m1', 'go'),
          gemini('m2', [{ text: 'hm', thought: true }, { text: 'looking' }, functionCall('c1')]),
          user('m2_response', [response('c1')]),
          user('m3', [response('c1')]),
        ],
      }),
    ],
    { prompts: 1, answers: 1, calls: 1, matched: 1, thinking: 1, first: 'go' },
  );

  counts(
    'nothing injected is a prompt',
    [
      user('m1', contextText('/x')),
      user('m2', '<hook_context>x</hook_context>'),
      user('m3', '<state_snapshot>so far</state_snapshot>'),
      user('m4', [response('c9')]),
      user('m5', ''),
      { id: 'm6', type: 'info', content: 'Update available' },
    ],
    { orphans: 1 },
  );

  counts(
    'a hook’s words beside a prompt are not in it, an image alone is one',
    [
      user('m1', [{ text: ' go\n' }, { text: '<hook_context>x</hook_context>' }]),
      user('m2', [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }]),
      user('m3', 'text as a string'),
      user('m4', [{ text: 'go @a.ts' }, { text: 'CONTENT' }], { displayContent: 'go @a.ts' }),
    ],
    { prompts: 4, first: 'go' },
  );

  test('times and models of the whole file, also of what was replaced', () => {
    const { counts } = threadOf(
      metadata({ startTime: '2026-01-05T08:00:00.000Z' }),
      user('m1', 'go', { timestamp: 'never' }),
      gemini('m2', 'a', { model: 'gemini-2.5-flash' }),
      set({ messages: [user('m1', 'go'), gemini('m2', 'a', { model: undefined })] }),
      gemini('m3', 'b', { toolCalls: [call('c1', { timestamp: '2026-01-05T12:00:00.000Z' })] }),
    );
    assert.deepEqual(counts.models, ['gemini-2.5-flash', 'gemini-2.5-pro']);
    assert.equal(counts.firstAt, Date.UTC(2026, 0, 5, 8));
    assert.equal(counts.lastAt, Date.UTC(2026, 0, 5, 12));
  });

  test('a file that is one object: each message, then the rest', () => {
    const thread = threadOf(user('m1', 'go'), gemini('m2', 'a'), metadata({ summary: 'My work' }));
    assert.deepEqual(
      [thread.nativeId, thread.title, thread.counts.userTurns, thread.turns.length],
      [sessionId, 'My work', 1, 2],
    );
  });

  test('the title is the summary, or the first prompt that is no command', () => {
    assert.equal(threadOf(user('m1', '/help'), user('m2', 'go')).title, 'go');
    assert.equal(threadOf(user('m1', '/help')).title, '/help');
    assert.equal(threadOf(user('m1', 'go'), set({ summary: 'Work' })).title, 'Work');
  });

  const works = (title: string, records: readonly unknown[], expected: boolean) =>
    test(`${title}: ${expected ? 'at work' : 'at rest'}`, () => {
      assert.equal(parse(...records).working, expected);
    });
  works('a prompt', [user('m1', 'go')], true);
  works('a call', [user('m1', 'go'), gemini('m2', '', { toolCalls: [call('c1')] })], true);
  works('results', [user('m1', 'go'), user('m3', [response('c1')])], true);
  works('an answer', [user('m1', 'go'), gemini('m2', 'done')], false);
  works('the context alone', [set({ messages: [user('m0', contextText('/x'))] })], false);
});

suite('what is shown of a session of Gemini CLI', () => {
  const shows = (title: string, records: readonly unknown[], expected: readonly string[]) =>
    test(title, () => {
      assert.deepEqual(show(threadOf(...records)), expected);
    });

  shows(
    'thoughts, words and calls with what they were answered',
    [
      user('m1', [{ text: 'go' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }]),
      gemini('m2', 'looking', {
        thoughts: [{ subject: 'Plan', description: 'first this' }],
        toolCalls: [call('c1'), call('c2', { result: null })],
      }),
      { id: 'm3', type: 'error', content: 'No network' },
    ],
    [
      'user: go image(image/png, 3)',
      'assistant: [Plan: first this] looking run_shell_command=>ok run_shell_command=>?',
      'system: error(No network)',
    ],
  );

  shows(
    'a resumed session shows each message once, where it was',
    [
      set({ messages: [user('m0', contextText('/x'))] }),
      user('m1', 'go'),
      gemini('m2', 'looking', { toolCalls: [call('c1')] }),
      user('m3', [response('c1')]),
      metadata(),
      set({ messages: [user('m0', contextText('/x'))] }),
      set({
        messages: [
          user('m0', contextText('/x')),
          user('m1', 'go'),
          gemini('m2', [{ text: 'looking' }, functionCall('c1')], { model: undefined }),
          user('m3', [response('c1')]),
        ],
      }),
      user('m5', 'more'),
    ],
    ['user: go', 'assistant: looking run_shell_command=>ok', 'user: more'],
  );

  test('a resumed session keeps the times and models of before', () => {
    const { turns } = threadOf(
      gemini('m2', 'a'),
      set({
        messages: [gemini('m2', 'a', { model: undefined, timestamp: '2027-01-01T00:00:00Z' })],
      }),
    );
    assert.deepEqual(
      turns.map(({ at, model }) => [at, model]),
      [[Date.UTC(2026, 0, 5, 9, 0, 2), 'gemini-2.5-pro']],
    );
  });

  shows(
    'what a compression replaced stays readable',
    [
      user('m1', 'one'),
      gemini('m2', 'a'),
      user('m3', 'two'),
      set({ messages: [user('s', '<state_snapshot>so far</state_snapshot>'), user('m3', 'two')] }),
      gemini('m4', 'b'),
    ],
    [
      'user: one',
      'assistant: a',
      'system: compaction(<state_snapshot>so far</state_snapshot>)',
      'user: two',
      'assistant: b',
    ],
  );

  shows(
    'what was rewound is gone',
    [
      user('m1', 'one'),
      gemini('m2', 'a'),
      user('m3', 'two'),
      { $rewindTo: 'm3' },
      user('m5', 'new'),
    ],
    ['user: one', 'assistant: a', 'user: new'],
  );

  test('the list of tasks is the newest one, without what was cancelled', () => {
    const todos = (...items: readonly (readonly [string, string])[]) =>
      call('t', {
        name: 'write_todos',
        args: { todos: items.map(([description, status]) => ({ description, status })) },
      });
    const thread = threadOf(
      gemini('m1', '', { toolCalls: [todos(['old', 'pending'])] }),
      gemini('m2', '', {
        toolCalls: [todos(['look', 'completed'], ['write', 'in_progress'], ['no', 'cancelled'])],
      }),
      gemini('m3', 'on it'),
    );
    assert.deepEqual(thread.todos, [
      { text: 'look', state: 'done' },
      { text: 'write', state: 'doing' },
    ]);
  });
});
