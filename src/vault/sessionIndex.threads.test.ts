import assert from 'node:assert/strict';
import type { SessionIndex } from './sessionIndex.js';
import { emptyIndex, summaryOf, TestPack } from './testFrames.js';

suite('the index of threads', () => {
  let index: SessionIndex;
  let pack: TestPack;
  setup(async () => {
    index = await emptyIndex();
    pack = new TestPack('a.pack');
  });
  teardown(() => index.close());

  const apply = (...packs: readonly TestPack[]) =>
    index.apply(
      packs.flatMap(({ frames }) => frames),
      packs.map(({ covered }) => covered),
    );
  const ids = (items: readonly { readonly id: string }[]): string[] => items.map(({ id }) => id);

  suite('threads', () => {
    test('a thread is there before its summary, and its summary is asked for', () => {
      const frame = pack.records('claude-code:t', ['one', 'two']);
      apply(pack);
      const [thread] = index.threads(null);
      assert.equal(thread?.title, 't');
      assert.equal(thread.agent, 'claude-code');
      assert.equal(thread.records, 2);
      assert.equal(thread.bytes, frame.payload.length);
      assert.deepEqual(index.threadsNeedingSummary(), [
        { id: 'claude-code:t', generation: 0, records: 2 },
      ]);
    });

    test('a summary comes back whole, and is asked for again when records are added', () => {
      pack.records('claude-code:t', ['one']);
      apply(pack);
      const summary = summaryOf('claude-code:t', {
        title: 'lone \udfff',
        cwd: '/w\ud800',
        branch: 'main',
        parent: undefined,
        version: '1.2',
        firstAt: 1.5,
        lastAt: 2,
        firstPrompt: 'first\0',
        lastPrompt: 'last',
        openTodos: ['todo \ud83d'],
        working: true,
        skipped: 3,
      });
      index.putThreadSummary(summary);
      assert.deepEqual(index.thread('claude-code:t'), summary);
      assert.deepEqual(index.threadsNeedingSummary(), []);
      const more = new TestPack('b.pack', 100n);
      more.records('claude-code:t', ['two'], { first: 1 });
      apply(more);
      assert.deepEqual(index.threadsNeedingSummary(), [
        { id: 'claude-code:t', generation: 0, records: 2 },
      ]);
      assert.deepEqual(index.thread('claude-code:t'), summary);
    });

    test('a summary of fewer records than there are is shown as what it is', () => {
      pack.records('a:t', ['one', 'two', 'three']);
      pack.records('a:t', ['one'], { generation: 1 });
      apply(pack);
      index.putThreadSummary(summaryOf('a:t', { generation: 0, records: 3 }));
      const thread = index.thread('a:t');
      assert.deepEqual([thread?.generation, thread?.records], [0, 3]);
      assert.deepEqual(index.threadsNeedingSummary(), [{ id: 'a:t', generation: 1, records: 1 }]);
    });

    test('subagents go where their parent goes, at any depth', () => {
      for (const id of ['a:lead', 'a:alone']) pack.records(id, ['x']);
      pack.records('a:sub', ['x'], { parent: 'a:lead' });
      pack.records('a:subsub', ['x'], { parent: 'a:sub' });
      pack.records('a:ring', ['x'], { parent: 'a:ring2' });
      pack.records('a:ring2', ['x'], { parent: 'a:ring' });
      pack.session('s', { joins: ['a:lead'] });
      pack.session('gone', { joins: ['a:alone'], set: { deleted: true } });
      apply(pack);
      assert.deepEqual(ids(index.threads('s')), ['a:lead', 'a:sub', 'a:subsub']);
      assert.equal(index.session('s')?.threads, 3);
      assert.deepEqual(ids(index.threads(null)), ['a:alone', 'a:ring', 'a:ring2']);
      assert.equal(index.thread('a:sub')?.parent, 'a:lead');
    });

    test('the thread that was active last comes first', () => {
      for (const id of ['a:one', 'a:two', 'a:three']) pack.records(id, ['x']);
      apply(pack);
      index.putThreadSummary(summaryOf('a:one', { lastAt: 10 }));
      index.putThreadSummary(summaryOf('a:two', { lastAt: 20 }));
      assert.deepEqual(ids(index.threads(null)), ['a:two', 'a:one', 'a:three']);
    });

    test('an agent that deletes its file changes the mark of the thread, nothing else', () => {
      pack.records('a:t', ['x']);
      pack.thread('a:t', 'gone');
      apply(pack);
      assert.equal(index.thread('a:t')?.state, 'gone');
      assert.equal(index.batches('a:t', 0).length, 1);
      assert.deepEqual(index.threadPaths('a'), [{ id: 'a:t', path: '/store/a:t', state: 'gone' }]);
      assert.deepEqual(index.threadPaths('b'), []);
      index.putThreadSummary(summaryOf('a:t', { state: 'live' }));
      assert.equal(index.thread('a:t')?.state, 'gone');
    });

    test('a thread of which only an event is known is not listed', () => {
      pack.thread('a:t', 'gone');
      apply(pack);
      assert.deepEqual(index.threads(null), []);
      assert.equal(index.thread('a:t'), undefined);
    });
  });

  suite('records', () => {
    const runs = (thread: string, generation = 0): string[] =>
      index.batches(thread, generation).map(({ first, take }) => `${first}-${first + take}`);

    test('batches come in order, however they lie in the packs', () => {
      pack.records('a:t', ['c'], { first: 2 });
      pack.records('a:t', ['a', 'b']);
      apply(pack);
      assert.deepEqual(runs('a:t'), ['0-2', '2-3']);
    });

    const covers = (
      title: string,
      batches: readonly (readonly [number, number])[],
      expected: readonly string[],
    ) =>
      test(`no record twice and none missing: ${title}`, () => {
        for (const [first, last] of batches) {
          const texts = Array.from({ length: last - first }, (_, at) => `record ${first + at}`);
          pack.records('a:t', texts, { first });
        }
        apply(pack);
        assert.deepEqual(runs('a:t'), expected);
      });
    covers(
      'two windows read the same',
      [
        [0, 3],
        [0, 3],
      ],
      ['0-3'],
    );
    covers(
      'one window read further',
      [
        [0, 3],
        [0, 5],
      ],
      ['0-5'],
    );
    covers(
      'they overlap',
      [
        [0, 3],
        [2, 5],
      ],
      ['0-2', '2-5'],
    );
    covers(
      'one is inside the other',
      [
        [0, 9],
        [3, 5],
        [9, 10],
      ],
      ['0-9', '9-10'],
    );
    covers(
      'a run is lost',
      [
        [0, 3],
        [5, 6],
      ],
      ['0-3', '5-6'],
    );
    covers('a batch without records', [[0, 0]], ['0-0']);

    test('a rewritten file begins a generation; the one before stays readable', () => {
      pack.records('a:t', ['a', 'b', 'c']);
      pack.records('a:t', ['x'], { generation: 1, first: 2, reused: 2 });
      apply(pack);
      assert.deepEqual(index.generations('a:t'), [0, 1]);
      assert.deepEqual(runs('a:t', 0), ['0-3']);
      assert.equal(index.batches('a:t', 1)[0]?.reused, 2);
      assert.deepEqual(index.threadsNeedingSummary(), [{ id: 'a:t', generation: 1, records: 3 }]);
    });

    test('reading goes on behind the furthest record of the newest generation', () => {
      const at = (generation: number, first: number, offset: number) =>
        pack.records('a:t', ['x'], {
          generation,
          first,
          cursor: {
            path: '/f',
            offset,
            generation,
            records: first + 1,
            state: { inode: 7, hash: 'h' },
          },
        });
      at(0, 9, 1000);
      at(1, 1, 200);
      at(1, 0, 100);
      apply(pack);
      assert.deepEqual(index.cursor('a:t'), {
        path: '/f',
        offset: 200,
        generation: 1,
        records: 2,
        state: { inode: 7, hash: 'h' },
      });
      assert.equal(index.cursor('a:other'), undefined);
    });

    test('content is found by its hash', () => {
      const frame = pack.blob('text');
      apply(pack);
      assert.deepEqual(index.blobRef(frame.hash), { pack: 'a.pack', offset: frame.offset });
      assert.equal(index.blobRef('00'.repeat(32)), undefined);
    });
  });
});
