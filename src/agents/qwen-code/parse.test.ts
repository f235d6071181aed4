import assert from 'node:assert/strict';
import { show } from '../../../test/agents/claudeThreads.js';
import { gemini, linesOf, metadata, user } from '../../../test/agents/geminiRecords.js';
import { callPart, sessionId, writing, type QwenWriter } from '../../../test/agents/qwenRecords.js';
import { counted, nothing, type Counted } from '../../../test/agents/counted.js';
import type { Thread } from '../../core/model/thread.js';
import { qwenParser } from './parse.js';

const parse = (lines: readonly string[], nativeId = sessionId) => {
  const parser = qwenParser(nativeId);
  for (const line of lines) parser.push(Buffer.from(line));
  return parser;
};
const threadOf = (write: (to: QwenWriter) => void): Thread => parse(writing(write)).thread();

suite('what is counted in a session of Qwen Code', () => {
  const counts = (title: string, write: (to: QwenWriter) => void, expected: Partial<Counted>) =>
    test(title, () => {
      assert.deepEqual(counted(threadOf(write)), { ...nothing, ...expected });
    });

  counts(
    'prompts, answers, thoughts and calls with their results',
    (to) => {
      to.user(' go\n');
      to.answer([{ text: 'hm', thought: true }, { text: 'x' }, callPart('c1'), callPart('c2')]);
      to.result('c2');
      to.result('c1', 'no such file', 'error');
      to.result('c9');
      to.answer([callPart('c3')]);
    },
    { prompts: 1, answers: 2, calls: 3, matched: 2, orphans: 1, thinking: 1, first: 'go' },
  );

  counts(
    'nothing that the program says in the person’s name is a prompt',
    (to) => {
      to.user('task done', { subtype: 'notification', systemPayload: { displayText: 'done' } });
      to.user('tick', { subtype: 'cron' });
      to.user('goal', { subtype: 'goal_runtime', provenance: 'goal_runtime' });
      to.user('goal', { provenance: 'goal_control' });
      to.user('news', { externalInputKind: 'notification' });
      to.user('<system-reminder>x</system-reminder>');
    },
    {},
  );

  counts(
    'what was typed counts, also while the agent worked and where it was expanded',
    (to) => {
      to.user('go', { provenance: 'real_user' });
      to.user('and hurry', { subtype: 'mid_turn_user_message' });
      to.user('go @a.ts\nCONTENT', { systemPayload: { displayText: 'go @a.ts' } });
      to.user('<system-reminder>x</system-reminder>fix it');
    },
    { prompts: 4, first: 'go' },
  );

  counts(
    'copies of a record count once',
    (to) => {
      to.user('go', { uuid: 'same' });
      to.user('go', { uuid: 'same' });
    },
    { prompts: 1, first: 'go' },
  );

  counts(
    'what was rewound and what was summarized counts',
    (to) => {
      to.user('one');
      to.answer([{ text: 'a' }]);
      to.system('rewind', { truncatedCount: 2 }, { parentUuid: null });
      to.user('two');
      to.system('chat_compression', { compressedHistory: [{ role: 'user', parts: [] }] });
      to.user('three');
    },
    { prompts: 3, answers: 1, first: 'one' },
  );

  counts(
    'a subagent in the same file is counted apart',
    (to) => {
      to.user('go');
      to.user('look around', { isSidechain: true });
      to.answer([{ text: 'x', thought: true }, callPart('s1')], { isSidechain: true });
      to.answer([{ text: 'done' }]);
    },
    { prompts: 1, answers: 1, first: 'go' },
  );

  test('models are those that answered, not those of telemetry', () => {
    const { counts } = threadOf((to) => {
      to.system('ui_telemetry', { uiEvent: { model: 'side' } }, { model: 'side' });
      to.answer([{ text: 'a' }]);
    });
    assert.deepEqual(counts.models, ['qwen3-coder']);
  });

  test('a subagent’s own file is a thread of its own, with the session as its parent', () => {
    const side = { isSidechain: true, agentId: 'explore-7f3c' };
    const lines = writing((to) => {
      to.user('Explore');
      to.answer([callPart('c1')]);
      to.result('c1');
    }, side);
    for (const nativeId of ['agent-explore-7f3c', '']) {
      const thread = parse(lines, nativeId).thread();
      assert.deepEqual(
        [thread.nativeId, thread.parent, thread.session, thread.counts.userTurns],
        ['agent-explore-7f3c', sessionId, sessionId, 1],
      );
      assert.equal(thread.turns.length, 2);
    }
  });

  test('a session of the first versions, which kept Gemini CLI’s form', () => {
    const lines = linesOf(metadata(), user('m1', 'go'), {
      ...gemini('m2', 'done'),
      type: 'qwen',
      model: 'qwen3-coder',
    });
    const thread = parse(lines, '').thread();
    assert.equal(thread.agent, 'qwen-code');
    assert.deepEqual([thread.counts.userTurns, thread.counts.assistantMessages], [1, 1]);
    assert.deepEqual(show(thread), ['user: go', 'assistant: done']);
    const damaged = parse(['{"sess', ...lines.slice(1)], '').thread();
    assert.deepEqual([damaged.counts.userTurns, damaged.counts.malformed], [1, 1]);
  });

  test('facts: the folder where it began, the newest branch and version, a given title', () => {
    const thread = threadOf((to) => {
      to.user('go', { cwd: '/w/app', gitBranch: 'main' });
      to.system('custom_title', { customTitle: 'My work', titleSource: 'manual' });
      to.answer([{ text: 'a' }], { cwd: '/later', gitBranch: 'side', version: '0.16.0' });
    });
    assert.deepEqual(
      [thread.cwd, thread.branch, thread.version, thread.title],
      ['/w/app', 'side', '0.16.0', 'My work'],
    );
  });

  test('the list of tasks is the newest one', () => {
    const { todos } = threadOf((to) => {
      const list = [
        { id: '1', content: 'look', status: 'completed' },
        { id: '2', content: 'write', status: 'in_progress' },
        { id: '3', content: 'test', status: 'pending' },
      ];
      to.answer([callPart('c1', 'todo_write', { todos: list })]);
    });
    assert.deepEqual(todos, [
      { text: 'look', state: 'done' },
      { text: 'write', state: 'doing' },
      { text: 'test', state: 'open' },
    ]);
  });

  const works = (title: string, write: (to: QwenWriter) => void, expected: boolean) =>
    test(`${title}: ${expected ? 'at work' : 'at rest'}`, () => {
      assert.equal(parse(writing(write)).working, expected);
    });
  works('a prompt', (to) => void to.user('go'), true);
  works('a call', (to) => void to.answer([callPart('c1')]), true);
  works('a result', (to) => void to.result('c1'), true);
  works('an answer', (to) => void to.answer([{ text: 'done' }]), false);
});

