import assert from 'node:assert/strict';
import { oneAhead } from './oneAhead.js';

suite('what is made ready one ahead', () => {
  /** Takes so many of what is made of 0, 1, 2, ...; tells which were begun each time. */
  const take = async (most: number, begin: (item: number) => Promise<string>) => {
    const begun: number[] = [];
    const seen: string[] = [];
    const made = oneAhead([0, 1, 2, 3], (item) => {
      begun.push(item);
      return begin(item);
    });
    for await (const one of made) {
      seen.push(`${one} of ${begun.length}`);
      if (seen.length === most) break;
    }
    return seen;
  };

  test('comes in order and whole, whichever is ready first', async () => {
    const later = async (item: number) => {
      for (let turn = item; turn < 4; turn++) await new Promise((resolve) => setImmediate(resolve));
      return String(item);
    };
    assert.deepEqual(await take(9, later), ['0 of 2', '1 of 3', '2 of 4', '3 of 4']);
  });

  test('is left where nobody wants more', async () => {
    assert.deepEqual(await take(1, (item) => Promise.resolve(String(item))), ['0 of 2']);
  });

  test('fails where it is to be given, not before', async () => {
    const seen: string[] = [];
    const failing = async (): Promise<void> => {
      const begin = (item: number) =>
        item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(String(item));
      for await (const one of oneAhead([0, 1, 2, 3], begin)) seen.push(one);
    };
    await assert.rejects(failing, /two/);
    assert.deepEqual(seen, ['0', '1']);
  });
});
