import assert from 'node:assert/strict';
import { writing, type ClaudeWriter } from '../../../test/agents/claudeRecords.js';
import { parse, show, threadOf } from '../../../test/agents/claudeThreads.js';

suite('what is shown', () => {
  const shows = (title: string, write: (to: ClaudeWriter) => void, expected: readonly string[]) =>
    test(title, () => {
      assert.deepEqual(show(threadOf(write)), expected);
    });

  shows(
    'an answer is one turn, its results beside its calls',
    (to) => {
      to.user('go');
      to.answer('m1', { type: 'thinking', thinking: 'hm', signature: 's' });
      to.say('m1', 'looking');
      to.call('m1', 't1');
      to.result('t1', [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]);
      to.say('m2', 'done');
    },
    ['user: go', 'assistant: [hm] looking Bash=>a\nb', 'assistant: done'],
  );

  shows(
    'the result of a parallel call is not lost on its side branch',
    (to) => {
      to.user('go');
      const first = to.call('m1', 't1', 'A');
      const second = to.call('m1', 't2', 'B');
      to.result('t1', 'one', { parentUuid: first });
      to.result('t2', 'two', { parentUuid: second });
      to.say('m2', 'done');
    },
    ['user: go', 'assistant: A=>one B=>two', 'assistant: done'],
  );

  shows(
    'a call on another branch of the same answer is not lost',
    (to) => {
      const ask = to.user('go');
      const first = to.call('m1', 't1', 'A');
      to.call('m1', 't2', 'B');
      to.result('t2', 'two', { parentUuid: ask });
      to.result('t1', 'one', { parentUuid: first });
      to.say('m2', 'done');
    },
    ['user: go', 'assistant: A=>one B=>two', 'assistant: done'],
  );

  shows(
    'without a mark the newest branch is shown, whatever the times say',
    (to) => {
      to.user('go', { uuid: 'a' });
      to.say('m1', 'hi', { uuid: 'b' });
      to.user('old way', { parentUuid: 'b', timestamp: '2027-01-01T00:00:00.000Z' });
      to.user('new way', { parentUuid: 'b' });
    },
    ['user: go', 'assistant: hi', 'user: new way'],
  );

  shows(
    'the agent’s own mark decides between branches',
    (to) => {
      to.user('go', { uuid: 'a' });
      to.say('m1', 'hi', { uuid: 'b' });
      to.user('this way', { parentUuid: 'b', uuid: 'c' });
      to.loose({ type: 'last-prompt', leafUuid: 'c' });
      to.user('that way', { parentUuid: 'b' });
    },
    ['user: go', 'assistant: hi', 'user: this way'],
  );

  shows(
    'what was written after the mark is not lost',
    (to) => {
      to.user('go', { uuid: 'a' });
      to.loose({ type: 'last-prompt', leafUuid: 'a' });
      to.say('m1', 'hi');
      to.user('more');
    },
    ['user: go', 'assistant: hi', 'user: more'],
  );

  shows(
    'a mark that points nowhere loses nothing',
    (to) => {
      to.user('go');
      to.say('m1', 'hi');
      to.loose({ type: 'last-prompt', leafUuid: 'gone' });
    },
    ['user: go', 'assistant: hi'],
  );

  shows(
    'a missing parent does not cut the thread off',
    (to) => {
      to.user('go');
      to.say('m1', 'hi');
      to.user('more', { parentUuid: 'gone' });
      to.say('m2', 'yes');
    },
    ['user: go', 'assistant: hi', 'user: more', 'assistant: yes'],
  );

  shows(
    'records in a ring do not hang the reader',
    (to) => {
      to.user('go', { uuid: 'a', parentUuid: 'b' });
      to.say('m1', 'hi', { uuid: 'b', parentUuid: 'a' });
    },
    ['user: go', 'assistant: hi'],
  );

  shows(
    'records without ids are shown',
    (to) => {
      to.loose({ type: 'user', message: { content: 'go' } });
      to.loose({ type: 'assistant', message: { content: [{ type: 'text', text: 'hi' }] } });
    },
    ['user: go', 'assistant: hi'],
  );

  shows(
    'the chain runs through hooks and progress',
    (to) => {
      to.user('go');
      to.add('progress', { data: { type: 'hook_progress' } });
      to.add('attachment', { attachment: { type: 'hook_success' } });
      to.say('m1', 'hi');
    },
    ['user: go', 'assistant: hi'],
  );

  shows(
    'what was said before a compaction stays readable',
    (to) => {
      to.user('go');
      const last = to.say('m1', 'hi');
      to.add('system', {
        subtype: 'compact_boundary',
        parentUuid: null,
        logicalParentUuid: last,
        content: 'Conversation compacted',
      });
      to.user('This session is being continued: we said hi', { isCompactSummary: true });
      to.user('more');
    },
    [
      'user: go',
      'assistant: hi',
      'system: compaction(This session is being continued: we said hi)',
      'user: more',
    ],
  );

  shows(
    'and not what another branch said before the compaction',
    (to) => {
      to.user('go', { uuid: 'a' });
      to.say('m1', 'hi', { uuid: 'b' });
      to.user('the other way', { parentUuid: 'a' });
      to.add('system', {
        subtype: 'compact_boundary',
        parentUuid: null,
        logicalParentUuid: 'b',
      });
      to.user('more');
    },
    ['user: go', 'assistant: hi', 'system: compaction()', 'user: more'],
  );

  shows(
    'also where the boundary names nothing before it',
    (to) => {
      to.user('go');
      to.add('system', { subtype: 'compact_boundary', parentUuid: null });
      to.user('more');
    },
    ['user: go', 'system: compaction()', 'user: more'],
  );

  shows(
    'commands, shell lines, interruptions and errors are notices',
    (to) => {
      to.user('<command-name>/model</command-name><command-args>opus</command-args>');
      to.user('<local-command-stdout>Set</local-command-stdout>');
      to.user('<bash-input>ls</bash-input>');
      to.user([{ type: 'text', text: '[Request interrupted by user]' }]);
      to.say('e1', 'API Error: 529', { isApiErrorMessage: true });
      to.add('system', { subtype: 'local_command', content: '<command-name>/cost</command-name>' });
    },
    [
      'system: command(/model opus)',
      'system: info(Set)',
      'system: shell(ls)',
      'system: interrupted([Request interrupted by user])',
      'system: error(API Error: 529)',
      'system: command(/cost)',
    ],
  );

  shows(
    'images are named with their size, in prompts and in results',
    (to) => {
      const image = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: 'AAECAwQ=' },
      };
      to.user([{ type: 'text', text: 'look' }, image]);
      to.user([image]);
      to.call('m1', 't1', 'Read');
      to.result('t1', [image]);
    },
    [
      'user: look image(image/png, 5)',
      'user: image(image/png, 5)',
      'assistant: Read=> image(image/png, 5)',
    ],
  );

  shows(
    'files that were attached stand with the prompt',
    (to) => {
      to.user('see @a.ts');
      to.add('attachment', {
        attachment: {
          type: 'file',
          filename: '/home/user/project/a.ts',
          displayPath: 'a.ts',
          content: {},
        },
      });
      to.say('m1', 'ok');
    },
    ['user: see @a.ts @a.ts', 'assistant: ok'],
  );

  shows(
    'a prompt typed while the agent worked is shown',
    (to) => {
      to.user('go');
      to.add('attachment', {
        attachment: { type: 'queued_command', prompt: 'hurry', commandMode: 'prompt' },
      });
    },
    ['user: go', 'user: hurry'],
  );

  shows(
    'a prompt that only the queue’s log holds is not lost, and none is shown twice',
    (to) => {
      const queue = (operation: string, content?: string) =>
        to.loose({ type: 'queue-operation', operation, content });
      to.user('go');
      to.call('m1', 't1');
      queue('enqueue', 'taken mid-turn');
      queue('enqueue', 'taken as an attachment');
      queue('enqueue', '<task-notification>x</task-notification>');
      queue('remove');
      queue('remove');
      queue('remove');
      to.result('t1');
      to.add('attachment', {
        attachment: { type: 'queued_command', prompt: 'taken as an attachment' },
      });
      queue('enqueue', 'taken back');
      queue('popAll', 'taken back');
      queue('enqueue', 'sent after the turn');
      queue('dequeue');
      to.user('sent after the turn');
    },
    [
      'user: go',
      'assistant: Bash=>ok',
      'system: info(Typed while the agent worked: taken mid-turn)',
      'user: taken as an attachment',
      'user: sent after the turn',
    ],
  );

  shows(
    'a subagent’s talk in the same file is not mixed in',
    (to) => {
      to.user('go');
      const call = to.call('m1', 't1', 'Task');
      to.user('sub', { isSidechain: true, parentUuid: null });
      to.say('s1', 'sub answer', { isSidechain: true });
      to.result('t1', 'report', { parentUuid: call });
    },
    ['user: go', 'assistant: Task=>report'],
  );

  test('records glued together on one line are shown, and the line is counted as broken', () => {
    const lines = writing((to) => {
      to.user('go');
      to.say('m1', 'hi');
      to.user('more');
    });
    const thread = parse([`${lines[0] ?? ''}${lines[1] ?? ''}`, lines[2] ?? '']).thread();
    assert.deepEqual(show(thread), ['user: go', 'assistant: hi', 'user: more']);
    assert.equal(thread.counts.malformed, 1);
    assert.equal(thread.counts.assistantMessages, 0);
  });

  test('a record after the start of another one, or after NULs, is shown', () => {
    const lines = writing((to) => {
      to.user('lost');
      to.user('go', { parentUuid: null });
      to.say('m1', 'hi');
    });
    const [lost = '', go = '', hi = ''] = lines;
    const thread = parse([`${lost.slice(0, 150)}${go}`, `${'\0'.repeat(300)}${hi}`]).thread();
    assert.deepEqual(show(thread), ['user: go', 'assistant: hi']);
    assert.deepEqual(
      thread.skipped.map(({ reason }) => reason),
      ['notJson', 'nulBytes'],
    );
  });
});
