import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { show } from '../../../test/agents/claudeThreads.js';
import { fixtureHolds } from '../../../test/agents/fixtureCounts.js';
import type { Part, Thread } from '../../core/model/thread.js';
import { isPlainTranscript, messagesIn } from './plainText.js';
import { createCursor } from './source.js';

const noCalls = { toolCalls: null, toolResultsMatched: null, toolResultsOrphan: null };
const fixture = (name: string) =>
  readFile(new URL(`../../../test/fixtures/cursor/${name}`, import.meta.url));

function threadOf(bytes: Buffer | string): Thread {
  const parser = createCursor().parser('id');
  for (const message of messagesIn(Buffer.from(bytes))) parser.push(message);
  return parser.thread();
}

const callsIn = ({ turns }: Thread) =>
  turns.flatMap(({ parts }) =>
    parts.filter((part): part is Extract<Part, { kind: 'toolCall' }> => part.kind === 'toolCall'),
  );

suite('what plain transcripts of Cursor hold', () => {
  fixtureHolds('cursor', 'small.txt', {
    ...noCalls,
    userTurns: 2,
    assistantMessages: 7,
    thinkingBlocks: 1,
    firstPrompt: 'Why does the cart total come out wrong? 购物车\nIt is half of what it should be.',
    models: [],
    tokens: null,
    firstAt: null,
    lastAt: null,
    malformed: 0,
    skipped: [],
  });
  fixtureHolds('cursor', 'damaged.txt', { ...noCalls, userTurns: 1, assistantMessages: 2 });
  fixtureHolds('cursor', 'drift.txt', {
    ...noCalls,
    userTurns: 2,
    assistantMessages: 2,
    thinkingBlocks: 1,
    firstPrompt: 'first prompt, of a version without tags',
    malformed: 0,
  });
});

suite('plain transcripts of Cursor', () => {
  test('prompts, thoughts, answers, calls and results are told apart', async () => {
    const thread = threadOf(await fixture('small.txt'));
    assert.deepEqual(show(thread), [
      'user: Why does the cart total come out wrong? 购物车\nIt is half of what it should be.',
      'assistant: [The sum runs over an array that skips an item.] Let me look at the cart first. ' +
        "Read=> Grep=> The loop goes up by two. I'll mend it and note what is left. " +
        'StrReplace=> TodoWrite=> Done ✅ The total is right again.',
      'user: Now add a test image(image, 0)',
      'assistant: Write=> Shell=>1 passing\n  (3 ms) TodoWrite=> It passes.',
    ]);
    assert.deepEqual(thread.todos, [
      { text: 'Mend the loop', state: 'done' },
      { text: 'Add a test', state: 'done' },
    ]);
  });

  test('arguments keep their lines, whatever these look like', async () => {
    const [read, , edit, todo, write] = callsIn(threadOf(await fixture('small.txt')));
    assert.deepEqual(read?.input, { path: '/home/user/shop/src/cart.ts', limit: 40 });
    assert.deepEqual(Object.keys(edit?.input ?? {}), [
      'path',
      'old_string',
      'new_string',
      'replace_all',
    ]);
    const { old_string: before, replace_all: all } = edit?.input as Record<string, unknown>;
    assert.match(String(before), /at \+= 2\) \{\n {4}sum.*\n {2}\}\n {2}return: sum$/);
    assert.equal(all, false);
    assert.deepEqual((todo?.input as { merge?: unknown }).merge, false);
    assert.deepEqual(write?.input, {
      path: '/home/user/shop/compose.yaml',
      contents: 'services:\n  shop:\n    image: shop\n\nuser:\n  name: nobody',
    });
  });

  test('a file that lost its beginning shows what is left of it, and counts what is whole', async () => {
    const thread = threadOf(await fixture('damaged.txt'));
    assert.deepEqual(show(thread), [
      'system: info(the end of an answer whose beginning was cut off.)',
      'user: go on',
      'assistant: Shell=>?',
    ]);
    const { userTurns, assistantMessages } = thread.counts;
    assert.deepEqual([userTurns, assistantMessages], [1, 2]);
  });

  test('arguments that are no JSON, and marks of next year, are kept as they are', async () => {
    const thread = threadOf(await fixture('drift.txt'));
    assert.deepEqual(callsIn(thread)[0]?.input, { sku: { id: 7 }, deep: '[broken', count: 12 });
    assert.match(show(thread)[1] ?? '', /\[Hologram\] of next year mcp_shop_price=>\{"price": 3\}/);
    assert.equal(show(thread)[2], 'user: cut in the mid');
  });

  test('cut at any byte, nothing throws, and what is whole stays as it was', async () => {
    const bytes = await fixture('small.txt');
    const whole = messagesIn(bytes);
    for (let size = 0; size < bytes.length; size++) {
      const messages = messagesIn(bytes.subarray(0, size));
      threadOf(bytes.subarray(0, size));
      assert.deepEqual(Buffer.concat(messages.map((one) => Buffer.from(one))).length, size);
      if (messages.length < 2) continue;
      // A call whose result is cut off may hold the next message in its text.
      const same = messages.slice(0, -2);
      assert.deepEqual(same, whole.slice(0, same.length), `cut at ${size}`);
    }
  });

  test('large: megabytes in an argument and thousands of messages are read in a moment', () => {
    const step =
      'assistant:\n[Tool call] Write\n  path: a\n  contents: user:\n\nuser:\n\n[Tool result] Write\n\n';
    const text = `user:\n<user_query>\nall\n</user_query>\n\n${step.repeat(20_000)}assistant:\n${'卡\n'.repeat(500_000)}`;
    const { counts } = threadOf(text);
    assert.deepEqual([counts.userTurns, counts.assistantMessages], [1, 20_001]);
  });

  const told = (title: string, text: string, is: boolean) =>
    test(`${title} is ${is ? '' : 'not '}taken for one`, () =>
      assert.equal(isPlainTranscript(text), is));
  told('a file of settings that begins so', 'user:\n  name: me\nassistant:\n  name: it\n', false);
  told('a text that begins so', 'user:\nhello\n', false);
  told('a prompt alone', 'user:\n<user_query>\nhello\n', true);
  told('an exchange without tags', '\uFEFF\r\nuser:\r\nhello\r\n\r\nA:\r\nhi\r\n', true);
  told('a line of JSON', '{"role":"user","message":{"content":"user:\\n<user_query>"}}\n', false);
});
