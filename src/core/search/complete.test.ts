import assert from 'node:assert/strict';
import { completions } from './complete.js';

suite('completing a query', () => {
  const offers = (title: string, query: string, ...queries: readonly string[]): void => {
    test(title, () => {
      const offered = completions(query, ['claude-code', 'codex']).map((one) => one.query);
      assert.deepEqual(offered, queries);
    });
  };
  offers('agents that there are', 'fix agent:', 'fix agent:claude-code ', 'fix agent:codex ');
  offers('agents by what is typed', 'agent:co', 'agent:codex ');
  offers('nothing for what is complete', 'agent:codex');
  offers('nothing for words', 'fix the');
  offers('nothing for what is no filter', 'https:');
  offers('roles', 'role:u', 'role:user ');
  test('an empty query is offered every kind of filter', () =>
    assert.ok(completions('', []).some(({ filter }) => filter === 'file:')));
});
