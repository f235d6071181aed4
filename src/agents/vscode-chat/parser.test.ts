import assert from 'node:assert/strict';
import { call, created, line, request, rounds, state } from '../../../test/agents/chatRecords.js';
import { parse, show, threadOf, threadWith } from '../../../test/agents/chatThreads.js';
import { ChatParser } from './parser.js';

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

  suite('tool calls', () => {
    const text = { value: 'ok' };
    reads(
      'a call has the model’s own arguments and result',
      {
        response: [call('c1'), text],
        result: rounds(['c1__vscode-1770', 'read_file', { path: 'a' }, 'A']),
      },
      'user: prompt 1',
      'assistant: read_file{"path":"a"}=>A ok',
    );
    reads(
      'calls with ids of their own are paired by name',
      {
        response: [call('u1'), call('u2', { toolId: 'run_in_terminal' }), text],
        result: rounds(['c1', 'run_in_terminal', { command: 'x' }, 'X']),
      },
      'user: prompt 1',
      'assistant: copilot_readFile{"message":"Read a.ts"}=>? run_in_terminal{"command":"x"}=>X ok',
    );
    reads(
      'calls with other names too are paired in order',
      {
        response: [call('u1', { toolId: 'copilot_findTextInFiles' }), text],
        result: rounds(['c1', 'grep_search', { query: 'q' }, 'Q']),
      },
      'user: prompt 1',
      'assistant: grep_search{"query":"q"}=>Q ok',
    );
    reads(
      'a call that is not shown is not lost',
      { response: [text], result: rounds(['c1', 'read_file', {}, 'A']) },
      'user: prompt 1',
      'assistant: ok read_file{}=>A',
    );
    reads(
      'a call of a running turn tells what is known',
      {
        response: [
          call('c1', {
            toolSpecificData: {
              kind: 'terminal',
              commandLine: { original: 'ls' },
              terminalCommandOutput: { text: 'a' },
              terminalCommandState: { exitCode: 1 },
            },
          }),
        ],
      },
      'user: prompt 1',
      'assistant: copilot_readFile{"command":"ls"}=>a',
    );
    reads(
      'a call without an outcome gets none',
      { response: [call('c1')] },
      'user: prompt 1',
      'assistant: copilot_readFile{"message":"Read a.ts"}=>?',
    );
    reads(
      'a result in prompt nodes is read as text',
      {
        response: [call('c1')],
        result: {
          metadata: {
            toolCallRounds: [{ toolCalls: [{ id: 'c1', name: 'n', arguments: '{' }] }],
            toolCallResults: {
              c1: {
                content: [
                  {
                    value: {
                      node: {
                        type: 1,
                        children: [
                          { type: 2, text: 'a' },
                          { type: 1, children: [{ type: 2, text: 'b', lineBreakBefore: true }] },
                        ],
                      },
                    },
                  },
                ],
              },
            },
          },
        },
      },
      'user: prompt 1',
      'assistant: n"{"=>a\nb',
    );

    const counts = (title: string, more: Readonly<Record<string, unknown>>, expected: string) =>
      test(title, () => {
        const { toolCalls, toolResultsMatched, toolResultsOrphan } = threadWith(more).counts;
        assert.equal(`${toolCalls} ${toolResultsMatched} ${toolResultsOrphan}`, expected);
      });
    counts(
      'the two forms of a call count once',
      {
        response: [call('c1'), call('c2')],
        result: rounds(['c1__vscode-1', 'a', {}, 'A'], ['c2__vscode-2', 'b', {}]),
      },
      '2 1 0',
    );
    counts(
      'a part that is written twice counts once',
      { response: [call('c1'), call('c1')] },
      '1 0 0',
    );
    counts(
      'a result without a call is counted apart',
      { response: [], result: { metadata: { toolCallResults: { c9: { content: [] } } } } },
      '0 0 1',
    );
    counts(
      'a tool that a tool ran counts, without a result',
      {
        response: [
          call('u1'),
          call('u2', { presentation: 'hidden', toolId: 'vscode_editFile_internal' }),
        ],
        result: rounds(['c1', 'read_file', {}, 'A']),
      },
      '2 1 0',
    );
    counts(
      'a subagent’s calls count',
      {
        response: [call('s', { toolId: 'runSubagent' }), call('n', { subAgentInvocationId: 's' })],
        result: rounds(['s__vscode-1', 'runSubagent', {}, 'R']),
      },
      '2 1 0',
    );
  });

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
