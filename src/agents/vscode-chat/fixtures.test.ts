import assert from 'node:assert/strict';
import { join } from 'node:path';
import { show } from '../../../test/agents/chatThreads.js';
import { inspectFile } from '../inspect.js';
import type { Inspection } from '../inspect.js';
import type { Cursor } from '../../core/model/records.js';
import { renderThread } from '../../core/thread/render.js';
import { vscodeChat } from './source.js';

const fixture = (name: string): string => join('test', 'fixtures', 'vscode-chat', name);
const iso = (at: number): string => new Date(at).toISOString();
const began = 1_750_000_000_000;

/** Everything that a file holds, read as the engine reads it. */
async function threadOf(name: string) {
  const parser = vscodeChat.parser('');
  const found = { nativeId: '', path: fixture(name), bytes: 0, modifiedAt: 0 };
  let cursor: Cursor | undefined;
  for (let more = true; more;) {
    const read = await vscodeChat.read(found, cursor);
    read.records.forEach((record, index) => parser.push(record, read.places?.[index]));
    ({ cursor, more } = read);
  }
  return parser.thread();
}

suite('chats of every form', () => {
  const holds = (name: string, expected: Inspection) =>
    test(`${name} is counted as it was made`, async () => {
      assert.deepEqual(await inspectFile(fixture(name)), expected);
    });

  const common = {
    agent: 'vscode-chat',
    tokens: null,
    cwd: null,
    toolResultsOrphan: 0,
    malformed: 0,
    skipped: [],
  };

  holds('small.json', {
    ...common,
    sessionId: '5d3f7c1e-0000-4000-8000-000000000001',
    userTurns: 3,
    assistantMessages: 2,
    toolCalls: 3,
    toolResultsMatched: 3,
    thinkingBlocks: 0,
    firstPrompt: 'Why does it drop the last token?',
    models: ['copilot/claude-sonnet-4'],
    firstAt: iso(began),
    lastAt: iso(began + 180_000),
  });

  holds('drift.jsonl', {
    ...common,
    sessionId: 'drift',
    cwd: '/home/ada/parser',
    userTurns: 4,
    assistantMessages: 5,
    toolCalls: 3,
    toolResultsMatched: 1,
    thinkingBlocks: 1,
    firstPrompt: 'plain text of an old version',
    models: ['copilot/auto', 'copilot/gpt-5'],
    firstAt: iso(began),
    lastAt: iso(began + 245_000),
    skipped: [{ line: 3, offset: 1055, reason: 'badEdit' }],
  });

  holds('damaged.jsonl', {
    ...common,
    sessionId: 'damaged',
    userTurns: 5,
    assistantMessages: 3,
    toolCalls: 0,
    toolResultsMatched: 0,
    thinkingBlocks: 0,
    firstPrompt: 'prompt 1',
    models: ['copilot/gpt-5'],
    firstAt: iso(began),
    lastAt: iso(began + 365_000),
    malformed: 6,
    skipped: [
      { line: 4, offset: 375, reason: 'nulBytes' },
      { line: 6, offset: 889, reason: 'notJson' },
      { line: 9, offset: 1211, reason: 'notJson' },
      { line: 10, offset: 1488, reason: 'notAnObject' },
      { line: 11, offset: 1502, reason: 'badEdit' },
      { line: 15, offset: 1833, reason: 'notJson' },
      { line: 16, offset: 1845, reason: 'badEdit' },
      { line: 18, offset: 2128, reason: 'incomplete' },
    ],
  });

  // Five prompts: three were answered with one thought and one tool call each, one failed, one was cancelled half-way.
  const real = {
    ...common,
    userTurns: 5,
    assistantMessages: 4,
    toolCalls: 3,
    toolResultsMatched: 3,
    thinkingBlocks: 3,
    firstPrompt: '@parser Why does it drop the last token?',
    models: ['lab/lab-1'],
    lastAt: '2026-11-30T05:13:03.444Z',
  };
  holds('vscode-1.139.1.jsonl', {
    ...real,
    sessionId: 'e7ecf74c-ebb2-4168-b875-d89cfa5e56dc',
    firstAt: '2026-11-30T05:12:23.838Z',
  });
  holds('vscode-1.139.1-export.json', {
    ...real,
    sessionId: null,
    firstAt: '2026-11-30T05:12:42.742Z',
  });

  test('a real log and its real export tell the same conversation', async () => {
    const log = await threadOf('vscode-1.139.1.jsonl');
    const exported = await threadOf('vscode-1.139.1-export.json');
    assert.deepEqual(exported.turns, log.turns);
    const answer =
      'assistant: [The parser drops the last token, look at the loop.] Let me look at `parser.ts`.\n\n' +
      ' read_lines{"file":"parser.ts"}=>1: export const parse = () => 1;\n2: // parser.ts' +
      ' The loop ends one token too early: 最后一个 token 🙂 is lost.\n```ts\nfor (let i = 0; i <= last; i++) {}\n```\n' +
      ' info(Edited /home/ada/parser/parser.ts (1 change))';
    assert.deepEqual(show(log), [
      'user: @parser Why does it drop the last token? @parser.ts',
      answer,
      'user: @parser Why does it drop the last token? Again',
      answer,
      'user: @parser please fail',
      'assistant: error(The model is not available right now.)',
      'user: @parser be slow',
      'assistant: Still at it interrupted(Canceled)',
      'user: @parser One more',
      answer,
    ]);
  });

  test('what a damaged log still holds is under the right prompts', async () => {
    assert.deepEqual(show(await threadOf('damaged.jsonl')), [
      'user: prompt 1',
      'assistant: answer 1',
      'user: prompt 2',
      'user: prompt 3',
      'assistant: answer 3',
      'user: prompt 5',
      'assistant: answer 5',
      'user: prompt 6',
    ]);
  });

  test('a drifted log shows its active turns, tasks and branch', async () => {
    const thread = await threadOf('drift.jsonl');
    assert.deepEqual(show(thread), [
      'user: plain text of an old version',
      'assistant: old',
      'user: parts of the future @h image(shot.png, image/png, 4)',
      'assistant: [two parts] in the shape of memory info(Which one?)',
      'system: The command in terminal 1 ended.',
      'assistant: Noted.',
      'user: with a subagent',
      'assistant: runSubagent{"agentName":"Explore","description":"look","prompt":"look around"}=>found it' +
        ' copilot_readFile{"message":"Using it"}=>? manage_todo_list{"todoList":[{"id":1,"title":"Find it","status":"completed"},{"id":2,"title":"Mend it","status":"in-progress"}]}=>? It is mended.',
    ]);
    assert.deepEqual(thread.todos, [
      { text: 'Find it', state: 'done' },
      { text: 'Mend it', state: 'doing' },
    ]);
    assert.deepEqual(
      [thread.title, thread.branch, thread.cwd],
      ['Drift', 'main', '/home/ada/parser'],
    );
  });

  test('a real chat is a document', async () => {
    const thread = await threadOf('vscode-1.139.1.jsonl');
    assert.equal(renderThread(thread).folds.length, 3);
  });
});
