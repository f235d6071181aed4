import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { wasmPath } from '../agents/sqlite/wasm.js';
import { messageOf } from '../core/errors.js';
import { holds } from '../vault/testProject.js';
import { forgetInStore } from './forgetting.js';
import { listProjects } from './projects.js';
import { TestWindows } from './testWindows.js';

suite('work on all projects of a store', () => {
  let disk: TestWindows;
  setup(() => (disk = new TestWindows()));
  teardown(() => disk.dispose());

  const secret = 'the password is swordfish';
  const names = ['one', 'two', 'three'] as const;
  const fill = async (): Promise<void> => {
    for (const name of names) await disk.work(disk.folder(name), `${name}: ${secret}`);
  };
  const titles = async (): Promise<readonly string[]> =>
    (await listProjects(disk.store, wasmPath())).map(({ title }) => title).toSorted();

  /** Stops it each time that it says how far it is, a step later each time, until it comes to its end. */
  async function stopEverywhere(
    work: (control: {
      readonly signal: AbortSignal;
      readonly onProgress: (done: number, total: number) => void;
    }) => Promise<unknown>,
    afterStop: () => Promise<void>,
  ): Promise<number> {
    for (let step = 0; ; step++) {
      const stop = new AbortController();
      let steps = 0;
      const shares: number[] = [];
      const onProgress = (done: number, total: number): void => {
        shares.push(done / total);
        if (steps++ === step) stop.abort(new Error('stopped'));
      };
      try {
        await work({ signal: stop.signal, onProgress });
        assert.ok(shares.every((share) => share >= 0 && share <= 1));
        assert.deepEqual(shares, shares.toSorted());
        return step;
      } catch (error) {
        assert.match(messageOf(error), /stopped/);
        await afterStop();
      }
    }
  }

  test('forgetting that is stopped has changed no project, or all', async () => {
    await fill();
    const before = await titles();
    const stops = await stopEverywhere(
      (control) =>
        forgetInStore({ text: secret }, { store: disk.store, wasm: wasmPath(), ...control }),
      async () => {
        assert.deepEqual(await titles(), before);
        for (const { key } of await listProjects(disk.store, wasmPath())) {
          assert.equal(await holds(disk.at('store', 'projects', key), secret), true);
        }
      },
    );
    assert.ok(stops > names.length);
    assert.equal(await holds(disk.store, secret), false);
    assert.equal((await titles()).length, names.length);
  });

  test('a text is in no file afterwards: packs, search images, backups, lists, what is known of agents', async () => {
    const folder = disk.folder('work');
    const id = '11111111-2222-4333-8444-555555555555';
    const name = folder.replace(/[^A-Za-z0-9]/g, '-');
    const message = { role: 'user', content: secret };
    const about = { type: 'user', sessionId: id, cwd: folder, version: '2.1.197', uuid: 'u' };
    const record = { ...about, parentUuid: null, timestamp: new Date().toISOString(), message };
    disk.put(`claude/projects/${name}/${id}.jsonl`, `${JSON.stringify(record)}\n`);
    process.env['CLAUDE_CONFIG_DIR'] = disk.at('claude');
    const never = 1e8;
    const { engine, opened } = await disk.open(folder, {
      view: 'view',
      settings: { pollMs: never },
      options: {
        rhythm: { firstMs: never, backupMs: never, backupSaves: 1 },
        builds: { afterMs: 0, fromBytes: 0 },
      },
    });
    const { id: sessionId } = await engine.createSession({ title: secret, status: 'active' });
    await engine.scanThreads();
    await disk.save({ engine, opened }, sessionId, secret);
    const project = disk.at('store', 'projects', opened.projectKey);
    const has = async (of: string, end: string): Promise<boolean> =>
      (await readdir(of).catch(() => [])).some((file) => file.endsWith(end));
    while (!(await has(`${project}/search`, '.search'))) await setImmediate();
    while (!(await has(disk.at('store', 'backups', 'manifests'), ''))) await setImmediate();
    assert.equal((await engine.search('swordfish')).hits.length > 0, true);
    await engine.statistics();
    for (const where of [project, disk.at('store', 'backups')]) {
      assert.equal(await holds(where, secret), true, where);
    }
    await engine.forget({ text: secret });
    assert.equal((await engine.search('swordfish')).hits.length, 0);
    await engine.close();
    delete process.env['CLAUDE_CONFIG_DIR'];
    // What the agent keeps stays the agent's.
    await rm(disk.at('claude'), { recursive: true });
    assert.equal(await holds(disk.root, secret), false);
  });

  test('the list of projects can be stopped, and comes whole the next time', async () => {
    await fill();
    const stops = await stopEverywhere(
      (control) => listProjects(disk.store, wasmPath(), control),
      () => Promise.resolve(),
    );
    assert.ok(stops > 0);
    assert.equal((await titles()).length, names.length);
  });

  test('a window can stop it, and hears how far it is', async () => {
    await fill();
    const { engine } = await disk.open(disk.folder('four'));
    const forgetting = engine.forget({ text: secret }, 'job');
    await engine.cancel('job');
    await assert.rejects(forgetting, { name: 'AbortError' });
    assert.equal(await holds(disk.store, secret), true);
    assert.equal(await engine.progressOf('job'), undefined);
    await engine.forget({ text: secret }, 'job');
    assert.equal(await holds(disk.store, secret), false);
  });
});
