import assert from 'node:assert/strict';
import { copyFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { schemaVersion } from './schema.js';
import { SessionIndex } from './sessionIndex.js';
import { wasm } from './testFrames.js';

const fixtures = fileURLToPath(new URL('../../test/fixtures/schemas/', import.meta.url));
const lead = 'claude-code:0b9f3a52-5d0c-4a5e-9d0e-7f3f7f4f8a11';
const chat = 'vscode-chat:5c1f0a36-02f9-4b62-8f0e-3d2c0f6f2f10';

suite('databases of released versions', () => {
  let folder: string;
  setup(async () => {
    folder = await mkdtemp(join(tmpdir(), 'keepthread-released-'));
  });
  teardown(() => rm(folder, { recursive: true }));

  test('there is one of each version', async () => {
    const names = (await readdir(fixtures)).filter((name) => name.endsWith('.db'));
    const expected = Array.from({ length: schemaVersion }, (_, at) => `sessions-v${at + 1}.db`);
    assert.deepEqual(names.sort(), expected.sort());
  });

  test('version 1 opens with every row in its place, and saves', async () => {
    const file = join(folder, 'sessions.db');
    await copyFile(join(fixtures, 'sessions-v1.db'), file);
    const { index, state, problems } = await SessionIndex.open({ file, wasm });
    assert.equal(state, 'opened');
    assert.deepEqual(problems, []);

    assert.deepEqual(
      index.sessions().map(({ title, status }) => [title, status]),
      [
        ['Finished', 'finished'],
        ['Checkout rounds to cents', 'active'],
      ],
    );
    const at = Date.UTC(2026, 10, 2, 9, 30);
    assert.deepEqual(index.activeSession(['file:///home/dev/shop']), {
      id: '7a1d',
      title: 'Checkout rounds to cents',
      goal: 'All price tests green',
      status: 'active',
      tags: ['bug', '价格'],
      workspace: 'file:///home/dev/shop',
      createdAt: at,
      updatedAt: at + 9 * 60_000,
      branch: 'fix/rounding',
      agents: ['claude-code', 'vscode-chat'],
      snapshots: 2,
      threads: 3,
      last: {
        id: 'snapshot-2',
        sessionId: '7a1d',
        at: at + 9 * 60_000,
        reason: 'manual',
        label: 'Before lunch \ud83e',
        tabs: 4,
        changes: 3,
        threads: 2,
        branch: 'fix/rounding',
        delta: { tabsOpened: 2, tabsClosed: 0, filesChanged: 3, turnsAdded: 2 },
      },
    });
    assert.equal(index.session('9c3f')?.title, 'Thrown away');
    assert.deepEqual(index.snapshotItems('snapshot-2'), {
      tabs: ['price.ts', 'price.test.ts', 'README.md', 'zsh'],
      changes: ['src/price.ts', 'src/price.test.ts', 'notes \udc00.md'],
    });
    assert.equal(index.snapshotRef('snapshot-1')?.pack, '2026-11-02-first.pack');

    const thread = index.thread(lead);
    assert.equal(thread?.title, 'Fix rounding');
    assert.equal(thread.state, 'gone');
    assert.deepEqual(thread.openTodos, ['Test negative prices']);
    assert.deepEqual(
      index.threads('7a1d').map(({ id, parent }) => [id, parent]),
      [
        [lead, undefined],
        ['claude-code:agent-a1b2c3d4', lead],
        [chat, undefined],
      ],
    );
    assert.deepEqual(
      index.threads(null).map(({ id }) => id),
      ['claude-code:loose'],
    );
    assert.deepEqual(index.generations(chat), [0, 1]);
    assert.equal(index.batches(chat, 1)[0]?.reused, 1);
    assert.equal(index.cursor(chat)?.records, 3);
    assert.equal(index.threadsNeedingSummary().length, 3);
    // What version 1 did not know is read from the packs.
    assert.equal(index.offsets().size, 0);

    index.apply([], [{ pack: 'new.pack', offset: 1 }]);
    await index.save();
    index.close();
    const again = await SessionIndex.open({ file, wasm });
    assert.equal(again.state, 'opened');
    assert.equal(again.index.offsets().get('new.pack'), 1);
    again.index.close();
  });

  test('version 2 opens, with what is archived, who sent a session, and what a thread continues', async () => {
    const file = join(folder, 'sessions.db');
    await copyFile(join(fixtures, 'sessions-v2.db'), file);
    const { index, state, problems } = await SessionIndex.open({ file, wasm });
    assert.deepEqual([state, problems], ['opened', []]);
    assert.deepEqual(
      index.sessions().map(({ title, archived }) => [title, archived]),
      [
        ['From Ann', undefined],
        ['Finished', true],
        ['Checkout rounds to cents', undefined],
      ],
    );
    assert.equal(index.session('ad51')?.origin?.from, 'Ann');
    assert.deepEqual(index.origin('ad51')?.unknown, { mood: 'good \ud83e' });
    assert.equal(index.session('7a1d')?.origin, undefined);
    assert.equal(index.thread(lead)?.title, 'Fix rounding');
    assert.deepEqual(index.thread(chat)?.continues, { thread: lead, prompts: 1 });
    assert.equal(index.lineage(chat)?.report.from, 'claude-code');
    assert.equal(index.offsets().size, 2);
    index.close();
  });
});
