import assert from 'node:assert/strict';
import { call, line, request, state } from '../../../test/agents/chatRecords.js';
import { parse, show, threadOf, threadWith } from '../../../test/agents/chatThreads.js';

suite('chat parser', () => {
  const reads = (title: string, more: Readonly<Record<string, unknown>>, ...expected: string[]) =>
    test(title, () => assert.deepEqual(show(threadWith(more)), expected));
  const answers = (title: string, response: readonly unknown[], expected: string) =>
    reads(title, { response }, 'user: prompt 1', `assistant: ${expected}`);

  suite('turns', () => {
    answers('pieces of an answer join without a gap', [{ value: 'a ' }, { value: 'b' }], 'a b');
    answers(
      'a file that is named in the text stays in it',
      [
        { value: 'see ' },
        {
          kind: 'inlineReference',
          inlineReference: { $mid: 1, scheme: 'file', path: '/w/src/a.ts' },
        },
        { value: ' now' },
      ],
      'see `a.ts` now',
    );
    answers(
      'a symbol keeps its name',
      [
        {
          kind: 'inlineReference',
          inlineReference: {
            name: 'parse',
            location: { uri: { scheme: 'file', path: '/w/a.ts' } },
          },
        },
      ],
      '`parse`',
    );
    answers(
      'thinking stands before the answer',
      [
        { kind: 'thinking', value: ['look ', 'again'] },
        { kind: 'thinking', value: '', metadata: { vscodeReasoningDone: true } },
        { value: 'x' },
      ],
      '[look again] x',
    );
    answers(
      'an edit is told without its empty code block',
      [
        { value: 'Now:\n```ts\n' },
        { kind: 'codeblockUri', uri: { scheme: 'file', path: '/w/a.ts' } },
        {
          kind: 'textEditGroup',
          uri: { scheme: 'file', path: '/w/a.ts' },
          edits: [[{ text: 'x' }], [{ text: 'y' }]],
        },
        { value: '\n```\nDone' },
      ],
      'Now:\n info(Edited /w/a.ts (2 changes)) Done',
    );
    answers(
      'an edit behind its code block is told as well',
      [
        { value: '\n````\n' },
        { value: '\n````\n' },
        {
          kind: 'textEditGroup',
          uri: { scheme: 'file', path: '/w/a.ts' },
          edits: [[{ text: 'x' }]],
        },
        { value: 'Done' },
      ],
      'info(Edited /w/a.ts (1 change)) Done',
    );
    answers(
      'parts of the future are passed over',
      [{ kind: 'hologram', value: 'x' }, { value: 'a' }],
      'a',
    );
    answers(
      'a question to the person is told',
      [{ kind: 'confirmation', title: 'Run it?' }],
      'info(Run it?)',
    );
    reads(
      'an answer that failed says why',
      { response: [], result: { errorDetails: { message: 'Rate limit' } } },
      'user: prompt 1',
      'assistant: error(Rate limit)',
    );
    reads(
      'a cancelled answer says so',
      { modelState: { value: 2 } },
      'user: prompt 1',
      'assistant: answer 1 interrupted(Canceled)',
    );
    reads(
      'a cancelled answer of an older version says so',
      { isCanceled: true },
      'user: prompt 1',
      'assistant: answer 1 interrupted(Canceled)',
    );
    reads(
      'a prompt of a very old file is plain text',
      { message: 'plain' },
      'user: plain',
      'assistant: answer 1',
    );
    reads(
      'what the host sent is not the person’s',
      { isSystemInitiated: true },
      'system: prompt 1',
      'assistant: answer 1',
    );
    reads(
      'attachments and pictures are named, what VS Code adds by itself is not',
      {
        variableData: {
          variables: [
            { kind: 'file', name: 'file:a.ts', value: { scheme: 'file', path: '/w/a.ts' } },
            { kind: 'image', name: 'shot.png', mimeType: 'image/png', value: { 0: 1, 1: 2, 2: 3 } },
            { kind: 'image', name: 'b64', mimeType: 'image/jpeg', value: 'AAECAw==' },
            {
              kind: 'file',
              name: 'rules',
              automaticallyAdded: true,
              value: { scheme: 'file', path: '/r' },
            },
            { kind: 'workspace', name: 'w' },
          ],
        },
      },
      'user: prompt 1 @a.ts image(shot.png, image/png, 3) image(b64, image/jpeg, 4)',
      'assistant: answer 1',
    );
  });

  suite('forms of a file', () => {
    const expected = [
      'user: prompt 1',
      'assistant: answer 1',
      'user: prompt 2',
      'assistant: answer 2',
    ];
    const both = [request(1), request(2)];

    test('one state and many edits tell the same', () => {
      const log = threadOf(
        { kind: 0, v: state([]) },
        { kind: 2, k: ['requests'], v: [request(1, { response: [] })] },
        { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'answ' }] },
        { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'answer 1' }], i: 0 },
        { kind: 1, k: ['customTitle'], v: 'Named' },
        { kind: 2, k: ['requests'], v: [request(2)] },
      );
      assert.deepEqual(show(log), expected);
      assert.deepEqual({ ...log, title: undefined }, threadOf({ kind: 0, v: state(both) }));
    });

    test('records of a whole-state file tell the same', () => {
      const { requests, ...rest } = state(both);
      assert.deepEqual(threadOf(...requests, rest), threadOf({ kind: 0, v: state(both) }));
    });

    test('the titles of every version are known', () => {
      assert.equal(threadOf(request(1), { version: 2, computedTitle: 'Two' }).title, 'Two');
      assert.equal(threadOf(request(1), { sessionId: 's' }).title, undefined);
    });

    test('the file’s own id is used where none is given', () => {
      assert.equal(parse([line({ kind: 0, v: state([]) })], '').thread().nativeId, 'chat-1');
    });

    test('a turn that is not over is known to be running', () => {
      const working = (value: number) =>
        parse([line({ kind: 0, v: state([request(1, { modelState: { value } })]) })]).working;
      assert.deepEqual([0, 1, 2, 3, 4].map(working), [true, false, false, false, true]);
    });

    test('the newest list of tasks is the one that counts', () => {
      const todoList = (...statuses: string[]) =>
        call('t', {
          toolSpecificData: {
            kind: 'todoList',
            todoList: statuses.map((status, index) => ({ title: `t${index}`, status })),
          },
        });
      const { todos } = threadOf({
        kind: 0,
        v: state([
          request(1, {
            response: [
              todoList('not-started'),
              todoList('completed', 'in-progress', 'not-started'),
            ],
          }),
          request(2),
        ]),
      });
      assert.deepEqual(
        todos.map((todo) => todo.state),
        ['done', 'doing', 'open'],
      );
    });
  });
});
