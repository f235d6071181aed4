import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { collect } from '../../src/vault/collect.js';
import { forget } from '../../src/vault/forget.js';
import type { Io } from '../../src/vault/io.js';
import { diskIo } from '../../src/vault/io.js';
import { openView } from '../../src/vault/openView.js';
import { sealPacks } from '../../src/vault/seal.js';
import { wasm } from '../../src/vault/testFrames.js';
import { TestProject } from '../../src/vault/testProject.js';
import { temporaryFolder } from '../../src/vault/testVault.js';
import { JournalIo } from './journalIo.js';
import { rounds } from './lane.js';
import { randomFrom } from './random.js';

const DAY = 24 * 60 * 60 * 1000;

suite('a loss of power (R3)', () => {
  const folder = temporaryFolder();

  /** Packs of several processes; some sealed, some with a deleted session. */
  async function filled(): Promise<{ project: TestProject; session: string; gone: string }> {
    const project = await TestProject.open(join(folder(), 'project'));
    const session = await project.session({ title: 'kept' });
    const gone = await project.session({ title: 'gone' });
    for (let at = 0; at < 4; at++) {
      await project.snapshot(session, `kept ${at}`);
      for (let more = 0; more < 3; more++) await project.snapshot(gone, `gone ${at} ${more}`);
      await project.restart();
      if (at === 1) await sealPacks(project.packs, { io: diskIo, now: Date.now() + 2 * DAY });
    }
    await project.session({ deleted: true }, gone);
    await project.close();
    return { project, session, gone };
  }

  /** The snapshots of a session that can be read. */
  async function readable(of: string, session: string): Promise<readonly string[]> {
    const { index, vault, problems, close } = await openView(of, wasm);
    assert.deepEqual(problems, []);
    const found: string[] = [];
    for (const { id } of index.snapshots(session)) {
      const ref = index.snapshotRef(id);
      if (ref) found.push(Buffer.from((await vault.readFrame(ref)).payload).toString());
    }
    await close();
    return found.sort();
  }

  const survives = (
    title: string,
    work: (project: TestProject, io: Io, gone: string) => Promise<unknown>,
  ): void => {
    test(`at any step loses nothing: ${title}`, async () => {
      const { project, session, gone } = await filled();
      const expected = await readable(project.folder, session);
      const before = new Map<string, Buffer>();
      for (const name of await project.files()) {
        before.set(name, await readFile(join(project.packs, name)));
      }
      const io = new JournalIo(before);
      await work(project, io, gone);
      assert.deepEqual(await readable(project.folder, session), expected);
      const left = join(folder(), 'left');
      const times = rounds(4, 200);
      for (let after = 0; after <= io.steps.length; after++) {
        for (let time = 0; time < times; time++) {
          const random = randomFrom(after * times + time);
          const some = (): number => random(1000) / 1000;
          const chance = time === 0 ? () => 0 : time === 1 ? () => 0.999 : some;
          await io.lose(join(left, 'packs'), after, chance);
          assert.deepEqual(await readable(left, session), expected, `after step ${after}`);
        }
      }
    });
  };

  const now = (): number => Date.now() + 20 * DAY;
  survives('packs are sealed', (project, io) => sealPacks(project.packs, { io, now: now() }));
  survives('what is not needed is collected', (project, io) =>
    collect({ folder: project.folder, wasm, io, now: now(), dryRun: false, inFlightMs: 0 }),
  );
  survives('a session is forgotten', (project, io, session) =>
    forget({ session }, { folder: project.folder, wasm, io }),
  );
});
