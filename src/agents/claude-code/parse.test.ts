import assert from 'node:assert/strict';
import type { Part, Thread } from '../../core/model/thread.js';
import { sessionId, writing, type ClaudeWriter } from '../../../test/agents/claudeRecords.js';
import { claudeParser } from './parse.js';

const parse = (lines: readonly string[], nativeId = sessionId) => {
  const parser = claudeParser(nativeId);
  for (const line of lines) parser.push(Buffer.from(line));
  return parser;
};
const threadOf = (write: (to: ClaudeWriter) => void): Thread => parse(writing(write)).thread();

/** A thread in a few words: `user: hi`, `assistant: [think] text Bash=>ok`. */
const show = (thread: Thread): readonly string[] =>
  thread.turns.map(({ role, parts }) => `${role}: ${parts.map(word).join(' ')}`);

const word = (part: Part): string => {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'thinking') return `[${part.text}]`;
  if (part.kind === 'toolCall') return `${part.name}=>${part.result?.text ?? '?'}`;
  if (part.kind === 'image') return `image(${part.mediaType}, ${part.bytes})`;
  if (part.kind === 'attachment') return `@${part.name}`;
  return `${part.notice}(${part.text})`;
};

const counted = ({ counts }: Thread) => ({
  prompts: counts.userTurns,
  answers: counts.assistantMessages,
  calls: counts.toolCalls,
  matched: counts.toolResultsMatched,
  orphans: counts.toolResultsOrphan,
  thinking: counts.thinkingBlocks,
});

