import assert from 'node:assert/strict';
import { threadId, writing, type CodexWriter } from '../../../test/agents/codexRecords.js';
import { counted, nothing, type Counted } from '../../../test/agents/counted.js';
import type { Thread } from '../../core/model/thread.js';
import { codexParser } from './parse.js';

const parse = (lines: readonly string[], nativeId = threadId) => {
  const parser = codexParser(nativeId);
  for (const line of lines) parser.push(Buffer.from(line));
  return parser;
};
const threadOf = (write: (to: CodexWriter) => void): Thread => parse(writing(write)).thread();

suite('what is counted in a rollout', () => {
  const counts = (title: string, write: (to: CodexWriter) => void, expected: Partial<Counted>) =>
    test(title, () => {
      assert.deepEqual(counted(threadOf(write)), { ...nothing, ...expected });
    });

  counts(
    'a message and its event are one',
    (to) => {
      to.prompt('go');
      to.think('hm');
      to.say('done');
    },
    { prompts: 1, answers: 1, thinking: 1, first: 'go' },
  );

  counts(
    'prompts of the version that has no such events',
    (to) => {
      to.message('user', '<environment_context><cwd>/x</cwd></environment_context>');
      to.message('user', 'go');
      const content = [{ type: 'text', text: 'go', text_elements: [] }];
      to.event('item_completed', { item: { type: 'UserMessage', id: 'p1', content } });
      to.event('item_completed', { item: { type: 'AgentMessage', id: 'a1', content: [] } });
      to.message('assistant', 'done');
    },
    { prompts: 1, answers: 1, first: 'go' },
  );

  counts(
    'prompts of a file that has messages alone, without those that nobody typed',
    (to) => {
      to.message('developer', '<permissions instructions>x</permissions instructions>');
      to.message('system', 'You are Codex');
      for (const text of [
        '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>',
        '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>',
        '<user_instructions>\nbe kind\n</user_instructions>',
        '<INSTRUCTIONS>be kind</INSTRUCTIONS>',
        '<skill>\n<name>x</name>\n</skill>',
        '<turn_aborted>\nThe user interrupted\n</turn_aborted>',
        '<permissions instructions>x</permissions instructions>',
        '<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>',
        '<subagent_notification>{}</subagent_notification>',
        '\n <environment_context/>',
      ]) {
        to.message('user', text);
      }
      to.message('user', 'go');
      to.message('user', 'What is <environment_context> for?');
    },
    { prompts: 2, first: 'go' },
  );

  counts(
    'one message may hold what was injected and what was typed',
    (to) =>
      to.item('message', {
        role: 'user',
        content: [
          { type: 'input_text', text: '# AGENTS.md instructions for /x' },
          { type: 'input_text', text: '<image name=[Image #1]>' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
          { type: 'input_text', text: '</image>' },
          { type: 'input_text', text: 'what is this?' },
        ],
      }),
    { prompts: 1, first: 'what is this?' },
  );

  counts(
    'events for injected messages are no prompts, as the first versions had them',
    (to) => {
      const event = (kind: string, message: string) => to.event('user_message', { kind, message });
      event('environment_context', '<environment_context>\n</environment_context>');
      event('user_instructions', '<user_instructions>\n\nbe kind</user_instructions>');
      event('plain', '<environment_context>\n</environment_context>');
      event('plain', 'go');
    },
    { prompts: 1, first: 'go' },
  );

  counts(
    'what an editor puts before a prompt is not in it',
    (to) =>
      to.prompt(
        '# Context from my IDE setup:\n\n## Active file: a.ts\n\n## My request for Codex:\nfix it\n',
      ),
    { prompts: 1, first: 'fix it' },
  );

  counts(
    'an image alone is a prompt, and the first words are the title',
    (to) => {
      to.event('user_message', { message: '', images: ['data:image/png;base64,AAAA'] });
      to.prompt('now with words');
    },
    { prompts: 2, first: 'now with words' },
  );

  counts(
    'every kind of call with an id is one, once, whatever order its result comes in',
    (to) => {
      to.result('c1');
      to.call('c1');
      to.call('c1');
      to.item('custom_tool_call', { name: 'apply_patch', input: '*** Begin Patch', call_id: 'c2' });
      to.item('custom_tool_call_output', { call_id: 'c2', output: 'Success.' });
      to.item('local_shell_call', { id: 'c3', call_id: null, action: { command: ['ls'] } });
      to.item('function_call_output', { call_id: 'c3', output: 'x' });
      to.item('tool_search_call', { call_id: 'c4', arguments: { query: 'x' } });
      to.item('tool_search_output', { call_id: 'c4', tools: [] });
      to.item('web_search_call', { status: 'completed', action: { query: 'x' } });
      to.call('c5');
      to.result('c9');
      to.result('c9');
    },
    { calls: 5, matched: 4, orphans: 1 },
  );

  counts(
    'empty and encrypted thinking is thinking',
    (to) => {
      to.item('reasoning', { summary: [], encrypted_content: 'gAAAA' });
      to.item('reasoning', { id: 'rs_1', summary: [] });
    },
    { thinking: 2 },
  );

  counts(
    'a copy of an item counts once, another item with the same id counts',
    (to) => {
      to.message('assistant', 'one', { id: 'm1' });
      to.message('assistant', 'one', { id: 'm1' });
      to.message('assistant', 'two', { id: 'm1' });
      to.message('assistant', 'no id');
      to.message('assistant', 'no id');
    },
    { answers: 4 },
  );

  counts(
    'what was rolled back and what was summarized counts',
    (to) => {
      to.prompt('one');
      to.say('a');
      to.event('thread_rolled_back', { num_turns: 1 });
      to.prompt('two');
      const message = { type: 'message', role: 'user', content: [] };
      to.add('compacted', { message: 'so far', replacement_history: [message] });
      to.event('context_compacted');
      to.prompt('three');
    },
    { prompts: 3, answers: 1, first: 'one' },
  );
});

suite('what is known of a rollout', () => {
  test('the facts of its own first line, not of the parent’s that was copied', () => {
    const thread = parse(
      writing((to) => {
        const spawned = { parent_thread_id: 'parent-1', depth: 1 };
        to.meta({ source: { subagent: { thread_spawn: spawned } }, git: { branch: 'side' } });
        to.meta({ id: 'parent-1', cwd: '/elsewhere', cli_version: '0.1.0' });
        to.context('gpt-5-codex', '/later');
        to.context('gpt-5.1', '/later');
      }),
      '',
    ).thread();
    assert.deepEqual(
      [thread.nativeId, thread.parent, thread.cwd, thread.branch, thread.version],
      [threadId, 'parent-1', '/home/user/project', 'side', '0.91.0'],
    );
    assert.deepEqual(thread.counts.models, ['gpt-5-codex', 'gpt-5.1']);
    assert.equal(thread.counts.firstAt, Date.UTC(2026, 0, 5, 9, 0, 0));
    assert.equal(thread.counts.lastAt, Date.UTC(2026, 0, 5, 9, 0, 3));
  });

  test('a fork has no parent', () => {
    const thread = threadOf((to) => to.meta({ forked_from_id: 'x' }));
    assert.equal(thread.parent, undefined);
  });

  test('a name that a person gave is the title, the first prompt otherwise', () => {
    assert.equal(threadOf((to) => to.prompt('go  on\nnow')).title, 'go on now');
    const named = threadOf((to) => {
      to.prompt('go');
      to.event('thread_name_updated', { thread_name: 'My work' });
    });
    assert.equal(named.title, 'My work');
  });

  test('the plan is the newest one', () => {
    const { todos } = threadOf((to) => {
      to.call('c1', 'update_plan', { plan: [{ step: 'old', status: 'pending' }] });
      to.call('c2', 'update_plan', {
        explanation: 'x',
        plan: [
          { step: 'look', status: 'completed' },
          { step: 'write', status: 'in_progress' },
          { step: 'test', status: 'pending' },
          { status: 'pending' },
        ],
      });
    });
    assert.deepEqual(todos, [
      { text: 'look', state: 'done' },
      { text: 'write', state: 'doing' },
      { text: 'test', state: 'open' },
    ]);
  });

  const works = (title: string, write: (to: CodexWriter) => void, expected: boolean) =>
    test(`${title}: ${expected ? 'at work' : 'at rest'}`, () => {
      assert.equal(parse(writing(write)).working, expected);
    });
  works('nothing yet', (to) => to.meta(), false);
  works('a prompt', (to) => to.prompt('go'), true);
  works('a result that waits for an answer', (to) => to.result('c1'), true);
  works('an answer of an old version', (to) => to.say('done'), false);
  works(
    'words between tools of a version that tells when it ends',
    (to) => {
      to.event('task_started');
      to.say('looking');
    },
    true,
  );
  works(
    'an end',
    (to) => {
      to.event('task_started');
      to.prompt('go');
      to.event('task_complete');
    },
    false,
  );
  works(
    'an interruption',
    (to) => {
      to.prompt('go');
      to.event('turn_aborted', { reason: 'interrupted' });
    },
    false,
  );
});

suite('rollouts of the first versions', () => {
  const bare = [
    { id: threadId, timestamp: '2025-08-01T10:00:00.000Z', instructions: null, git: null },
    { record_type: 'state' },
    {
      type: 'message',
      id: null,
      role: 'user',
      content: [
        {
          type: 'input_text',
          text: '<environment_context>\nCurrent working directory: /old/app\nApproval policy: never\n</environment_context>',
        },
      ],
    },
    { type: 'message', id: null, role: 'user', content: [{ type: 'input_text', text: 'go' }] },
    { record_type: 'state' },
    { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: null },
    {
      type: 'function_call',
      id: 'fc_1',
      name: 'shell',
      arguments: '{"command":["ls"]}',
      call_id: 'c1',
    },
    {
      type: 'function_call_output',
      call_id: 'c1',
      output: '{"output":"a.ts\\n","metadata":{"exit_code":1,"duration_seconds":0.1}}',
    },
    {
      type: 'message',
      id: 'm1',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'ok' }],
    },
  ];

  test('lines without an envelope', () => {
    const thread = parse(
      bare.map((line) => JSON.stringify(line)),
      '',
    ).thread();
    assert.deepEqual(counted(thread), {
      prompts: 1,
      answers: 1,
      calls: 1,
      matched: 1,
      orphans: 0,
      thinking: 1,
      first: 'go',
    });
    assert.deepEqual([thread.nativeId, thread.cwd], [threadId, '/old/app']);
    assert.equal(thread.counts.firstAt, Date.UTC(2025, 7, 1, 10));
    const call = thread.turns[1]?.parts.find((part) => part.kind === 'toolCall');
    assert.deepEqual(call?.result, { text: 'a.ts\n', isError: true });
  });

  test('a file that is one object: its items, then the rest', () => {
    const items = bare.slice(3).filter((line) => 'type' in line);
    const session = { timestamp: '2025-05-01T10:00:00.000Z', id: threadId, instructions: '' };
    const records = [...items, { session }];
    const thread = parse(
      records.map((record) => JSON.stringify(record)),
      '',
    ).thread();
    assert.deepEqual(
      [thread.nativeId, thread.counts.userTurns, thread.turns.length],
      [threadId, 1, 3],
    );
    assert.equal(thread.counts.firstAt, Date.UTC(2025, 4, 1, 10));
  });
});
