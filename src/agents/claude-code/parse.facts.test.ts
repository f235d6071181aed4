import assert from 'node:assert/strict';
import { writing, type ClaudeWriter } from '../../../test/agents/claudeRecords.js';
import { parse, threadOf } from '../../../test/agents/claudeThreads.js';

suite('what a thread is called, and how it stands', () => {
  const titled = (title: string, expected: string, write: (to: ClaudeWriter) => void) =>
    test(title, () => {
      assert.equal(threadOf(write).title, expected);
    });

  const prompt = (to: ClaudeWriter) => to.user('fix\n  the bug', { uuid: 'a' });
  titled('the first prompt, on one line', 'fix the bug', prompt);
  titled('cut where it is long', `${'x'.repeat(99)}…`, (to) => to.user('x'.repeat(500)));
  titled('a summary of this session', 'sum', (to) => {
    to.loose({ type: 'summary', summary: 'sum', leafUuid: 'a' });
    prompt(to);
  });
  titled('never the summary of another session', 'fix the bug', (to) => {
    to.loose({ type: 'summary', summary: 'other', leafUuid: 'elsewhere' });
    prompt(to);
  });
  titled('the agent’s name before a summary', 'rex', (to) => {
    prompt(to);
    to.loose({ type: 'summary', summary: 'sum', leafUuid: 'a' });
    to.loose({ type: 'agent-name', agentName: 'rex' });
  });
  titled('a generated title before that', 'gen 2', (to) => {
    to.loose({ type: 'agent-name', agentName: 'rex' });
    to.loose({ type: 'ai-title', aiTitle: 'gen' });
    to.loose({ type: 'ai-title', aiTitle: 'gen 2' });
  });
  titled('a person’s title before everything', 'mine', (to) => {
    to.loose({ type: 'custom-title', customTitle: 'mine' });
    to.loose({ type: 'ai-title', aiTitle: 'gen' });
  });

  test('folder and branch come from the records: where it began, what is newest', () => {
    const thread = threadOf((to) => {
      to.user('go', { cwd: '/home/user/project' });
      to.user('more', { cwd: '/home/user/project/sub', gitBranch: 'topic', version: '2.1.50' });
    });
    assert.deepEqual(
      [thread.cwd, thread.branch, thread.version],
      ['/home/user/project', 'topic', '2.1.50'],
    );
  });

  const todos = (title: string, expected: readonly string[], write: (to: ClaudeWriter) => void) =>
    test(title, () => {
      assert.deepEqual(
        threadOf(write).todos.map(({ text, state }) => `${state} ${text}`),
        expected,
      );
    });
  const list = (...states: readonly string[]) =>
    states.map((status, at) => ({ content: `step ${at}`, status, activeForm: 'x' }));

  todos('the newest list of TodoWrite', ['done step 0', 'doing step 1', 'open step 2'], (to) => {
    to.call('m1', 't1', 'TodoWrite', { todos: list('pending') });
    to.call('m2', 't2', 'TodoWrite', { todos: list('completed', 'in_progress', 'pending') });
  });
  todos('the list that a prompt carries', ['doing step 0'], (to) => {
    to.user('go', { todos: list('in_progress') });
    to.user('more', { todos: [] });
  });
  todos(
    'tasks that are made, renamed, done and deleted one by one',
    ['done write', 'open test it'],
    (to) => {
      const made = (id: string, subject: string) =>
        to.result(`t${id}`, `Task #${id} created successfully`, {
          toolUseResult: { task: { id, subject } },
        });
      made('1', 'write');
      made('2', 'test');
      made('3', 'rest');
      to.call('m1', 'u1', 'TaskUpdate', { taskId: '1', status: 'completed' });
      to.call('m1', 'u2', 'TaskUpdate', { taskId: '2', subject: 'test it' });
      to.call('m1', 'u3', 'TaskUpdate', { taskId: '3', status: 'deleted' });
    },
  );

  const works = (title: string, expected: boolean, write: (to: ClaudeWriter) => void) =>
    test(title, () => {
      assert.equal(parse(writing(write)).working, expected);
    });

  works('not before anything was asked', false, (to) => to.loose({ type: 'mode' }));
  works('after a prompt', true, (to) => to.user('go'));
  works('while it thinks', true, (to) => to.answer('m1', { type: 'thinking', thinking: 'hm' }));
  works('while a tool runs', true, (to) => to.call('m1', 't1'));
  works('after a tool', true, (to) => to.result('t1'));
  works('between the text and the call of one answer', true, (to) =>
    to.answer('m1', { type: 'text', text: 'let me see' }, {}, 'tool_use'),
  );
  works('not after its answer', false, (to) => {
    to.user('go');
    to.answer('m1', { type: 'text', text: 'done' }, {}, 'end_turn');
  });
  works('not after an answer of a version that names no reason', false, (to) => {
    to.user('go');
    to.say('m1', 'done');
  });
  works('not after an interruption', false, (to) => {
    to.call('m1', 't1');
    to.user([{ type: 'text', text: '[Request interrupted by user for tool use]' }]);
  });
  works('not after an error', false, (to) => {
    to.user('go');
    to.say('e1', 'API Error', { isApiErrorMessage: true });
  });
  works('not after a command that the agent never sees', false, (to) => {
    to.user('<command-name>/model</command-name>');
    to.user('<local-command-stdout>Set</local-command-stdout>');
  });
  works('not because a subagent still talks', false, (to) => {
    to.say('m1', 'done');
    to.call('s1', 't1');
    to.say('m2', 'really done');
    to.user('x', { isSidechain: true });
  });
});
