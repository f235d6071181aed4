import assert from 'node:assert/strict';
import { findIn } from '../../test/agents/sampleStore.js';
import { subagentSamples } from '../../test/agents/subagentSamples.js';
import { sourceOf } from './registry.js';

suite('subagents', () => {
  for (const sample of subagentSamples) {
    const { agent, parent, child } = sample;
    test(`of ${agent} are threads of their own, under the one that started them`, async () => {
      const { threads, problems } = await findIn(sample, sourceOf(agent) ?? assert.fail(agent));
      assert.deepEqual(problems, []);
      assert.deepEqual(
        Object.fromEntries(threads.map((thread) => [thread.nativeId, thread.parent])),
        { [parent]: undefined, [child]: parent },
      );
    });
  }
});
