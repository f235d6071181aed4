import assert from 'node:assert/strict';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { catalogSchema } from '../core/model/session.js';
import type { BuildProgress } from '../core/engine.js';
import { Building } from './building.js';
import { TestWindows } from './testWindows.js';

suite('a list that is made again', () => {
  let disk: TestWindows;
  let folder: string;
  /** More than is taken in at once. */
  const MANY = 300;
  setup(() => {
    disk = new TestWindows();
    folder = disk.folder('work');
  });
  teardown(() => disk.dispose());

  const options = { aheadBytes: 0 };
  const view = 'view';

  /** A project of many sessions, of whose list the database is lost. */
  async function lose(how: (file: string) => void = (file) => rmSync(file)): Promise<void> {
    const { engine } = await disk.open(folder, { view });
    for (let at = 0; at < MANY; at++) await engine.createSession({ title: `Session ${at}` });
    const { id } = await engine.createSession({ title: 'Newest', status: 'active' });
    await disk.save({ engine, opened: await engine.open({} as never) }, id);
    await engine.close();
    how(disk.at('views/view/sessions.db'));
  }

  for (const [what, how] of [
    ['missing', (file: string) => rmSync(file)],
    ['damaged', (file: string) => truncateSync(file, 5000)],
    ['another program’s', (file: string) => writeFileSync(file, 'not a database')],
  ] as const) {
    test(`is shown meanwhile, and goes on with the same session: the database is ${what}`, async () => {
      await lose(how);
      const { engine, opened } = await disk.open(folder, { view, options });
      await engine.stopBuilding();
      const rows = await engine.listSessions();
      assert.equal(rows.length, MANY + 1);
      const newest = rows.find(({ title }) => title === 'Newest');
      assert.equal(opened.activeSessionId, newest?.id);
      assert.deepEqual(await engine.listThreads(null), []);
      // Goes on, since this is not in the list.
      assert.equal((await engine.listSnapshots(newest?.id ?? '')).length, 1);
      assert.equal((await engine.listSessions()).length, MANY + 1);
    });
  }

  test('lets the restore of a window that comes back be counted before it is made, and after the window is closed at once', async () => {
    await lose();
    const ends = ['whole', 'partial', 'whole', 'failed'] as const;
    for (const end of ends) {
      const { engine } = await disk.open(folder, { view: `of ${end}`, options });
      await engine.stopBuilding();
      await engine.noteRestore(end);
      await engine.close();
    }
    const { engine } = await disk.open(folder, { view });
    const [project] = (await engine.statistics()).projects;
    assert.deepEqual(project?.restores, { whole: 2, partial: 1, failed: 1 });
  });

  test('is not replaced by a part of it when the window is closed meanwhile', async () => {
    await lose();
    const { engine } = await disk.open(folder, { view, options });
    await engine.stopBuilding();
    await engine.close();
    const text = readFileSync(disk.at('views/view/catalog.json'), 'utf8');
    assert.equal(catalogSchema.parse(JSON.parse(text)).sessions.length, MANY + 1);
    const again = await disk.open(folder, { view });
    assert.equal((await again.engine.listSessions()).length, MANY + 1);
  });

  test('is the same when a person has it made again, also while somebody saves', async () => {
    await lose();
    const { engine, opened } = await disk.open(folder, { view });
    const before = await engine.listSessions();
    const sessionId = opened.activeSessionId ?? '';
    await Promise.all([engine.rebuild(), disk.save({ engine, opened }, sessionId, 'meanwhile')]);
    const after = await engine.listSessions();
    assert.deepEqual(
      after.map(({ id }) => id),
      before.map(({ id }) => id),
    );
    assert.equal(after[0]?.last?.label, 'meanwhile');
  });
});

suite('the making of a list', () => {
  const make = (build: (signal: AbortSignal) => Promise<void>) => {
    const said: (BuildProgress | undefined)[] = [];
    const building = new Building({
      rows: [],
      total: () => Promise.resolve(10),
      build,
      onProgress: (progress) => void said.push(progress),
    });
    return { building, said };
  };

  test('of a moment is not told', async () => {
    const { building, said } = make(() => Promise.resolve());
    await building.finish();
    assert.deepEqual([building.isDone, said], [true, []]);
  });

  test('goes on where it was stopped', async () => {
    let steps = 0;
    let begun = (): void => undefined;
    const isBegun = new Promise<void>((resolve) => (begun = resolve));
    const { building } = make(async (signal) => {
      while (steps < 3) {
        begun();
        await new Promise((resolve) => setImmediate(resolve));
        signal.throwIfAborted();
        steps += 1;
      }
    });
    building.start(() => undefined);
    await isBegun;
    await building.stop();
    assert.deepEqual([building.isDone, steps], [false, 0]);
    await building.finish();
    assert.deepEqual([building.isDone, steps], [true, 3]);
  });

  test('that fails is said to whoever needs it', async () => {
    const { building } = make(() => Promise.reject(new Error('no disk')));
    await assert.rejects(() => building.finish(), /no disk/);
    assert.equal(building.isDone, false);
  });
});
