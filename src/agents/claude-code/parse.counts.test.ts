import assert from 'node:assert/strict';
import type { Thread } from '../../core/model/thread.js';
import { sessionId, writing, type ClaudeWriter } from '../../../test/agents/claudeRecords.js';
import { parse, show, threadOf } from '../../../test/agents/claudeThreads.js';
import { claudeParser } from './parse.js';

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
