import assert from 'node:assert/strict';
import type { Part } from '../model/thread.js';
import { subagentsByCall } from './subagents.js';

const task = (prompt: string, text = 'Done'): Part => ({
  kind: 'toolCall',
  id: 't',
  name: 'Task',
  input: { prompt, description: 'x' },
  result: { text, isError: false },
});
const child = (name: string, firstPrompt: string, firstAt = 0) => {
  return { id: `claude-code:agent-${name}`, nativeId: `agent-${name}`, firstPrompt, firstAt };
};

suite('subagents and the calls that started them', () => {
  const pairs = (
    title: string,
    parts: readonly Part[],
    children: Parameters<typeof subagentsByCall>[1],
    expected: readonly string[],
  ) =>
    test(title, () => {
      const found = subagentsByCall([{ id: 'x', role: 'assistant', parts }], children);
      const shown = [...found].map(
        ([place, id]) => `${place} ${id.replace('claude-code:agent-', '')}`,
      );
      assert.deepEqual(shown.sort(), expected);
    });

  pairs(
    'by what they were asked',
    [task('a'), task('b')],
    [child('1', 'b'), child('2', 'a')],
    ['0.0 2', '0.1 1'],
  );
  pairs(
    'each once, in order, where several were asked the same',
    [task('a'), task('a')],
    [child('late', 'a', 2), child('early', 'a', 1)],
    ['0.0 early', '0.1 late'],
  );
  pairs(
    'by the name in the answer',
    [task('a', 'agentId: abc'), task('a')],
    [child('x', 'a'), child('abc', 'a')],
    ['0.0 abc', '0.1 x'],
  );
  pairs(
    'by the beginning of a long question that was cut',
    [task('y'.repeat(300))],
    [child('1', `${'y'.repeat(200)}…`)],
    ['0.0 1'],
  );
  pairs('none where nothing fits', [task('a')], [child('1', 'b')], []);
});
