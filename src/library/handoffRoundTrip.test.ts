import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeHandoff, type FileEnd } from '../handoff/decode.js';
import { encodeHandoff } from '../handoff/encode.js';
import { plainOf, writeStream } from '../handoff/handoffFile.js';
import { contentOf } from './testContent.js';
import { Machine } from './testMachine.js';
import { oddText, saveSession, sessions, type SavedSession } from './testSessions.js';

/** 5,000 in the long lane, see docs/reliability.md. */
const numRuns = Number(process.env['KEEPTHREAD_ROUND_TRIPS'] ?? 200);

suite('a session with anything in it (R20)', function () {
  this.timeout(0);
  let ann: Machine;
  let bob: Machine;
  const open = async (): Promise<void> => {
    ann = await new Machine().open();
    bob = await new Machine().open();
  };
  const close = async (): Promise<void> => {
    await ann.close();
    await bob.close();
  };
  let runs: number;
  setup(async () => {
    runs = 0;
    await open();
  });
  teardown(close);

  /** So many sessions in a store are enough. */
  const renew = async (): Promise<void> => {
    runs += 1;
    if (runs % 200 !== 0) return;
    await close();
    await open();
  };

  test('is the same on another machine, in every field and byte, and a second time nothing changes', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, async (made) => {
        await renew();
        const saved = await saveSession(ann.store, made);
        const { file } = await ann.export(saved.id);
        const { sessionId, outcome } = await bob.import(file);
        assert.equal(outcome, 'new');
        const again = await bob.import(file);
        assert.deepEqual([again.outcome, again.sessionId], ['unchanged', sessionId]);
        await assertIsThere(bob, sessionId, saved);
      }),
      { numRuns },
    );
  });

  test('keeps what a newer version says beyond it, wherever it stands, also when it is passed on', async () => {
    await fc.assert(
      fc.asyncProperty(sessions, fc.infiniteStream(oddText), async (made, texts) => {
        await renew();
        const saved = await saveSession(ann.store, made);
        const { file } = await ann.export(saved.id);
        const newer = join(ann.root, 'newer.keepthread');
        await writeNewer(file, newer, () => String(texts.next().value));
        const { sessionId, inspection } = await bob.import(newer);
        assert.equal(inspection.isNewer, true);
        await assertIsThere(bob, sessionId, saved);
        const { file: passedOn } = await bob.export(sessionId);
        const [before, after] = [await contentOf(newer), await contentOf(passedOn)];
        for (const kind of ['session', 'threads', 'snapshots', 'parts', 'other'] as const) {
          // Fields of an object have no order.
          const words = (value: unknown) =>
            unknownIn(value)
              .map((one) => JSON.stringify(one))
              .sort();
          assert.deepEqual(words(after[kind]), words(before[kind]), kind);
        }
      }),
      { numRuns: Math.ceil(numRuns / 4) },
    );
  });
});

/** JSON has no `undefined`, and nought has no sign in it. */
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? null));

async function assertIsThere({ store }: Machine, id: string, saved: SavedSession): Promise<void> {
  const session = store.index.session(id);
  const { title, goal, tags, status } = session ?? {};
  assert.deepEqual({ title, goal, tags, status }, saved.set);
  const here = (thread: string): string =>
    store.index.threads(id).find((row) => row.id.startsWith(`${thread}@from-`))?.id ?? 'not there';

  const rows = store.index.snapshots(id).toReversed();
  assert.equal(rows.length, saved.snapshots.length);
  for (const [at, { snapshot, parts }] of saved.snapshots.entries()) {
    const { snapshot: found, missing, ...content } = await store.readSnapshot(rows[at]?.id ?? '');
    assert.deepEqual(missing, []);
    for (const [name, part] of Object.entries(parts)) {
      assert.deepEqual(json(content[name as keyof typeof content]), json(part), name);
    }
    assert.deepEqual(
      json({ ...found, id: '', sessionId: '', parts: {} }),
      json({
        ...snapshot,
        id: '',
        sessionId: '',
        parts: {},
        threads: snapshot.threads.map((point) => ({ ...point, id: here(point.id) })),
      }),
    );
  }
  for (const [hash, bytes] of saved.contents) {
    assert.deepEqual(Buffer.from(await store.readBlob(hash)), bytes);
  }
  for (const { id: thread, parent, generations, named } of saved.threads) {
    const row = store.index.thread(here(thread));
    assert.equal(row?.parent, parent && here(parent));
    assert.deepEqual([...store.recordCounts(here(thread)).keys()].sort(), [...named].sort());
    for (const generation of named) {
      const records = generations[generation] ?? [];
      const found: Buffer[] = [];
      for await (const record of store.records(here(thread), generation, records.length)) {
        found.push(Buffer.from(record));
      }
      assert.deepEqual(found, records);
    }
  }
}

const mark = 'unknown to this version';

/** The file as a newer version would have written it: with fields and entries that this one does not know. */
async function writeNewer(from: string, to: string, word: () => string): Promise<void> {
  const entries: object[] = [];
  const reading = decodeHandoff(plainOf(from));
  let end: FileEnd | undefined;
  while (end === undefined) {
    const next = await reading.next();
    if (next.done === true) end = next.value;
    else entries.push(withMore(next.value.value, word));
  }
  const { contents } = end.manifest;
  const manifest = { ...end.manifest, contents: { ...contents, parts: contents.parts + 1 } };
  const more = [
    { kind: 'later', [mark]: word() },
    { kind: 'even later', deep: [{ [mark]: word() }] },
    { kind: 'part', id: 'outline 1', part: 'outline', value: { [mark]: word() } },
  ];
  const all = encodeHandoff([...entries, ...more], () => manifest, { version: '1.9' });
  await writeStream(to, all);
}

function withMore(entry: Readonly<Record<string, unknown>>, word: () => string): object {
  switch (entry['kind']) {
    case 'session':
    case 'thread':
      return { ...entry, [mark]: { word: word(), deep: [word(), { [mark]: word() }] } };
    case 'snapshot':
      return { ...entry, snapshot: everywhere(entry['snapshot'], word) };
    case 'part':
      return { ...entry, value: everywhere(entry['value'], word) };
    default:
      return entry;
  }
}

/** Every object in a value gets another field, but for those whose fields are names. */
function everywhere(value: unknown, word: () => string, key = ''): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => everywhere(item, word, key));
  const inner = Object.entries(value).map(([name, item]): [string, unknown] => [
    name,
    everywhere(item, word, name),
  ]);
  return { ...Object.fromEntries(inner), ...(key !== 'agents' && { [mark]: word() }) };
}

/** All that stands under our mark, in order. */
function unknownIn(value: unknown): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => (key === mark ? [item] : unknownIn(item)));
}
