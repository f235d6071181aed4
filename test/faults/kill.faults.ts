import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { collect } from '../../src/vault/collect.js';
import { diskIo } from '../../src/vault/io.js';
import { hashesIn } from '../../src/vault/needed.js';
import { openView } from '../../src/vault/openView.js';
import { sealPacks } from '../../src/vault/seal.js';
import { wasm } from '../../src/vault/testFrames.js';
import { holds, TestProject } from '../../src/vault/testProject.js';
import { pollAll, temporaryFolder, textOf, vaults } from '../../src/vault/testVault.js';
import type { Writer } from '../../src/vault/testWriters.js';
import { nameOf, writers } from '../../src/vault/testWriters.js';
import { rounds } from './lane.js';

suite('processes that are killed (R1, R8)', () => {
  const open = vaults();
  const folder = temporaryFolder();
  const processes = writers({
    collector: new URL('collector.ts', import.meta.url),
    saver: new URL('saver.ts', import.meta.url),
  });

  const inTenDays = (): number => Date.now() + 10 * 24 * 60 * 60 * 1000;

  const kill = async (writer: Writer): Promise<void> => {
    writer.child.kill('SIGKILL');
    await writer.ended;
  };

  /** Everything that was saved is there, nothing twice, nothing damaged. */
  async function isWhole(saved: readonly string[]): Promise<void> {
    const { frames, problems } = await pollAll(await open({ folder: folder() }));
    assert.deepEqual(problems, []);
    const found = frames.map(nameOf);
    const names = new Set(found);
    assert.deepEqual(
      saved.filter((name) => !names.has(name)),
      [],
    );
  }

  const killed = rounds(50, 2000);
  test(`${killed} saves that are killed at any moment lose nothing that was acknowledged`, async () => {
    let saved: string[] = [];
    for (let round = 0; round < killed; round++) {
      const writer = processes.start(folder(), `round${round}`);
      await writer.begun;
      await wait(Math.random() * 100);
      await kill(writer);
      saved.push(...writer.saved);
      if (round % 25 !== 24) continue;
      await isWhole(saved);
      saved = saved.slice(-2000);
    }
    await isWhole(saved);
  });

  const writing = rounds(4, 8);
  const each = rounds(50, 500);
  test(`${writing} processes with ${each} saves each, half of them killed, lose and double nothing`, async () => {
    const all = Array.from({ length: writing }, (_, at) =>
      processes.start(folder(), `p${at}`, each),
    );
    await Promise.all(all.map(({ begun }) => begun));
    await wait(Math.random() * 50);
    await Promise.all(all.map((one, at) => (at % 2 === 0 ? one.ended : kill(one))));
    for (const [at, { saved }] of all.entries()) {
      if (at % 2 === 0) assert.equal(saved.length, each);
    }
    const vault = await open({ folder: folder() });
    const { frames, problems } = await pollAll(vault);
    assert.deepEqual(problems, []);
    const found = frames.map(nameOf);
    assert.equal(new Set(found).size, found.length);
    const names = new Set(found);
    assert.ok(all.flatMap(({ saved }) => saved).every((name) => names.has(name)));
  });

  const tidied = rounds(5, 300);
  test(`${tidied} rounds of saves lose nothing to processes that seal and collect and are killed`, async () => {
    const project = await TestProject.open(folder());
    const session = await project.session({ title: 'kept' });
    await project.close();
    const saved: string[] = [];
    let tidyings = 0;
    for (let round = 0; round < tidied; round++) {
      const saver = processes.run('saver', [folder(), session]);
      const collectors = [1, 2].map(() => processes.run('collector', [folder(), wasm]));
      await Promise.all([saver, ...collectors].map(({ begun }) => begun));
      await wait(Math.random() * 500);
      await Promise.all([saver, ...collectors].map(kill));
      saved.push(...saver.saved.map((line) => line.replace(/^saver /, '')));
      tidyings += collectors.reduce((sum, one) => sum + one.saved.length, 0);
      await areReadable(saved, session);
    }
    assert.ok(tidyings >= 2 * tidied);
    // A pack that is mostly of a deleted session; what the killed ones had not deleted yet has to stay.
    await sealPacks(project.packs, { io: diskIo, now: inTenDays() });
    await project.restart();
    const gone = await project.session({ title: 'gone' });
    await project.snapshot(gone, `gone for sure ${randomBytes(100_000).toString('hex')}`);
    await project.session({ deleted: true }, gone);
    await project.close();
    const now = inTenDays();
    await collect({ folder: folder(), wasm, io: diskIo, now, dryRun: false, inFlightMs: 0 });
    await sealPacks(project.packs, { io: diskIo, now });
    await areReadable(saved, session);
    assert.equal(await holds(folder(), 'gone for sure'), false);
    const files = await project.files();
    assert.ok(files.length < 40, `${files.length} files`);
  });

  /** Every snapshot is listed, once, and gives back its editors and its draft. */
  async function areReadable(ids: readonly string[], session: string): Promise<void> {
    const { index, vault, problems, close } = await openView(folder(), wasm);
    assert.deepEqual(problems, []);
    const listed = new Set(index.snapshots(session).map(({ id }) => id));
    assert.deepEqual(
      ids.filter((id) => !listed.has(id)),
      [],
    );
    for (const id of ids) {
      const ref = index.snapshotRef(id);
      assert.ok(ref);
      const [part = ''] = hashesIn((await vault.readFrame(ref)).payload);
      const editors = index.blobRef(part);
      assert.ok(editors, `the editors of ${id}`);
      const [draft = ''] = hashesIn((await vault.readFrame(editors)).payload);
      const text = index.blobRef(draft);
      assert.ok(text, `the draft of ${id}`);
      assert.match(textOf(await vault.readFrame(text)), /draft/);
    }
    await close();
  }
});
