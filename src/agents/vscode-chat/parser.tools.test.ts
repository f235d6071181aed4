import assert from 'node:assert/strict';
import { call, rounds } from '../../../test/agents/chatRecords.js';
import { show, threadWith } from '../../../test/agents/chatThreads.js';

suite('chat parser', () => {
  const reads = (title: string, more: Readonly<Record<string, unknown>>, ...expected: string[]) =>
    test(title, () => assert.deepEqual(show(threadWith(more)), expected));

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
});
