import assert from 'node:assert/strict';
import fc from 'fast-check';
import { pasteableIds } from './pasteableIds.js';

suite('ids that a table prints', () => {
  const prints = (title: string, ids: readonly string[], expected: readonly string[]) =>
    test(title, () => {
      const printed = pasteableIds(ids);
      assert.deepEqual(
        ids.map((id) => printed.get(id)),
        expected,
      );
    });

  const uuid = '2b7e4c1a-93d5-4f60-8a2e-6c1d9b0f5e37';
  prints('a long one by its start', [uuid], ['2b7e4c1a-93d5-4f60']);
  prints(
    'a short one whole',
    ['agent-a1b2c3', '2026-01-05T09-00-00'],
    ['agent-a1b2c3', '2026-01-05T09-00-00'],
  );
  prints(
    'two that begin the same as far as they do, and one more character',
    [uuid, uuid.replace('8a2e', '8a2f')],
    ['2b7e4c1a-93d5-4f60-8a2e', '2b7e4c1a-93d5-4f60-8a2f'],
  );
  prints(
    'two that differ in their last character whole',
    [uuid, `${uuid.slice(0, -1)}8`],
    [uuid, `${uuid.slice(0, -1)}8`],
  );
  prints(
    'one that is the start of another, and that one by what follows',
    [uuid, `${uuid}/agent-x`],
    [uuid, `${uuid}/`],
  );

  test('no printed id stands for two', () => {
    const id = fc.string({ minLength: 1, maxLength: 60, unit: fc.constantFrom('a', 'b', '-') });
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 30 }), (ids) => {
        for (const [whole, printed] of pasteableIds(ids)) {
          const meant = ids.includes(printed)
            ? [printed]
            : ids.filter((one) => one.startsWith(printed));
          assert.deepEqual(meant, [whole]);
        }
      }),
    );
  });
});
