import assert from 'node:assert/strict';
import { show } from '../../../test/agents/claudeThreads.js';
import { callBlock, sessionId, writing, type PiWriter } from '../../../test/agents/piRecords.js';
import { counted, nothing, type Counted } from '../../../test/agents/counted.js';
import type { Thread } from '../../core/model/thread.js';
import { piParser } from './parse.js';

const parse = (lines: readonly string[], nativeId = '') => {
  const parser = piParser(nativeId);
  for (const line of lines) parser.push(Buffer.from(line));
  return parser;
};
const threadOf = (write: (to: PiWriter) => void): Thread => parse(writing(write)).thread();

suite('what is counted in a session of Pi', () => {
  const counts = (title: string, write: (to: PiWriter) => void, expected: Partial<Counted>) =>
    test(title, () => {
      assert.deepEqual(counted(threadOf(write)), { ...nothing, ...expected });
    });

  counts(
    'prompts, answers, thinking and calls with their results',
    (to) => {
      to.header();
      to.user(' go\n');
      to.answer([{ type: 'thinking', thinking: 'hm' }, callBlock('c1'), callBlock('c2')]);
      to.result('c2');
      to.result('c9');
      to.say('done');
    },
    { prompts: 1, answers: 2, calls: 2, matched: 1, orphans: 1, thinking: 1, first: 'go' },
  );

  counts(
    'shell lines, extensions and summaries are no prompts',
    (to) => {
      to.message('bashExecution', undefined, { command: 'ls', output: 'a', exitCode: 0 });
      to.message('custom', 'injected', { customType: 'x', display: true });
      to.message('hookMessage', 'injected', { customType: 'x', display: true });
      to.message('branchSummary', undefined, { summary: 'x' });
      to.message('compactionSummary', undefined, { summary: 'x' });
      to.add('custom_message', { content: 'injected', display: true });
      to.add('compaction', { summary: 'x', firstKeptEntryId: '0' });
    },
    {},
  );

  counts(
    'every branch counts, copies of an entry once',
    (to) => {
      const root = to.user('one');
      to.say('a');
      to.user('two', { parentId: root });
      to.user('two', { id: '00000002' });
    },
    { prompts: 2, answers: 1, first: 'one' },
  );

  counts(
    'the first version of the form, without ids',
    (to) => {
      to.loose({
        type: 'session',
        id: sessionId,
        timestamp: '2025-11-01T10:00:00.000Z',
        cwd: '/x',
      });
      const timestamp = '2025-11-01T10:00:01.000Z';
      const message = (role: string, content: unknown) =>
        to.loose({ type: 'message', timestamp, message: { role, content } });
      message('user', 'go');
      message('assistant', [{ type: 'text', text: 'a' }]);
      message('assistant', [{ type: 'text', text: 'b' }]);
    },
    { prompts: 1, answers: 2, first: 'go' },
  );

  test('facts: the folder, a given name, the models that answered, the times', () => {
    const thread = threadOf((to) => {
      to.header('/w/app');
      to.add('model_change', { provider: 'x', modelId: 'never-used' });
      to.user('go');
      to.say('a');
      to.add('session_info', { name: 'My work' });
    });
    assert.deepEqual(
      [thread.nativeId, thread.cwd, thread.title, thread.counts.models],
      [sessionId, '/w/app', 'My work', ['claude-sonnet-4-5']],
    );
    assert.equal(thread.counts.firstAt, Date.UTC(2026, 0, 5, 9, 0, 0));
    assert.equal(thread.counts.lastAt, Date.UTC(2026, 0, 5, 9, 0, 4));
  });

  const works = (title: string, write: (to: PiWriter) => void, expected: boolean) =>
    test(`${title}: ${expected ? 'at work' : 'at rest'}`, () => {
      assert.equal(parse(writing(write)).working, expected);
    });
  works('a prompt', (to) => void to.user('go'), true);
  works('a call', (to) => void to.answer([callBlock('c1')]), true);
  works('a result', (to) => void to.result('c1'), true);
  works('an answer', (to) => void to.say('done'), false);
  works('an interruption', (to) => void to.answer([], { stopReason: 'aborted' }), false);
});

suite('what is shown of a session of Pi', () => {
  const shows = (title: string, write: (to: PiWriter) => void, expected: readonly string[]) =>
    test(title, () => {
      assert.deepEqual(show(threadOf(write)), expected);
    });

  shows(
    'answers in their own order, with results and images',
    (to) => {
      const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
      to.message('user', [{ type: 'text', text: 'look' }, image]);
      to.answer([
        { type: 'text', text: 'ok' },
        { type: 'thinking', thinking: 'hm' },
        callBlock('c1'),
      ]);
      to.message('toolResult', [{ type: 'text', text: 'seen' }, image], { toolCallId: 'c1' });
      to.answer([], { stopReason: 'aborted' });
      to.answer([], { stopReason: 'error', errorMessage: 'No network' });
    },
    [
      'user: look image(image/png, 3)',
      'assistant: ok [hm] bash=>seen image(image/png, 3)',
      'system: interrupted()',
      'system: error(No network)',
    ],
  );

  shows(
    'the branch of the last entry',
    (to) => {
      const root = to.user('one');
      to.say('a');
      to.add('branch_summary', { summary: 'tried a', fromId: '1', parentId: root });
      to.user('two');
    },
    ['user: one', 'system: info(Left another branch: tried a)', 'user: two'],
  );

  shows(
    'a compaction, shell lines and what extensions say',
    (to) => {
      to.user('one');
      to.add('compaction', { summary: 'so far', firstKeptEntryId: '0', tokensBefore: 5 });
      to.message('bashExecution', undefined, { command: 'ls', output: 'a.ts' });
      to.add('custom_message', { content: 'note', display: true });
      to.add('custom_message', { content: 'hidden', display: false });
      to.add('custom', { data: {} });
      to.add('label', { targetId: '0', label: 'here' });
    },
    [
      'user: one',
      'system: compaction(so far)',
      'system: shell(ls)',
      'system: info(a.ts)',
      'system: info(note)',
    ],
  );
});