suite('what is shown of a session of Qwen Code', () => {
  const shows = (title: string, write: (to: QwenWriter) => void, expected: readonly string[]) =>
    test(title, () => {
      assert.deepEqual(show(threadOf(write)), expected);
    });

  shows(
    'answers in their own order, with results and images',
    (to) => {
      const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
      to.add('user', { message: { role: 'user', parts: [{ text: 'look' }, image] } });
      to.answer([{ text: 'hm', thought: true }, { text: 'looking' }, callPart('c1', 'read')]);
      to.system('ui_telemetry', {});
      to.result('c1', 'seen');
      to.answer([{ text: 'done' }]);
    },
    ['user: look image(image/png, 3)', 'assistant: [hm] looking read=>seen', 'assistant: done'],
  );

  shows(
    'the branch of the last record: what was rewound is not on it',
    (to) => {
      to.user('one');
      const leaf = to.answer([{ text: 'a' }]);
      to.user('two');
      to.answer([{ text: 'b' }]);
      to.system('rewind', { truncatedCount: 2 }, { parentUuid: leaf });
      to.user('three');
    },
    ['user: one', 'assistant: a', 'user: three'],
  );

  shows(
    'commands, notices and a compression',
    (to) => {
      to.system('slash_command', { phase: 'invocation', rawCommand: '/about' });
      to.system('slash_command', {
        phase: 'result',
        rawCommand: '/about',
        outputHistoryItems: [{ type: 'info', text: 'Qwen Code 0.15' }],
      });
      to.system('at_command', { filesRead: ['a.ts', 'b.ts'], status: 'success' });
      to.user('task x done', { subtype: 'notification', systemPayload: { displayText: 'done' } });
      const history = [{ role: 'user', parts: [{ text: '<state_snapshot>so far' }] }];
      to.system('chat_compression', { compressedHistory: history, info: {} });
      to.user('go on');
    },
    [
      'system: command(/about)',
      'system: info(Qwen Code 0.15)',
      'system: info(Attached a.ts, b.ts)',
      'system: info(done)',
      'system: compaction(<state_snapshot>so far)',
      'user: go on',
    ],
  );

  shows(
    'a record whose parent was lost hangs on the one before',
    (to) => {
      to.user('one');
      to.answer([{ text: 'a' }], { parentUuid: 'lost' });
    },
    ['user: one', 'assistant: a'],
  );
});
