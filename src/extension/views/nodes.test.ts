import assert from 'node:assert/strict';
import type { ThreadSummary } from '../../core/model/thread.js';
import type { ThreadNode } from './nodes.js';
import { threadNodes } from './nodes.js';

/** `id` or `id<parent`. */
function thread(line: string): ThreadSummary {
  const [nativeId = '', parent] = line.split('<');
  return {
    id: `agent:${nativeId}`,
    agent: 'agent',
    nativeId,
    parent: parent === undefined ? undefined : `agent:${parent}`,
    title: nativeId,
    turns: 1,
    messages: 1,
    openTodos: [],
    working: false,
    generation: 0,
    records: 1,
    bytes: 1,
    state: 'live',
    skipped: 0,
  };
}

const show = (nodes: readonly ThreadNode[]): string =>
  nodes
    .map(({ thread: { nativeId }, children }) =>
      children.length === 0 ? nativeId : `${nativeId}(${show(children)})`,
    )
    .join(' ');

suite('threadNodes', () => {
  const lists = (title: string, lines: readonly string[], expected: string) =>
    test(title, () => assert.equal(show(threadNodes(lines.map(thread), 'session')), expected));

  lists('conversations keep their order', ['b', 'a'], 'b a');
  lists('a subagent stands below the one that started it', ['a', 'b<a', 'c<b', 'd<a'], 'a(b(c) d)');
  lists('a subagent whose parent is not listed is not lost', ['a<gone'], 'a');
  lists('a file that names itself as its parent is listed once', ['a<a'], 'a');
  lists('files that name each other are listed once each', ['a<b', 'b<a', 'c'], 'c a(b)');
});
