import assert from 'node:assert/strict';
import { parsed, type OpenCodeWriter } from '../../../test/agents/openCodeRows.js';
import { show } from '../../../test/agents/claudeThreads.js';

type Write = (to: OpenCodeWriter) => unknown;

const thread = (write: Write) => parsed(write).thread();
const counts = (write: Write) => {
  const whole = thread(write).counts;
  assert.deepEqual(parsed(write, false).thread({ turns: false }).counts, whole);
  return whole;
};

suite('OpenCode, what rows mean', () => {
  const isShown = (title: string, write: Write, expected: readonly string[]) =>
    test(title, () => assert.deepEqual(show(thread(write)), expected));

  isShown(
    'a prompt, thinking, words and tools with their results come in the order they were made',
    (to) =>
      to
        .user('写一个文件')
        .answer()
        .part({ type: 'step-start' })
        .part({ type: 'reasoning', text: 'Plan.' })
        .part({ type: 'text', text: 'Looking 👀' })
        .call('a')
        .call('b', { status: 'error', output: undefined, error: 'Exit code 3' })
        .call('c', { status: 'running', output: undefined })
        .say('完成'),
    [
      'user: 写一个文件',
      'assistant: [Plan.] Looking 👀 bash=>out a bash=>Exit code 3 bash=>?',
      'assistant: 完成',
    ],
  );
  isShown(
    'what the program put beside a prompt is not shown as typed',
    (to) =>
      to
        .user('Look at @a.ts')
        .part({ type: 'text', text: 'Called the Read tool', synthetic: true })
        .part({ type: 'text', text: 'not sent', ignored: true })
        .part({ type: 'file', mime: 'text/plain', filename: 'a.ts', url: 'file:///p/a.ts' }),
    ['user: Look at @a.ts @a.ts'],
  );
  isShown(
    'images are shown with their size, typed and found by tools',
    (to) =>
      to
        .user('See')
        .part({ type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' })
        .answer()
        .call('a', {
          attachments: [{ mime: 'image/jpeg', url: 'data:image/jpeg;base64,AAAAAA==' }],
        }),
    ['user: See image(image/png, 3)', 'assistant: bash=>out a image(image/jpeg, 4)'],
  );
  isShown(
    'a compaction is one event, and what was before stays',
    (to) =>
      to
        .user('First')
        .say('Yes')
        .user('')
        .part({ type: 'compaction', auto: true })
        .say('Summary of it', { summary: true })
        .user('Then'),
    ['user: First', 'assistant: Yes', 'system: compaction(Summary of it)', 'user: Then'],
  );
  isShown(
    'an interruption and an error say so',
    (to) =>
      to
        .user('Go')
        .say('Half', { error: { name: 'MessageAbortedError', data: { message: 'Aborted' } } })
        .answer({ error: { name: 'APIError', data: { message: 'Overloaded' } } }),
    ['user: Go', 'assistant: Half', 'system: interrupted(Aborted)', 'system: error(Overloaded)'],
  );
  isShown(
    'turns that were undone are left out',
    (to) => {
      to.user('Keep').say('Kept').user('Undo');
      const messageID = to.lastMessage;
      to.say('Gone').setSession({ revert: JSON.stringify({ messageID }) });
    },
    ['user: Keep', 'assistant: Kept'],
  );
  isShown(
    'the last version of a row counts, and it keeps its place',
    (to) =>
      to
        .user('Go')
        .answer()
        .part({ type: 'text', text: '' }, 'prt_1')
        .call('a')
        .part({ type: 'text', text: 'All of it' }, 'prt_1'),
    ['user: Go', 'assistant: bash=>out a All of it'],
  );

  test('counts are of everything that was ever there', () => {
    const found = counts((to) => {
      to.user('  First  ').answer().part({ type: 'reasoning', text: 'x' }).call('a');
      to.say('ok', { modelID: 'm2' }).call('b', { status: 'running' });
      to.user('').part({ type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' });
      const messageID = to.lastMessage;
      to.user('').part({ type: 'compaction', auto: false });
      to.user('Last').setSession({ revert: JSON.stringify({ messageID }) });
    });
    const { firstAt, lastAt, ...rest } = found;
    assert.ok((firstAt ?? 0) < (lastAt ?? 0));
    assert.deepEqual(rest, {
      userTurns: 3,
      assistantMessages: 2,
      toolCalls: 2,
      toolResultsMatched: 1,
      toolResultsOrphan: 0,
      thinkingBlocks: 1,
      firstPrompt: 'First',
      lastPrompt: 'Last',
      models: ['m1', 'm2'],
      malformed: 0,
    });
  });

  test('rows that cannot be understood are counted and cost nothing else', () => {
    const { counts: found, skipped } = thread((to) =>
      to
        .user('Go')
        .put('part', { id: 'prt_x', message_id: to.lastMessage, data: '{"type":"te' })
        .put('message', { id: 'msg_x', session_id: 'ses_1', data: '' })
        .put('later_table', { id: '1', data: 'x' })
        .say('Fine'),
    );
    assert.deepEqual([found.userTurns, found.assistantMessages, found.malformed], [1, 1, 2]);
    assert.deepEqual(
      skipped.map(({ line }) => line),
      [4, 5],
    );
  });

  test('a title of the program’s making up is none', () => {
    assert.equal(thread((to) => to.user('Go')).title, undefined);
    assert.equal(thread((to) => to.setSession({ title: 'Fix it' })).title, 'Fix it');
  });

  test('the session’s row says where it belongs', () => {
    const { cwd, parent, version } = thread((to) => to.setSession({ parent_id: 'ses_0' }));
    assert.deepEqual([cwd, parent, version], ['/home/user/project', 'ses_0', '1.18.33']);
  });

  const isWorking = (title: string, expected: boolean, write: Write) =>
    test(`${title}: ${expected ? 'working' : 'not working'}`, () =>
      assert.equal(parsed(write).working, expected));
  isWorking('nothing was asked', false, () => undefined);
  isWorking('a prompt without an answer', true, (to) => to.user('Go'));
  isWorking('an answer that is not complete', true, (to) => to.user('Go').say('x', { time: {} }));
  isWorking('a step that called tools', true, (to) =>
    to.user('Go').say('x', { finish: 'tool-calls' }),
  );
  isWorking('a finished answer', false, (to) => to.user('Go').say('x', { finish: 'stop' }));
  isWorking('an interrupted one', false, (to) => to.user('Go').say('x', { time: {}, error: {} }));
});
