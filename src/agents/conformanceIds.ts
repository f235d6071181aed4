import assert from 'node:assert/strict';
import type { Thread } from '../core/model/thread.js';
import type { SourceCase } from './conformance.js';
import { isFields } from './json.js';

const cwd = '/home/user/project';
const parentNames = new Set(['parentUuid', 'parentId', 'parent_id', 'logicalParentUuid']);
const textNames = new Set(['text', 'content', 'thinking', 'parts', 'output']);

/** What a source must keep to when ids repeat or lead nowhere, and when parts hold nothing. */
export function idsConform(given: SourceCase): void {
  const lines = given.lines(cwd);
  const parsed = (records: readonly string[]): Thread => {
    const parser = given.create().parser(given.id);
    for (const record of records) parser.push(Buffer.from(record));
    return parser.thread();
  };
  const expected = parsed(lines);

  test('a record that is there twice is counted once, or as another where records have no ids', () => {
    for (const [at, line] of lines.entries()) {
      const { counts, skipped, turns } = parsed(lines.toSpliced(at, 0, line));
      assert.deepEqual([counts.malformed, skipped], [0, []]);
      if (given.noRecordIds === true || given.linesDepend === true) {
        assert.ok(counts.userTurns >= expected.counts.userTurns);
        assert.ok(turns.length >= expected.turns.length);
      } else {
        assert.deepEqual(counts, expected.counts, line);
        assert.equal(turns.length, expected.turns.length);
      }
    }
  });

  if (lines.some((line) => line !== without(line))) {
    test('a parent that is nowhere takes nothing away', () => {
      for (const [at, line] of lines.entries()) {
        const { counts, skipped } = parsed(lines.with(at, without(line)));
        assert.deepEqual([counts, skipped], [expected.counts, []], line);
      }
      assert.deepEqual(parsed(lines.map(without)).counts, expected.counts);
    });
  }

  test('parts without a byte in them are no damage', () => {
    const emptied = parsed(lines.map((line) => changed(line, textNames, emptyOf)));
    assert.deepEqual([emptied.counts.malformed, emptied.skipped], [0, []]);
    for (const [at, line] of lines.entries()) {
      const one = parsed(lines.with(at, changed(line, textNames, emptyOf)));
      assert.deepEqual([one.counts.malformed, one.skipped], [0, []], line);
    }
  });
}

const without = (line: string): string =>
  changed(line, parentNames, (value) => (value === null ? null : 'nowhere'));

const emptyOf = (value: unknown): unknown => {
  if (Array.isArray(value)) return [];
  return typeof value === 'string' ? '' : value;
};

/** The line with what stands under these names, however deep, as something else. */
function changed(
  line: string,
  names: ReadonlySet<string>,
  change: (value: unknown) => unknown,
): string {
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk);
    if (!isFields(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        names.has(name) ? change(walk(inner)) : walk(inner),
      ]),
    );
  };
  return JSON.stringify(walk(JSON.parse(line)));
}
