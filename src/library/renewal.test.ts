import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { wasmPath } from '../agents/sqlite/wasm.js';
import { openProject, type Project } from './openProject.js';
import type { Store } from './store.js';
import { TestWindows } from './testWindows.js';

suite('an index that is made anew', () => {
  let disk: TestWindows;
  let folder: string;
  let opened: Project[] = [];
  setup(() => {
    disk = new TestWindows();
    folder = disk.folder('work');
    opened = [];
  });
  teardown(async () => {
    await Promise.all(opened.map(({ store }) => store.close()));
    await disk.dispose();
  });

  async function open(): Promise<Store> {
    const uri = pathToFileURL(folder).href;
    const settings = { maxFileBytes: 1, maxFiles: 1, redact: true, agentHomes: {}, pollMs: 0 };
    const folders = [{ name: 'work', uri }];
    const request = { store: disk.store, folders, trusted: true, chatStores: [], settings };
    const project = await openProject(request, wasmPath());
    opened.push(project);
    return project.store;
  }
  const begin = (store: Store, title: string): Promise<void> =>
    store.appendSession({ schemaVersion: 1, sessionId: randomUUID(), at: 1, set: { title } });
  const titles = (store: Store): readonly string[] =>
    store.index
      .sessions()
      .map(({ title }) => title)
      .toSorted();
  const ignore = (): void => undefined;

  /** Stops in the middle of making anew, and does something there. */
  async function meanwhile(store: Store, act: () => Promise<void>): Promise<void> {
    store.completeBy(act);
    await store.renew(ignore);
  }

  test('answers as before until it is done, and then knows what was saved meanwhile', async () => {
    const store = await open();
    const other = await open();
    await begin(store, 'before');
    const { epoch } = store;
    let hash = '';
    await meanwhile(store, async () => {
      assert.deepEqual(titles(store), ['before']);
      await begin(store, 'here');
      await begin(other, 'elsewhere');
      hash = await store.putJson('a draft');
      assert.deepEqual(titles(store), ['before', 'here']);
      assert.equal(store.epoch, epoch);
    });
    assert.equal(store.epoch, epoch + 1);
    await store.refresh(ignore);
    assert.deepEqual(titles(store), ['before', 'elsewhere', 'here']);
    assert.equal(await store.readJson(hash), 'a draft');
  });

  test('stays as it is when it is stopped, and takes in what comes', async () => {
    const store = await open();
    const other = await open();
    await begin(store, 'before');
    const stop = new AbortController();
    store.completeBy((_fresh, signal) => {
      stop.abort(new Error('enough'));
      signal?.throwIfAborted();
      return Promise.resolve();
    });
    await assert.rejects(store.renew(ignore, { signal: stop.signal }), /enough/);
    assert.deepEqual([titles(store), store.epoch], [['before'], 0]);
    await begin(other, 'elsewhere');
    await store.refresh(ignore);
    assert.deepEqual([titles(store), store.epoch], [['before', 'elsewhere'], 0]);
  });

  test('ends with the window', async () => {
    const store = await open();
    await begin(store, 'before');
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    store.completeBy(
      (_fresh, signal) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new Error('closed')));
          begun();
        }),
    );
    const renewing = store.renew(ignore);
    await isBegun;
    await Promise.all([assert.rejects(renewing, /closed/), store.close()]);
  });
});

suite('a newest snapshot that is damaged', () => {
  test('does not keep the next one from being saved', async () => {
    const disk = new TestWindows();
    const folder = disk.folder('work');
    const first = await disk.open(folder, { view: 'view' });
    const session = await first.engine.createSession({ title: 'work', status: 'active' });
    await disk.save(first, session.id, 'to be damaged');
    await first.engine.close();
    const [key = ''] = readdirSync(join(disk.store, 'projects'));
    const packs = join(disk.store, 'projects', key, 'packs');
    for (const name of readdirSync(packs)) {
      const bytes = readFileSync(join(packs, name));
      bytes.writeUInt8((bytes.at(-3) ?? 0) ^ 1, bytes.length - 3);
      writeFileSync(join(packs, name), bytes);
    }
    const second = await disk.open(folder, { view: 'view' });
    const { stored, snapshotId } = await disk.save(second, session.id, 'after');
    assert.equal(stored, true);
    assert.deepEqual((await second.engine.readSnapshot(snapshotId)).missing, []);
    await disk.dispose();
  });
});
