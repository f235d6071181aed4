import assert from 'node:assert/strict';
import { KnownRows } from './knownRows.js';

interface Item {
  readonly id: string;
  readonly at: number;
}

suite('what is known of conversations in a database', () => {
  /** Looks at a database of which each conversation's mark and time of activity are given. */
  const looker = () => {
    const known = new KnownRows<Item>(({ at }) => at);
    return async (state: Readonly<Record<string, readonly [mark: string, at: number]>>) => {
      const marks = new Map(Object.entries(state).map(([id, [mark]]) => [id, mark]));
      let asked: readonly string[] = [];
      const items = await known.update('x.db', marks, (ids) => {
        asked = ids;
        return Promise.resolve(ids.map((id) => ({ id, at: state[id]?.[1] ?? 0 })));
      });
      return { asked, items: items.map(({ id, at }) => `${id} ${at}`) };
    };
  };
  const many = Object.fromEntries(
    Array.from({ length: 100 }, (_, at) => [`c${at}`, ['', at] as const]),
  );

  test('only what was written is asked about again, and what was active last', async () => {
    const look = looker();
    assert.equal((await look(many)).asked.length, 100);
    const { asked, items } = await look({ ...many, c5: ['new', 500] });
    assert.deepEqual(asked, ['c5', ...Array.from({ length: 20 }, (_, at) => `c${at + 80}`)]);
    assert.equal(items.length, 100);
    assert.ok(items.includes('c5 500'));
  });

  test('an answer that streams into its row without another mark is seen', async () => {
    const look = looker();
    await look(many);
    assert.ok((await look({ ...many, c99: ['', 1000] })).items.includes('c99 1000'));
  });

  test('a conversation that is gone is not listed any more, and one that came back is', async () => {
    const look = looker();
    await look({ a: ['', 1], b: ['', 2] });
    assert.deepEqual((await look({ a: ['', 1] })).items, ['a 1']);
    assert.deepEqual((await look({ a: ['', 1], b: ['', 3] })).items, ['a 1', 'b 3']);
  });
});