suite('what is counted', () => {
  const counts = (
    title: string,
    write: (to: ClaudeWriter) => void,
    expected: Partial<ReturnType<typeof counted>>,
  ) =>
    test(title, () => {
      const none = { prompts: 0, answers: 0, calls: 0, matched: 0, orphans: 0, thinking: 0 };
      assert.deepEqual(counted(threadOf(write)), { ...none, ...expected });
    });

  counts(
    'an answer on several lines is one answer',
    (to) => {
      to.user('go');
      to.answer('m1', { type: 'thinking', thinking: 'hm', signature: 's' });
      to.say('m1', 'looking');
      to.call('m1', 't1');
      to.result('t1');
      to.say('m2', 'done');
    },
    { prompts: 1, answers: 2, calls: 1, matched: 1, thinking: 1 },
  );

  counts(
    'parallel calls are each matched, in any order',
    (to) => {
      to.user('go');
      const first = to.call('m1', 't1');
      to.call('m1', 't2');
      to.result('t2');
      to.result('t1', 'ok', { parentUuid: first });
    },
    { prompts: 1, answers: 1, calls: 2, matched: 2 },
  );

  counts(
    'a result that comes before its call still belongs to it',
    (to) => {
      to.result('t1');
      to.call('m1', 't1');
    },
    { answers: 1, calls: 1, matched: 1 },
  );

  counts(
    'an unanswered call gets no invented result',
    (to) => {
      to.user('go');
      to.call('m1', 't1');
    },
    { prompts: 1, answers: 1, calls: 1 },
  );

  counts(
    'results without a call are orphans, once for each id',
    (to) => {
      to.result('t9');
      to.result('t9');
    },
    { orphans: 1 },
  );

  counts(
    'copies of a record count once',
    (to) => {
      to.user('go', { uuid: 'same' });
      to.user('go', { uuid: 'same' });
      to.answer('m1', { type: 'thinking', thinking: '', signature: 's' }, { uuid: 'again' });
      to.answer('m1', { type: 'thinking', thinking: '', signature: 's' }, { uuid: 'again' });
    },
    { prompts: 1, answers: 1, thinking: 1 },
  );

  counts(
    'empty and redacted thinking is thinking',
    (to) => {
      to.answer('m1', { type: 'thinking', thinking: '', signature: 'abc' });
      to.answer('m1', { type: 'redacted_thinking', data: 'xyz' });
    },
    { answers: 1, thinking: 2 },
  );

  counts(
    'nothing injected is a prompt',
    (to) => {
      to.user('<local-command-caveat>x</local-command-caveat>', { isMeta: true });
      to.user('Base directory for this skill', { isMeta: true });
      to.user('This session is being continued', { isCompactSummary: true });
      to.user([{ type: 'text', text: '[Request interrupted by user]' }]);
      to.user('<local-command-stdout>ok</local-command-stdout>');
      to.user('<command-name>/clear</command-name>');
      to.user('<bash-input>ls</bash-input>');
      to.user('<task-notification>x</task-notification>');
      to.user([{ type: 'text', text: '<system-reminder>x</system-reminder>' }]);
    },
    {},
  );

  counts(
    'a prompt typed while the agent worked counts, however it was kept',
    (to) => {
      to.user('go');
      to.call('m1', 't1');
      to.user([
        { type: 'tool_result', tool_use_id: 't1', content: 'ok' },
        { type: 'text', text: 'and hurry' },
      ]);
      to.add('attachment', {
        attachment: { type: 'queued_command', prompt: 'also test it', commandMode: 'prompt' },
      });
      to.add('attachment', {
        attachment: { type: 'queued_command', prompt: [{ type: 'text', text: 'please' }] },
      });
    },
    { prompts: 4, answers: 1, calls: 1, matched: 1 },
  );

  counts(
    'what the machine queued does not',
    (to) => {
      to.add('attachment', {
        attachment: { type: 'queued_command', prompt: 'x', commandMode: 'task-notification' },
      });
      to.add('attachment', {
        attachment: { type: 'queued_command', prompt: '<task-notification>x</task-notification>' },
      });
      to.add('attachment', { attachment: { type: 'skill_listing', content: 'x' } });
      to.loose({ type: 'queue-operation', operation: 'enqueue', content: 'x' });
    },
    {},
  );

  counts(
    'a subagent in the same file is counted apart',
    (to) => {
      to.user('go');
      to.call('m1', 't1', 'Task');
      to.user('look around', { isSidechain: true });
      to.answer('s1', { type: 'thinking', thinking: 'x' }, { isSidechain: true });
      to.answer(
        's1',
        { type: 'tool_use', id: 'st1', name: 'Read', input: {} },
        { isSidechain: true },
      );
      to.result('st1', 'x', { isSidechain: true });
      to.result('t1');
    },
    { prompts: 1, answers: 1, calls: 1, matched: 1 },
  );

  counts(
    'what a subagent reports through progress is not counted twice',
    (to) => {
      to.user('go');
      to.add('progress', {
        data: {
          type: 'agent_progress',
          message: {
            type: 'assistant',
            message: { id: 's1', content: [{ type: 'tool_use', id: 'st1' }] },
          },
        },
      });
    },
    { prompts: 1 },
  );

  counts(
    'branches all count',
    (to) => {
      const root = to.user('go');
      to.say('m1', 'one');
      to.user('go again', { parentUuid: null });
      to.say('m2', 'two', { parentUuid: root });
    },
    { prompts: 2, answers: 2 },
  );

  counts(
    'an error shown to the user is an answer',
    (to) => {
      to.user('go');
      to.say('e1', 'API Error', { isApiErrorMessage: true, message: { model: '<synthetic>' } });
    },
    { prompts: 1, answers: 1 },
  );

  test('models, times and the first prompt are those of the conversation', () => {
    const { counts: all } = threadOf((to) => {
      to.loose({ type: 'queue-operation', timestamp: '2026-01-01T00:00:00.000Z' });
      to.user([
        { type: 'text', text: '<ide_opened_file>x</ide_opened_file>' },
        { type: 'text', text: ' go\n' },
      ]);
      to.say('m1', 'a', { timestamp: 'never' });
      to.say('m2', 'b', { message: { model: '<synthetic>' } });
      to.say('m3', 'c', {
        message: { model: 'claude-haiku' },
        timestamp: '2026-02-01T00:00:00.000Z',
      });
      to.user('last', { timestamp: '2026-01-20T00:00:00.000Z' });
    });
    assert.equal(all.firstPrompt, 'go');
    assert.equal(all.lastPrompt, 'last');
    assert.deepEqual(all.models, ['claude-opus-4-5', 'claude-haiku']);
    assert.equal(all.firstAt, Date.UTC(2026, 0, 1));
    assert.equal(all.lastAt, Date.UTC(2026, 1, 1));
  });

  test('a subagent’s own file is a thread of its own, with the session as its parent', () => {
    const lines = writing((to) => {
      const side = { isSidechain: true, agentId: 'a1b2' };
      to.user('Explore the code', side);
      to.answer('m1', { type: 'tool_use', id: 't1', name: 'Read', input: {} }, side);
      to.result('t1', 'x', side);
      to.say('m2', 'found', side);
    });
    const named = parse(lines, 'agent-a1b2').thread();
    assert.deepEqual(counted(named), {
      prompts: 1,
      answers: 2,
      calls: 1,
      matched: 1,
      orphans: 0,
      thinking: 0,
    });
    assert.deepEqual([named.nativeId, named.parent], ['agent-a1b2', sessionId]);
    assert.deepEqual(show(named), [
      'user: Explore the code',
      'assistant: Read=>x',
      'assistant: found',
    ]);
    const unnamed = parse(lines, '').thread();
    assert.deepEqual([unnamed.nativeId, unnamed.parent], ['agent-a1b2', sessionId]);
  });

  test('a parser that keeps no turns counts the same', () => {
    const lines = writing((to) => {
      to.user('go');
      to.call('m1', 't1');
      to.result('t1');
    });
    const lean = claudeParser(sessionId, { turns: false });
    for (const line of lines) lean.push(Buffer.from(line));
    assert.deepEqual(lean.thread(), parse(lines).thread({ turns: false }));
  });
});

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

suite('what is skipped is said', () => {
  test('each broken line by its number, its place and its reason', () => {
    const good = '{"type":"mode"}';
    const lines = [good, '{"type":', '[1]', 'null', '"text"', '\0\0\0', good, ''];
    const { skipped, counts } = parse(lines).thread();
    assert.deepEqual(
      skipped.map(({ line, offset, reason }) => `${line} @${offset} ${reason}`),
      [
        '2 @16 notJson',
        '3 @25 notAnObject',
        '4 @29 notAnObject',
        '5 @34 notAnObject',
        '6 @41 nulBytes',
        '8 @61 notJson',
      ],
    );
    assert.equal(counts.malformed, 6);
  });

  test('kinds of records that come next year are kept quiet', () => {
    const thread = threadOf((to) => {
      to.user('go');
      to.add('hologram', { beam: { colour: 'green' }, message: 7 });
      to.loose({ type: 7, uuid: 7, message: [] });
      to.add('user', { message: { role: 'user', content: [{ type: 'smell' }, 7, null] } });
      to.add('assistant', { message: { id: 7, content: 7, model: 7 } });
    });
    assert.equal(thread.counts.malformed, 0);
    assert.deepEqual(show(thread).slice(0, 1), ['user: go']);
  });
});

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
