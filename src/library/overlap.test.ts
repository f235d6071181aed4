import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type { Engine } from '../core/engine.js';
import { decodeBatch } from '../vault/batch.js';
import { collectProject, sealProject } from '../vault/maintain.js';
import { pollAll } from '../vault/testVault.js';
import { FrameType } from '../vault/types.js';
import { openVault } from '../vault/vault.js';
import { forgetInStore } from './forgetting.js';
import { TestWindows } from './testWindows.js';

const DAY = 24 * 60 * 60 * 1000;
const ROUNDS = 2;
const claudeId = '11111111-2222-4333-8444-555555555555';

interface Round {
  readonly engine: Engine;
  /** The project's folder. */
  readonly project: string;
  /** A session that was deleted, and shares a draft with what is being saved. */
  readonly gone: string;
  readonly secret: string;
}

suite('what is saved, and the list, while', function () {
  this.timeout(600_000);
  let disk: TestWindows;
  let folder: string;
  setup(() => {
    disk = new TestWindows();
    folder = disk.repository('work');
    process.env['CLAUDE_CONFIG_DIR'] = disk.at('claude');
  });
  teardown(async () => {
    delete process.env['CLAUDE_CONFIG_DIR'];
    await disk.dispose();
  });

  const store = () => ({ store: disk.store, wasm: wasmPath() });
  const patience = { waitMs: 60_000 };
  const disturbances: Readonly<Record<string, (round: Round) => Promise<unknown>>> = {
    'the list is made again': ({ engine }) => engine.rebuild(),
    'another window has a session forgotten': ({ gone }) =>
      forgetInStore({ session: gone }, store()),
    'another window has a text forgotten': ({ secret }) => forgetInStore({ text: secret }, store()),
    'this window has a session forgotten': ({ engine, gone }) => engine.forget({ session: gone }),
    'packs are sealed': ({ project }) => sealProject(project, Date.now() + 9 * DAY, patience),
    'packs are collected': async ({ project }) => {
      const options = { folder: project, wasm: wasmPath(), now: Date.now() + 9 * DAY };
      await collectProject({ ...options, dryRun: false }, patience);
    },
    'a session is forgotten, packs are sealed and the list is made again': async (round) => {
      await Promise.all([
        forgetInStore({ session: round.gone }, store()),
        sealProject(round.project, Date.now() + 9 * DAY, patience),
        round.engine.rebuild(),
      ]);
    },
  };

  /** The agent goes on. */
  const say = (text: string): void => {
    const name = folder.replace(/[^A-Za-z0-9]/g, '-');
    const file = disk.at('claude', 'projects', name, `${claudeId}.jsonl`);
    mkdirSync(dirname(file), { recursive: true });
    const about = { type: 'user', sessionId: claudeId, cwd: folder, version: '2.1.197' };
    const timestamp = new Date().toISOString();
    const message = { role: 'user', content: text };
    const record = { ...about, uuid: `u ${text}`, parentUuid: null, timestamp, message };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
  };

  const save = async (engine: Engine, sessionId: string, text: string): Promise<string> => {
    const place = { uri: 'untitled:1' };
    const environment = { keepthread: '0', os: '', arch: '', node: '', folders: [], agents: {} };
    const { snapshotId } = await engine.save(
      {
        drafts: [{ place, untitled: true, languageId: 'plaintext', text }],
        editors: { groups: [], activeGroup: 0, views: [] },
        environment,
      },
      { sessionId, reason: 'manual' },
    );
    return snapshotId;
  };

  /** What a snapshot gives back: its drafts. */
  const draftsOf = async (engine: Engine, snapshot: string): Promise<readonly string[]> => {
    const { editors, missing } = await engine.readSnapshot(snapshot);
    assert.deepEqual(missing, []);
    return Promise.all((editors?.drafts ?? []).map(({ text }) => engine.readText(text)));
  };

  test('another window has just had something forgotten, which this one takes for kept: is whole', async () => {
    const { engine } = await disk.open(folder);
    const other = await disk.open(folder);
    const { id: kept } = await engine.createSession({ title: 'kept', status: 'active' });
    const { id: gone } = await other.engine.createSession({ title: 'gone' });
    await save(other.engine, gone, 'one draft');
    await save(other.engine, gone, 'another draft');
    await engine.scanThreads();
    const one = await save(engine, kept, 'one draft');
    await forgetInStore({ session: gone }, store());
    const another = await save(engine, kept, 'another draft');
    assert.deepEqual(await draftsOf(engine, one), ['one draft']);
    assert.deepEqual(await draftsOf(engine, another), ['another draft']);
  });

  for (const [what, disturb] of Object.entries(disturbances)) {
    test(`${what}: is whole`, async () => {
      const { engine } = await disk.open(folder, { view: 'view' });
      const other = await disk.open(folder);
      const { id: kept } = await engine.createSession({ title: 'kept', status: 'active' });
      const [key = ''] = readdirSync(join(disk.store, 'projects'));
      const project = join(disk.store, 'projects', key);
      const saved = new Map<string, string>();
      for (let at = 0; at < ROUNDS; at++) {
        const shared = `the same in both ${at}`;
        const secret = `secret number ${at}`;
        const { id: gone } = await other.engine.createSession({ title: `gone ${at}` });
        await save(other.engine, gone, shared);
        await save(other.engine, gone, secret);
        await other.engine.updateSession(gone, { deleted: true });
        // This window knows that the draft is kept, so it need not keep it.
        await engine.scanThreads();
        say(`prompt ${at}`);
        let isOver = false;
        const work = async (): Promise<void> => {
          for (const text of [shared, `own ${at}`, shared]) {
            saved.set(await save(engine, kept, text), text);
          }
        };
        const look = async (): Promise<void> => {
          while (!isOver) {
            const titles = (await engine.listSessions()).map(({ title }) => title);
            assert.ok(titles.includes('kept'), 'the list is never empty');
            await engine.scanThreads();
            await setImmediate();
          }
        };
        const all = Promise.all([disturb({ engine, project, gone, secret }), work()]);
        await Promise.all([all.finally(() => (isOver = true)), look()]);
      }
      const later = await disk.open(folder);
      for (const window of [engine, later.engine]) {
        await window.scanThreads();
        for (const [snapshot, text] of saved) {
          assert.deepEqual(await draftsOf(window, snapshot), [text]);
        }
        const listed = await window.listSnapshots(kept);
        assert.equal(listed.length, saved.size);
        const [thread] = await window.listThreads(kept);
        assert.equal(thread?.records, ROUNDS);
      }
      assert.deepEqual(disk.said, []);
      // What is not known for a moment would be read from the agent's file again. One frame may be in two packs: it
      // was written to one that was closed that moment, and not counted.
      const { frames } = await pollAll(await openVault({ folder: project }));
      const runs = new Map(
        frames
          .filter(({ type }) => type === FrameType.records)
          .map(({ clock, payload }) => [clock, decodeBatch(payload).header.first]),
      );
      assert.deepEqual([...runs.values()].toSorted(), [...new Set(runs.values())].toSorted());
    });
  }
});
