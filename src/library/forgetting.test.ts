import assert from 'node:assert/strict';
import { readdir, readFile, rename } from 'node:fs/promises';
import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { wasmPath } from '../agents/sqlite/wasm.js';
import type { Engine } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { holds } from '../vault/testProject.js';
import { forgetInStore } from './forgetting.js';
import { listProjects } from './projects.js';
import { TestWindows, type TestWindow } from './testWindows.js';

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

  suite('of one folder, with all that is kept of it', () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const thread = `claude-code:${id}`;
    const never = 1e8;
    let folder: string;
    setup(() => {
      folder = disk.folder('work');
      process.env['CLAUDE_CONFIG_DIR'] = disk.at('claude');
    });
    teardown(() => {
      delete process.env['CLAUDE_CONFIG_DIR'];
    });

    /** What the agent writes of a conversation, in a file of its own. */
    function say(nativeId: string, ...texts: readonly string[]): void {
      const about = { type: 'user', sessionId: nativeId, cwd: folder, version: '2.1.197' };
      const records = texts.map((content, at) => ({
        ...about,
        uuid: `${nativeId}-${at}`,
        parentUuid: at === 0 ? null : `${nativeId}-${at - 1}`,
        timestamp: new Date().toISOString(),
        message: { role: 'user', content },
      }));
      const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
      disk.put(`claude/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}/${nativeId}.jsonl`, lines);
    }

    /** A window with everything that Keepthread makes of a conversation: list, search images, a backup. */
    async function window(title: string, draft: string): Promise<TestWindow> {
      const opened = await disk.open(folder, {
        view: 'view',
        settings: { pollMs: never },
        options: {
          rhythm: { firstMs: never, backupMs: never, backupSaves: 1 },
          builds: { afterMs: 0, fromBytes: 0 },
        },
      });
      const { engine } = opened;
      const { id: session } = await engine.createSession({ title, status: 'active' });
      await engine.scanThreads();
      await disk.save(opened, session, draft);
      const project = disk.at('store', 'projects', opened.opened.projectKey);
      const has = async (of: string, end: string): Promise<boolean> =>
        (await readdir(of).catch(() => [])).some((file) => file.endsWith(end));
      while (!(await has(`${project}/search`, '.search'))) await setImmediate();
      while (!(await has(disk.at('store', 'backups', 'manifests'), ''))) await setImmediate();
      assert.equal(await isFound(engine, 'swordfish'), true);
      await engine.statistics();
      for (const where of [project, disk.at('store', 'backups')]) {
        assert.equal(await holds(where, secret), true, where);
      }
      return opened;
    }

    const isFound = async (engine: Engine, word: string): Promise<boolean> =>
      (await engine.search(word)).hits.length > 0;

    /** What the agent keeps stays the agent's; but for it, nothing on the disk has the text. */
    async function isGone(text: string): Promise<void> {
      await rename(disk.at('claude'), disk.at('..', `claude-of-${basename(disk.root)}`));
      assert.equal(await holds(disk.root, text), false);
      assert.ok(!JSON.stringify(disk.said).includes(text));
      await rename(disk.at('..', `claude-of-${basename(disk.root)}`), disk.at('claude'));
    }

    test('a text is in no file afterwards: packs, search images, backups, lists, what is known of agents', async () => {
      say(id, secret);
      const { engine } = await window(secret, secret);
      await engine.forget({ text: secret });
      assert.equal(await isFound(engine, 'swordfish'), false);
      await engine.close();
      await isGone(secret);
    });

    test('a conversation is in no file afterwards, and is not taken in again until that is taken back', async () => {
      const other = id.replaceAll('1', '2');
      say(other, 'something else');
      say(id, secret, 'and more of it');
      // Nobody has named the session: it gets its name from the conversation.
      const { engine } = await window('', 'a draft');
      const counted = await engine.previewForget({ thread });
      assert.ok(counted.removed > 0);
      assert.equal(counted.projects, 1);
      const counts = await engine.forget({ thread });
      assert.equal(counts.removed, counted.removed);
      assert.equal(await isFound(engine, 'swordfish'), false);
      assert.equal(await isFound(engine, 'something'), true);
      say(id, secret, 'and more of it', 'and what came after');
      assert.equal((await engine.scanThreads()).recordsAdded, 0);
      await engine.close();
      await isGone(secret);
      await isGone('what came after');

      // Another window knows, and finds it in nothing that this one left.
      const { engine: later } = await disk.open(folder, { view: 'other' });
      assert.equal((await later.scanThreads()).recordsAdded, 0);
      assert.deepEqual(
        (await later.listForgotten()).map((forgotten) => forgotten.id),
        [thread],
      );
      await later.takeBackForgetting(thread);
      assert.equal((await later.scanThreads()).recordsAdded, 3);
      assert.equal(await isFound(later, 'swordfish'), true);
      assert.deepEqual(await later.listForgotten(), []);
      await assert.rejects(later.takeBackForgetting(thread), { reason: 'threadMissing' });
    });

    test('a conversation that is forgotten while a window knows it is read anew by the same window', async () => {
      say(id, secret);
      const { engine } = await window('named', 'a draft');
      await engine.forget({ thread });
      await engine.scanThreads();
      await engine.takeBackForgetting(thread);
      await engine.scanThreads();
      assert.equal(await isFound(engine, 'swordfish'), true);
      await engine.forget({ thread });
      await engine.close();
      await isGone(secret);
    });

    test('a session goes on without a conversation that was forgotten: saved, sent and taken in', async () => {
      const other = id.replaceAll('1', '2');
      say(other, 'something else');
      say(id, secret);
      const opened = await window('named', 'a draft');
      const { engine } = opened;
      const [session] = await engine.listSessions();
      assert.ok(session);
      await engine.forget({ thread });
      const { snapshotId } = await disk.save(opened, session.id, 'after');
      assert.deepEqual(
        (await engine.listThreads(session.id)).map(({ nativeId }) => nativeId),
        [other],
      );
      assert.equal((await engine.readSnapshot(snapshotId)).snapshot.threads.length, 1);
      const output = disk.at('sent.keepthread');
      const choice = { files: true, images: true, filesWithSecrets: true };
      await engine.exportSession({
        sessionId: session.id,
        output,
        format: 'keepthread',
        author: 'A',
        choice,
      });
      assert.ok(!(await readFile(output)).includes('swordfish'));
      const { engine: elsewhere } = await disk.open(disk.folder('elsewhere'));
      const { outcome } = await elsewhere.importHandoff({ file: output });
      assert.equal(outcome, 'new');
    });

    test('what no project knows cannot be forgotten', async () => {
      say(id, secret);
      const { engine } = await window('named', 'a draft');
      const nobody = { thread: 'claude-code:nobody' };
      await assert.rejects(engine.forget(nobody), { reason: 'threadMissing' });
      await assert.rejects(engine.previewForget(nobody), { reason: 'threadMissing' });
    });
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
