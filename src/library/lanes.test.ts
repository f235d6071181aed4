import assert from 'node:assert/strict';
import { inLanes } from './lanes.js';

suite('work that is done several at a time', () => {
  const items = Array.from({ length: 20 }, (_, at) => at);

  /** Works that each end when all that began with it have begun; tells which began and how many ran at most. */
  const run = (lanes: number, work: (item: number) => Promise<boolean>) => {
    const begun: number[] = [];
    let [running, most] = [0, 0];
    const done = inLanes(items, lanes, async (item) => {
      begun.push(item);
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return work(item);
    });
    return { begun, most: () => most, done };
  };

  test('begins in order, no more than that many, and leaves nothing out', async () => {
    const { begun, most, done } = run(3, () => Promise.resolve(true));
    await done;
    assert.deepEqual(begun, items);
    assert.equal(most(), 3);
  });

  test('begins nothing more once it is stopped', async () => {
    const { begun, done } = run(2, (item) => Promise.resolve(item < 4));
    await done;
    assert.ok(begun.length < 8, `${begun.length} were begun`);
  });

  test('tells what failed, when nothing runs any more', async () => {
    const { begun, done } = run(2, (item) =>
      item === 5 ? Promise.reject(new Error('five')) : Promise.resolve(true),
    );
    await assert.rejects(done, /five/);
    const count = begun.length;
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(begun.length, count);
    assert.ok(count < items.length);
  });
});
