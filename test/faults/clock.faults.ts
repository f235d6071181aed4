import assert from 'node:assert/strict';
import { join } from 'node:path';
import { backUp, restoreBackup } from '../../src/vault/backup.js';
import { collect } from '../../src/vault/collect.js';
import { diskIo } from '../../src/vault/io.js';
import { openView } from '../../src/vault/openView.js';
import { projectFile } from '../../src/vault/projectFile.js';
import { sealPacks } from '../../src/vault/seal.js';
import { wasm } from '../../src/vault/testFrames.js';
import { TestProject } from '../../src/vault/testProject.js';
import { temporaryFolder } from '../../src/vault/testVault.js';
import { rounds } from './lane.js';
import { oneOf, randomFrom, type Random } from './random.js';

const YEAR = 365 * 24 * 60 * 60 * 1000;

suite('clocks that jump (R10)', () => {
  const folder = temporaryFolder();
  const realNow = Date.now;
  teardown(() => {
    Date.now = realNow;
  });

  const moments = [
    0,
    Date.UTC(2038, 0, 19, 3, 14, 8),
    Date.UTC(2027, 2, 28, 1, 30),
    -1,
    8.64e15 - 1e9,
  ];
  /** Some moment that a clock may show. */
  const anyMoment = (random: Random): number => {
    const kind = random(3);
    if (kind === 0) return realNow();
    if (kind === 1) return realNow() + (random(20_000) / 1000 - 10) * YEAR;
    return oneOf(moments, random);
  };
  const jump = (random: Random): number => {
    const moment = anyMoment(random);
    Date.now = () => moment;
    return moment;
  };

  const times = rounds(4, 100);
  test(`${times} lives of a vault keep the order, the newest, and all that a person asked for`, async () => {
    for (let time = 0; time < times; time++) {
      const random = randomFrom(time);
      const store = join(folder(), String(time));
      const home = join(projectFile(store, 'git-abc'), '..');
      const project = await TestProject.open(home);
      const session = await project.session({ title: 'work' });
      const asked: string[] = [];
      let newest = '';
      for (let save = 0; save < 150; save++) {
        const now = jump(random);
        const isAsked = save % 9 === 0;
        newest = await project.snapshot(session, `draft ${save}`, {
          at: now,
          reason: isAsked ? 'manual' : 'edits',
        });
        if (isAsked) asked.unshift(newest);
        if (save % 10 === 5) await project.restart();
        if (save % 25 === 7) await sealPacks(project.packs, { io: diskIo, now });
        if (save % 50 === 23) {
          await collect({ folder: home, wasm, io: diskIo, now, dryRun: false, inFlightMs: 0 });
        }
        if (save % 20 === 3) await backUp({ store, to: join(store, 'b'), now, rotate: true });
      }
      await project.close();
      Date.now = realNow;
      await check(home, session, asked, newest);
      await backUp({ store, to: join(store, 'b'), now: 0, rotate: true });
      await restoreBackup(join(store, 'b'), `${store} restored`);
      const restored = join(projectFile(`${store} restored`, 'git-abc'), '..');
      await check(restored, session, asked, newest);
    }
  });

  async function check(
    home: string,
    session: string,
    asked: readonly string[],
    newest: string,
  ): Promise<void> {
    const { index, problems, close } = await openView(home, wasm);
    assert.deepEqual(problems, []);
    const listed = index.snapshots(session);
    assert.equal(listed[0]?.id, newest);
    assert.deepEqual(
      listed.filter(({ reason }) => reason === 'manual').map(({ id }) => id),
      asked,
    );
    assert.ok(listed.length >= 50 + asked.length);
    await close();
  }
});
