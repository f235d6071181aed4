import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sources } from './registry.js';

const fixtures = fileURLToPath(new URL('../../test/fixtures/', import.meta.url));
const headBytes = 64 * 1024;

suite('whose a file is', () => {
  const agents = sources.filter((source) => source.recognises !== undefined);
  const known = new Set(agents.map(({ agent }) => agent));

  for (const agent of readdirSync(fixtures).filter((name) => known.has(name))) {
    for (const name of readdirSync(join(fixtures, agent))) {
      const path = join(fixtures, agent, name);
      if (name === 'README.md' || !statSync(path).isFile()) continue;
      test(`${agent}/${name} is taken for no other agent’s`, () => {
        const head = readFileSync(path).subarray(0, headBytes).toString('utf8');
        const takers = agents.filter((source) => source.recognises?.(head)).map((one) => one.agent);
        assert.deepEqual(takers, [agent]);
      });
    }
  }
});
