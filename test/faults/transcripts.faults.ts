import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sources } from '../../src/agents/registry.js';
import { renderThread } from '../../src/core/thread/render.js';
import { rounds } from './lane.js';
import { mutateLine } from './mutateBytes.js';
import { mutateEntries } from './mutateEntries.js';
import { randomFrom, type Random } from './random.js';

const fixtures = path.join(import.meta.dirname, '..', 'fixtures');

/** Longer ones would be read too seldom. */
const LONGEST = 60_000;

/** The records of each transcript that this agent's program, or somebody who knows its form, has written. */
function transcriptsOf(agent: string): readonly (readonly Buffer[])[] {
  const folder = path.join(fixtures, agent);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.jsonl?$/.test(name))
    .map((name) => readFileSync(path.join(folder, name)))
    .filter(({ length }) => length < LONGEST)
    .map((bytes) => linesOf(bytes));
}

const linesOf = (bytes: Buffer): readonly Buffer[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Buffer.from(line));

const asObject = (line: Buffer): object | undefined => {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

/** By what stands in it where that can be told, else by its bytes. */
function mutated(lines: readonly Buffer[], random: Random): readonly Buffer[] {
  const objects = lines.map(asObject);
  if (random(3) === 0 || objects.includes(undefined)) {
    const at = random(lines.length);
    return lines.map((line, index) => (index === at ? mutateLine(line, random) : line));
  }
  const known = objects.filter((object) => object !== undefined);
  return mutateEntries(known, random).map((entry) => Buffer.from(JSON.stringify(entry)));
}

suite('a transcript that somebody has changed (R7)', function () {
  this.timeout(0);

  for (const source of sources) {
    const transcripts = readdirSync(fixtures).includes(source.agent)
      ? transcriptsOf(source.agent)
      : [];
    if (transcripts.length === 0) continue;
    const files = rounds(200, 20_000);

    test(`of ${source.name} takes nothing down, in ${files} forms`, () => {
      for (let number = 0; number < files; number += 1) {
        const random = randomFrom(number);
        const lines = transcripts[number % transcripts.length] ?? [];
        const changed = mutated(lines, random);
        const before = process.cpuUsage();
        try {
          const parser = source.parser('');
          for (const line of changed) parser.push(line);
          renderThread(parser.thread());
        } catch (error) {
          throw new Error(`File ${number}`, { cause: error });
        }
        const { user, system } = process.cpuUsage(before);
        assert.ok(user + system < 10e6, `file ${number} took ${(user + system) / 1e6} s`);
      }
      assert.equal(Object.keys(Object.prototype).length, 0);
    });
  }
});
