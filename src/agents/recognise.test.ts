import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sources } from './registry.js';

const fixtures = fileURLToPath(new URL('../../test/fixtures', import.meta.url));
const headBytes = 64 * 1024;

const transcriptsOf = (agent: string): readonly string[] =>
  readdirSync(join(fixtures, agent), { recursive: true, encoding: 'utf8' })
    .map((name) => join(fixtures, agent, name))
    .filter((path) => /\.jsonl?$/.test(path) && !path.endsWith(shared));

/** Of Kiro's first editor, whose sessions have Continue's form. */
const shared = join('kiro', 'small.json');

/** The agents, in the order in which they are asked, that take a file for one of theirs. */
const takers = (head: string): readonly string[] =>
  sources.filter((source) => source.recognises?.(head)).map(({ agent }) => agent);

suite('whose a transcript is', () => {
  // A source without it shares another's form, and is told by where its files lie.
  const own = sources.filter(
    (source) => 'recognises' in source && readdirSync(fixtures).includes(source.agent),
  );
  for (const { agent } of own) {
    for (const path of transcriptsOf(agent)) {
      test(`${path.slice(fixtures.length + 1)} is taken for ${agent} alone`, () => {
        const text = readFileSync(path).subarray(0, headBytes).toString('utf8');
        assert.deepEqual(takers(text), [agent]);
        assert.deepEqual(takers(`\uFEFF${text.replaceAll('\n', '\r\n')}`), [agent]);
      });
    }
  }

  for (const agent of ['claude-code', 'codex', 'gemini-cli', 'pi', 'qwen-code']) {
    for (const path of transcriptsOf(agent).filter((name) => name.endsWith('.jsonl'))) {
      test(`${path.slice(fixtures.length + 1)} is taken for ${agent} also without its first line`, () => {
        const lines = readFileSync(path, 'utf8').split('\n').slice(1);
        assert.deepEqual(takers(lines.join('\n')), [agent]);
        assert.deepEqual(takers(`{"broken\n${lines.join('\n')}`), [agent]);
      });
    }
  }

  test('what a transcript quotes of another agent does not make it that agent’s', () => {
    for (const { agent } of own) {
      for (const path of transcriptsOf(agent)) {
        const quoted = readFileSync(path, 'utf8').slice(0, 8000);
        const text = { type: 'output_text', text: quoted };
        const payload = { type: 'message', role: 'assistant', content: [text] };
        const line = { timestamp: '2026-01-05T09:00:00.000Z', type: 'response_item', payload };
        assert.deepEqual(takers(`${JSON.stringify(line)}\n`), ['codex'], path);
      }
    }
  });

  for (const text of [
    '',
    '\n',
    '{}',
    '[]',
    'hello',
    '{"type":"message"}',
    '{"id":"1"}',
    '\0\0\0',
  ]) {
    test(`${JSON.stringify(text)} is nobody’s`, () => {
      assert.deepEqual(takers(text), []);
    });
  }
});
