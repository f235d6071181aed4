import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { dump, emptyIndex, TestPack } from './testFrames.js';
import type { Frame } from './types.js';

const names = fc.constantFrom('one', 'two', 'three');
const texts = fc.constantFrom('', 'a', 'b', 'lone \ud800', 'nul \0');
const threads = names.map((name) => `agent:${name}`);

/** One thing that a process writes; several of few names, so that they meet. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('session' as const),
    id: names,
    at: fc.integer({ min: 0, max: 9 }),
    workspace: fc.option(texts, { nil: undefined }),
    joins: fc.array(threads, { maxLength: 2 }),
    set: fc.record(
      {
        title: texts,
        goal: texts,
        status: fc.constantFrom('active', 'paused', 'finished'),
        tags: fc.array(texts, { maxLength: 2 }),
        deleted: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    kind: fc.constant('snapshot' as const),
    session: names,
    id: names,
    at: fc.integer({ min: 0, max: 9 }),
    thread: threads,
  }),
  fc.record({
    kind: fc.constant('records' as const),
    thread: threads,
    parent: fc.option(threads, { nil: undefined }),
    generation: fc.integer({ min: 0, max: 2 }),
    first: fc.integer({ min: 0, max: 4 }),
    texts: fc.array(texts, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('thread' as const),
    thread: threads,
    state: fc.constantFrom('live' as const, 'gone' as const),
  }),
  fc.record({ kind: fc.constant('blob' as const), text: texts }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Two processes whose clocks run alike, so that some frames have one and the same clock. */
function write(steps: readonly { readonly who: boolean; readonly step: Step }[]): TestPack[] {
  const packs = [new TestPack('a.pack'), new TestPack('b.pack')] as const;
  for (const { who, step: value } of steps) {
    const pack = packs[who ? 1 : 0];
    switch (value.kind) {
      case 'session': {
        const { at, joins, set, workspace } = value;
        pack.json(1, { schemaVersion: 1, sessionId: value.id, at, joins, set, workspace });
        break;
      }
      case 'snapshot': {
        const point = { id: value.thread, generation: 0, records: 1 };
        pack.snapshot(value.session, value.id, { at: value.at, threads: [point] });
        break;
      }
      case 'records': {
        const { generation, first, parent } = value;
        const head = parent === undefined ? { generation, first } : { generation, first, parent };
        pack.records(value.thread, value.texts, head);
        break;
      }
      case 'thread':
        pack.thread(value.thread, value.state);
        break;
      case 'blob':
        pack.blob(value.text);
        break;
    }
  }
  return [...packs];
}

/** What collection leaves behind: the same frame in another pack. */
const copied = (frame: Frame): Frame => ({ ...frame, pack: 'copy.pack', offset: frame.offset + 1 });

suite('the order of frames', () => {
  let folder: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepthread-order-'));
  });
  teardown(() => rm(folder, { recursive: true }));

  const rowsOf = async (
    parts: readonly (readonly Frame[])[],
    packs: readonly TestPack[],
  ): Promise<string> => {
    const file = join(folder, 'sessions.db');
    await rm(file, { force: true });
    const index = await emptyIndex(file);
    for (const part of parts) {
      index.apply(
        part,
        packs.map(({ covered }) => covered),
      );
    }
    await index.save();
    index.close();
    return dump(await readFile(file));
  };

  const history = fc
    .array(fc.record({ who: fc.boolean(), step }), { minLength: 1, maxLength: 14 })
    .map(write);
  const framesOf = (packs: readonly TestPack[]): Frame[] => packs.flatMap(({ frames }) => frames);

  test('two windows that read each other late show the same sessions', async () => {
    const shuffled = history.chain((packs) =>
      fc.record({
        packs: fc.constant(packs),
        frames: fc.shuffledSubarray(framesOf(packs), { minLength: framesOf(packs).length }),
        cut: fc.nat(framesOf(packs).length),
      }),
    );
    await fc.assert(
      fc.asyncProperty(shuffled, async ({ packs, frames, cut }) => {
        const inOrder = await rowsOf([framesOf(packs)], packs);
        assert.equal(await rowsOf([frames.slice(0, cut), frames.slice(cut)], packs), inOrder);
      }),
      { numRuns: 150 },
    );
  });

  test('a frame that comes again changes nothing, from the same pack or from a copy', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (packs) => {
        const frames = framesOf(packs);
        const once = await rowsOf([frames], packs);
        assert.equal(await rowsOf([frames, frames.toReversed()], packs), once);
        const copies = frames.map(copied);
        assert.equal(
          await rowsOf([copies, frames], packs),
          await rowsOf([frames.toReversed(), copies.toReversed()], packs),
        );
      }),
      { numRuns: 75 },
    );
  });
});
