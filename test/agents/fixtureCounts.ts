import assert from 'node:assert/strict';
import { inspectFile, type Inspection } from '../../src/agents/inspect.js';

/** A test that a fixture of an agent holds so much, and is known as this agent's by its content. */
export function fixtureHolds(agent: string, name: string, expected: Partial<Inspection>): void {
  const path = new URL(`../fixtures/${agent}/${name}`, import.meta.url).pathname;
  test(`${agent}/${name}`, async () => {
    const found = await inspectFile(path);
    const asked = Object.fromEntries(
      Object.keys(expected).map((key) => [key, found[key as keyof Inspection]]),
    );
    assert.deepEqual({ agent: found.agent, ...asked }, { agent, ...expected });
    assert.deepEqual(await inspectFile(path, agent), found);
  });
}
