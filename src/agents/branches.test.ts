import assert from 'node:assert/strict';
import { branchSamples } from '../../test/agents/branchSamples.js';
import { writing as claude } from '../../test/agents/claudeRecords.js';
import type { Thread } from '../core/model/thread.js';
import { sourceOf } from './registry.js';

const threadOf = (agent: string, lines: readonly string[], leaf?: string): Thread => {
  const parser = sourceOf(agent)?.parser('', { leaf });
  for (const line of lines) parser?.push(Buffer.from(line));
  return parser?.thread() ?? assert.fail(agent);
};

/** Prompts and answers, a word each. */
const said = ({ turns }: Thread): string =>
  turns
    .filter(({ role }) => role !== 'system')
    .flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'text' ? part.text : [])))
    .join(' ');

suite('branches of a conversation', () => {
  for (const { agent, title, lines, branches, active } of branchSamples) {
    test(`${agent}: ${title}`, () => {
      const thread = threadOf(agent, lines);
      assert.equal(said(thread), active);
      const found = (thread.branches ?? []).map((branch) => {
        const mark = branch.active ? '*' : '';
        const words = said(threadOf(agent, lines, branch.leaf));
        return `${mark}${branch.prompt} ${branch.turns}: ${words}`;
      });
      assert.deepEqual(found, branches);
      assert.equal(said(threadOf(agent, lines, 'no such branch')), active);
      assert.deepEqual(threadOf(agent, lines), thread);
    });
  }

  test('a branch keeps its name while the conversation grows', () => {
    for (const { agent, lines, branches } of branchSamples.filter(
      (each) => each.branches.length > 1,
    )) {
      const leaves = new Set<string>();
      for (let count = 1; count <= lines.length; count++) {
        const thread = threadOf(agent, lines.slice(0, count));
        for (const { leaf, active } of thread.branches ?? []) if (!active) leaves.add(leaf);
      }
      const last = threadOf(agent, lines).branches ?? [];
      for (const { leaf, active } of last) {
        assert.ok(active || leaves.has(leaf), `${agent} ${leaf}`);
      }
      assert.equal(last.length, branches.length);
    }
  });

  test('thousands of rewinds are listed in no time that grows with their square', () => {
    const lines = claude((to) => {
      const root = to.user('one');
      for (let at = 0; at < 5000; at++) to.user(`again ${at}`, { parentUuid: root });
    });
    assert.equal(threadOf('claude-code', lines).branches?.length, 5000);
  });
});
