import assert from 'node:assert/strict';
import { show } from '../../../test/agents/claudeThreads.js';
import { threadId, writing, type CodexWriter } from '../../../test/agents/codexRecords.js';
import { codexParser } from './parse.js';

const turnsOf = (lines: readonly string[]): readonly string[] => {
  const parser = codexParser(threadId);
  for (const line of lines) parser.push(Buffer.from(line));
  return show(parser.thread());
};

suite('what is shown of a rollout', () => {
  const shows = (title: string, write: (to: CodexWriter) => void, expected: readonly string[]) =>
    test(title, () => {
      assert.deepEqual(turnsOf(writing(write)), expected);
    });

  shows(
    'what the model says at once is one turn, up to the first result',
    (to) => {
      to.prompt('go');
      to.think('hm');
      to.say('looking');
      to.call('c1', 'shell');
      to.call('c2', 'shell');
      to.result('c2', 'two');
      to.result('c1', 'one');
      to.say('done');
    },
    ['user: go', 'assistant: [hm] looking shell=>one shell=>two', 'assistant: done'],
  );

  shows(
    'a patch is shown as it was written, a call of a server with its name',
    (to) => {
      to.item('custom_tool_call', { name: 'apply_patch', input: '*** Begin Patch', call_id: 'c1' });
      to.item('function_call', {
        namespace: 'github',
        name: 'search',
        arguments: '{}',
        call_id: 'c2',
      });
    },
    ['assistant: apply_patch=>? github.search=>?'],
  );

  shows(
    'an answer in any form',
    (to) => {
      to.call('c1', 'a');
      to.call('c2', 'b');
      to.call('c3', 'c');
      to.result('c1', { content: 'text', success: false });
      to.result('c2', [
        { type: 'input_text', text: 'seen' },
        { type: 'input_image', image_url: 'data:image/png;base64,AAAA' },
      ]);
      to.result('c3', '{"output":"old","metadata":{"exit_code":0}}');
    },
    ['assistant: a=>text b=>seen image(image/png, 3) c=>old'],
  );

  shows(
    'images and shell lines of the person, searches and interruptions',
    (to) => {
      to.event('user_message', {
        message: 'look',
        images: ['data:image/jpeg;base64,AAAAAA=='],
        local_images: ['/tmp/a.png'],
      });
      to.item('web_search_call', { action: { type: 'search', query: 'weather' } });
      to.event('turn_aborted', { reason: 'interrupted' });
      to.message('user', '<turn_aborted>x</turn_aborted>');
      to.message(
        'user',
        '<user_shell_command>\n<command>\nls -l\n</command>\n<result>x</result>\n</user_shell_command>',
      );
    },
    [
      'user: look image(image/jpeg, 4) image(image, 0)',
      'assistant: info(Searched the web: weather)',
      'system: interrupted()',
      'system: shell(ls -l)',
    ],
  );

  shows(
    'what was rolled back is gone, what comes after is there',
    (to) => {
      to.prompt('one');
      to.say('a');
      to.prompt('two');
      to.say('b');
      to.prompt('three');
      to.say('c');
      to.event('thread_rolled_back', { num_turns: 2 });
      to.prompt('four');
      to.say('d');
    },
    ['user: one', 'assistant: a', 'user: four', 'assistant: d'],
  );

  shows(
    'a rollback of more than there is leaves nothing',
    (to) => {
      to.prompt('one');
      to.say('a');
      to.event('thread_rolled_back', { num_turns: 9 });
    },
    [],
  );

  shows(
    'a compaction is one event, and what was before stays readable',
    (to) => {
      to.prompt('one');
      to.say('a');
      to.add('compacted', { message: 'so far' });
      to.event('context_compacted');
      to.prompt('two');
    },
    ['user: one', 'assistant: a', 'system: compaction(so far)', 'user: two'],
  );

  test('records glued together on one line are shown', () => {
    const lines = writing((to) => {
      to.prompt('one');
      to.say('a');
    });
    const glued = lines.slice(2).join('');
    assert.deepEqual(turnsOf([...lines.slice(0, 2), glued]), ['user: one', 'assistant: a']);
  });
});
