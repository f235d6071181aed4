import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionIndex } from './sessionIndex.js';
import { dump, emptyIndex, TestPack } from './testFrames.js';

suite('sessionIndex', () => {
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

  suite('sessions', () => {
    test('a session is listed with what it holds', () => {
      pack.session('s', {
        at: 10,
        workspace: 'file:///w',
        set: { title: 'Fix', goal: 'green', tags: ['x'] },
        joins: ['claude-code:t'],
      });
      pack.records('claude-code:t', ['{}']);
      pack.records('vscode-chat:u', ['{}']);
      pack.snapshot('s', 'one', { at: 20, summary: { branch: 'main' } });
      pack.snapshot('s', 'two', {
        at: 30,
        label: 'Before lunch',
        threads: [{ id: 'vscode-chat:u', generation: 0, records: 1 }],
        summary: { tabs: 3, changes: 2, branch: 'fix' },
      });
      apply(pack);
      const last = {
        id: 'two',
        sessionId: 's',
        at: 30,
        reason: 'edits',
        label: 'Before lunch',
        tabs: 3,
        changes: 2,
        threads: 1,
        branch: 'fix',
        delta: undefined,
      };
      const expected = {
        id: 's',
        title: 'Fix',
        goal: 'green',
        status: 'active',
        tags: ['x'],
        workspace: 'file:///w',
        createdAt: 10,
        updatedAt: 30,
        branch: 'fix',
        agents: ['claude-code', 'vscode-chat'],
        snapshots: 2,
        threads: 2,
        last,
      };
      assert.deepEqual(index.sessions(), [expected]);
      assert.deepEqual(index.session('s'), expected);
      assert.deepEqual(ids(index.snapshots('s')), ['two', 'one']);
      assert.deepEqual(ids(index.snapshots('s', 1)), ['two']);
    });

    test('what happened last comes first, whatever a wrong wall clock says', () => {
      pack.session('old', { at: 9e12 });
      pack.session('new', { at: 5 });
      pack.snapshot('old', 'late', { at: 1 });
      apply(pack);
      assert.deepEqual(ids(index.sessions()), ['old', 'new']);
      assert.equal(index.session('old')?.updatedAt, 1);
    });

    test('a deleted session is hidden, can be found by id and comes back', () => {
      pack.session('s', { set: { title: 'Kept' } });
      pack.session('s', { set: { deleted: true } });
      apply(pack);
      assert.deepEqual(index.sessions(), []);
      assert.equal(index.session('s')?.title, 'Kept');
      const later = new TestPack('b.pack', 100n);
      later.session('s', { set: { deleted: false } });
      apply(later);
      assert.deepEqual(ids(index.sessions()), ['s']);
    });

    test('a snapshot whose session is not there yet is listed, and the session fills in', () => {
      pack.session('s', { at: 1, workspace: 'file:///w', set: { title: 'Late' } });
      pack.snapshot('s', 'one', { at: 2 });
      const [event, snapshot] = pack.frames;
      assert.ok(event && snapshot);
      index.apply([snapshot], []);
      const placeholder = index.session('s');
      assert.equal(placeholder?.title, '');
      assert.equal(placeholder.status, 'paused');
      assert.equal(placeholder.createdAt, 2);
      index.apply([event], []);
      const filled = index.session('s');
      assert.equal(filled?.title, 'Late');
      assert.equal(filled.status, 'active');
      assert.equal(filled.createdAt, 1);
      assert.equal(filled.snapshots, 1);
    });

    test('a window goes on with the newest active session of its workspace', () => {
      const add = (id: string, workspace: string | undefined, status: 'active' | 'paused') =>
        pack.session(
          id,
          workspace === undefined ? { set: { status } } : { workspace, set: { status } },
        );
      add('older', 'file:///w', 'active');
      add('newer', 'file:///w', 'active');
      add('paused', 'file:///w', 'paused');
      add('elsewhere', 'file:///v', 'active');
      add('noFolder', undefined, 'active');
      pack.snapshot('lost', 'orphan');
      apply(pack);
      assert.equal(index.activeSession(['file:///w'])?.id, 'newer');
      assert.equal(index.activeSession(['file:///v'])?.id, 'elsewhere');
      assert.equal(index.activeSession([undefined])?.id, 'noFolder');
      assert.equal(index.activeSession(['file:///renamed']), undefined);
      const moved = (workspace: string): boolean => workspace !== 'file:///v';
      assert.equal(index.activeSession(['file:///renamed'], moved)?.id, 'elsewhere');
    });
  });

  suite('snapshots', () => {
    test('a snapshot is found in the vault by its id, and the newest by its session', () => {
      pack.session('s');
      const one = pack.snapshot('s', 'one');
      const two = pack.snapshot('s', 'two');
      apply(pack);
      assert.deepEqual(index.snapshotRef('one'), { pack: 'a.pack', offset: one.offset });
      assert.deepEqual(index.latestSnapshot('s'), {
        id: 'two',
        ref: { pack: 'a.pack', offset: two.offset },
      });
      assert.equal(index.snapshotRef('three'), undefined);
      assert.equal(index.latestSnapshot('t'), undefined);
    });

    test('the newest snapshot of each session is described, older ones no more', () => {
      pack.snapshot('s', 'one');
      pack.snapshot('t', 'other');
      apply(pack);
      const first = { tabs: ['a.ts', 'lone \ud800'], changes: ['src/a.ts', 'b\0'] };
      index.describeSnapshot('one', first);
      index.describeSnapshot('other', { tabs: ['z'], changes: [] });
      assert.deepEqual(index.snapshotItems('one'), first);
      const later = new TestPack('b.pack', 100n);
      later.snapshot('s', 'two');
      apply(later);
      index.describeSnapshot('two', { tabs: ['c'], changes: [] });
      index.describeSnapshot('one', first);
      assert.deepEqual(index.snapshotItems('one'), { tabs: [], changes: [] });
      assert.deepEqual(index.snapshotItems('two').tabs, ['c']);
      assert.deepEqual(index.snapshotItems('other').tabs, ['z']);
    });
  });

  suite('what cannot be understood', () => {
    test('is said with its place, and the rest is taken in', () => {
      const bad = [
        pack.json(99, { new: 'kind' }),
        pack.json(1, { schemaVersion: 2, sessionId: 's', at: 1, set: {} }),
        pack.json(1, { schemaVersion: 1, sessionId: 's', at: '1', set: {} }),
        pack.json(2, []),
        pack.json(5, null),
        pack.add(1, Buffer.from('{"cut":')),
        pack.add(2, Buffer.from([0xff, 0xfe])),
        pack.add(3, Buffer.from([])),
        pack.add(3, Buffer.from([255, 255, 255, 255, 1])),
        pack.add(3, Buffer.from([2, 0, 0, 0, 0x7b, 0x7d])),
        pack.records('a:t', ['x'], { first: -1 }),
        pack.records('a:t', ['x'], { generation: 0.5 }),
      ];
      pack.session('good', { set: { title: 'Good' } });
      const applied = apply(pack);
      assert.deepEqual(
        applied.problems.map(({ where }) => where),
        bad.map(({ offset }) => `a.pack@${offset}`),
      );
      assert.deepEqual(ids(index.sessions()), ['good']);
      assert.deepEqual(index.threads(null), []);
      assert.equal(index.offsets().get('a.pack'), pack.covered.offset);
    });

    test('names of fields in a file change no object of ours', () => {
      pack.add(
        1,
        Buffer.from(
          '{"schemaVersion":1,"sessionId":"s","at":1,"set":{"__proto__":{"deleted":true}}}',
        ),
      );
      apply(pack);
      assert.deepEqual(ids(index.sessions()), ['s']);
      assert.equal(Object.hasOwn(Object.prototype, 'deleted'), false);
    });
  });

  test('what changed is told, so that lists can be drawn again', () => {
    pack.session('s');
    pack.snapshot('t', 'one');
    pack.records('a:t', ['x']);
    const applied = apply(pack);
    assert.deepEqual([...applied.sessions].sort(), ['s', 't']);
    assert.deepEqual([...applied.threads], ['a:t']);
  });

  test('rows and how far they reach into a pack are kept together or not at all', () => {
    const { covered } = pack;
    pack.session('s');
    assert.throws(() => index.apply(pack.frames, [pack.covered, { pack: 'b.pack', offset: 0.5 }]));
    assert.deepEqual(index.sessions(), []);
    assert.equal(index.offsets().size, 0);
    apply(pack);
    index.apply([], [covered]);
    assert.equal(index.offsets().get('a.pack'), pack.covered.offset, 'never less than before');
  });

  test('the latest clock is known, so that what is written next comes after it', () => {
    assert.equal(index.newestClock(), undefined);
    const late = new TestPack('a.pack', 0xffff_ffff_ffffn);
    late.session('s');
    late.records('a:t', ['x']);
    apply(late);
    assert.equal(index.newestClock(), 0xffff_ffff_ffffn + 1n);
  });

  test('a database that was deleted is rebuilt from the packs, row by row the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'keepthread-index-'));
    try {
      for (let n = 0; n < 30; n++) {
        pack.session(`s${n % 7}`, {
          at: n,
          set: { title: `Title ${n}`, tags: [`${n}`] },
          joins: [`a:${n}`],
        });
        pack.snapshot(`s${n % 5}`, `snapshot ${n}`, { at: n, label: n % 2 ? 'lone \ud800' : 'x' });
        pack.records(`a:${n % 9}`, ['r'], { first: n });
        pack.blob(`${n}`);
      }
      const build = async (name: string, size: number): Promise<string> => {
        const file = join(folder, name);
        const built = await emptyIndex(file);
        for (let at = 0; at < pack.frames.length; at += size) {
          built.apply(pack.frames.slice(at, at + size), [pack.covered]);
        }
        await built.save();
        built.close();
        return dump(await readFile(file));
      };
      assert.equal(await build('again.db', 1000), await build('first.db', 3));
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('a thousand sessions of twenty snapshots are listed, each with its own', () => {
    for (let n = 0; n < 1000; n++) {
      pack.session(`s${n}`, { set: { title: `Title ${n}` }, joins: [`a:${n}`] });
      pack.records(`a:${n}`, ['x']);
      for (let m = 0; m < 20; m++) {
        pack.snapshot(`s${n}`, `${n}/${m}`, {
          threads: [{ id: `a:${n}`, generation: 0, records: 1 }],
        });
      }
    }
    apply(pack);
    const sessions = index.sessions();
    assert.equal(sessions.length, 1000);
    for (const [at, session] of sessions.entries()) {
      const n = 999 - at;
      assert.equal(session.title, `Title ${n}`);
      assert.deepEqual([session.snapshots, session.threads, session.last?.id], [20, 1, `${n}/19`]);
    }
  });
});
