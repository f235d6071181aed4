import assert from 'node:assert/strict';
import { call, created, line, request, rounds, state } from '../../../test/agents/chatRecords.js';
import { parse, show, threadOf } from '../../../test/agents/chatThreads.js';
import { ChatParser } from './parser.js';

suite('chat parser', () => {
  suite('counts', () => {
    test('every branch is counted, the active one is shown', () => {
      const thread = threadOf({
        kind: 0,
        v: state([request(1), request(2, { shouldBeRemovedOnSend: {} })]),
      });
      assert.equal(thread.counts.userTurns, 2);
      assert.deepEqual(show(thread), ['user: prompt 1', 'assistant: answer 1']);
    });

    test('a request that stands twice is counted once', () => {
      assert.equal(threadOf({ kind: 0, v: state([request(1), request(1)]) }).counts.userTurns, 1);
    });

    test('only answers with words count, and thinking that says something', () => {
      const { counts } = threadOf({
        kind: 0,
        v: state([
          request(1, { response: [{ value: '\n' }, { kind: 'thinking', value: '' }] }),
          request(2, { response: [{ kind: 'thinking', value: 'hm' }, call('c')] }),
          request(3),
        ]),
      });
      assert.equal(counts.assistantMessages, 1);
      assert.equal(counts.thinkingBlocks, 1);
    });

    test('prompts, models and times are those of the file', () => {
      const { counts, title, version } = threadOf({
        kind: 0,
        v: state(
          [
            request(1, { message: { text: '  first \n' }, agent: { extensionVersion: '0.37.1' } }),
            request(2, { modelId: 'copilot/auto' }),
            request(3),
          ],
          { customTitle: 'Named', lastMessageDate: created + 1 },
        ),
      });
      assert.equal(title, 'Named');
      assert.equal(version, '0.37.1');
      assert.equal(counts.firstPrompt, 'first');
      assert.equal(counts.lastPrompt, 'prompt 3');
      assert.deepEqual(counts.models, ['copilot/gpt-5', 'copilot/auto']);
      assert.equal(counts.firstAt, created);
      assert.equal(counts.lastAt, created + 185_000);
    });

    test('a fold for counts alone counts the same', () => {
      const lines = [
        line({
          kind: 0,
          v: state([
            request(1, {
              response: [call('c1')],
              result: rounds(['c1', 'a', {}, 'x'.repeat(9999)]),
            }),
          ]),
        }),
        line({
          kind: 2,
          k: ['requests'],
          v: [request(2, { message: { text: 'y'.repeat(9999) } })],
        }),
      ];
      const full = parse(lines).thread({ turns: false });
      const lean = new ChatParser('chat-1', { turns: false });
      for (const each of lines) lean.push(Buffer.from(each));
      assert.deepEqual(lean.thread({ turns: false }), full);
      assert.ok(JSON.stringify(lean.chat).length < 20_000);
    });
  });
});
