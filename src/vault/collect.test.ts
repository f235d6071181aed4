import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import type { CollectReport } from './collect.js';
import { collect } from './collect.js';
import { diskIo } from './io.js';
import { openView } from './openView.js';
import { wasm } from './testFrames.js';
import { FaultyIo } from './testIo.js';
import { hashOf, holds, TestProject } from './testProject.js';
import { temporaryFolder } from './testVault.js';

const DAY = 24 * 60 * 60 * 1000;

suite('collection', () => {
  const folder = temporaryFolder();
  let project: TestProject;
  setup(async () => {
    project = await TestProject.open(join(folder(), 'project'));
  });
  teardown(() => project.close());

  const run = (
    days: number,
    rest: Partial<Parameters<typeof collect>[0]> = {},
  ): Promise<CollectReport> =>
    collect({
      folder: project.folder,
      wasm,
      io: diskIo,
      now: Date.now() + days * DAY,
      dryRun: false,
      inFlightMs: 0,
      ...rest,
    });

  /** Sessions, snapshots and what can be read of them, as a window would see it. */
  async function seen(): Promise<readonly string[]> {
    const { index, vault, problems, close } = await openView(project.folder, wasm);
    assert.deepEqual(problems, []);
    const lines: string[] = [];
    for (const { id, title } of index.sessions()) {
      for (const snapshot of index.snapshots(id)) {
        const ref = index.snapshotRef(snapshot.id);
        assert.ok(ref);
        await vault.readFrame(ref);
        lines.push(`${title}: ${snapshot.id}`);
      }
    }
    await close();
    return lines.sort();
  }

  /** Whether the vault gives back a text. */
  async function has(text: string): Promise<boolean> {
    const { index, vault, close } = await openView(project.folder, wasm);
    const ref = index.blobRef(hashOf(text));
    const found = ref && Buffer.from((await vault.readFrame(ref)).payload).toString() === text;
    await close();
    return found === true;
  }

  const big = (name: string): string => `${name} ${randomBytes(3000).toString('hex')}`;

  /** A session to keep, and one of large snapshots that was deleted. */
  async function deletedSession(): Promise<{ kept: string; drafts: readonly string[] }> {
    const kept = await project.session({ title: 'kept' });
    await project.snapshot(kept, 'of the kept one');
    const gone = await project.session({ title: 'gone' });
    const drafts = Array.from({ length: 6 }, (_, at) => big(`gone ${at}`));
    for (const draft of drafts) await project.snapshot(gone, draft);
    await project.session({ deleted: true }, gone);
    await project.close();
    return { kept, drafts };
  }

  test('takes a deleted session out of the files, and nothing else', async () => {
    const { drafts } = await deletedSession();
    const before = await seen();
    const report = await run(9);
    assert.equal(report.deadSessions, 1);
    assert.equal(report.deadSnapshots, 6);
    assert.equal(report.files.length, 1);
    assert.deepEqual(await seen(), before);
    for (const draft of drafts) assert.equal(await holds(folder(), draft), false);
    assert.equal(await has(JSON.stringify('of the kept one')), true);
    assert.equal(await holds(folder(), 'gone'), false);
  });

  test('leaves a session deleted that was deleted', async () => {
    await deletedSession();
    await run(9);
    const { index, close } = await openView(project.folder, wasm);
    assert.deepEqual(
      index.sessions().map(({ title }) => title),
      ['kept'],
    );
    assert.equal(index.deletedSessions().size, 1);
    await close();
  });

  const stays = (title: string, days: number, prepare: () => Promise<unknown>): void => {
    test(`leaves everything as it is ${title}`, async () => {
      const { drafts } = await deletedSession();
      await prepare();
      await run(days);
      assert.equal(await holds(folder(), drafts[0] ?? ''), true);
    });
  };
  stays('within the grace', 6, () => Promise.resolve());
  test('leaves what is being saved, also when the clock jumps ahead', async () => {
    const text = big('about to be named');
    await project.blob(text);
    await project.session({ title: 'later' });
    await project.close();
    await run(3650, { inFlightMs: 60_000 });
    assert.equal(await has(text), true);
    await run(3650);
    assert.equal(await has(text), false);
  });

  stays('when the clock was set back', -3650, () => Promise.resolve());
  stays('when the file was relied upon this week', 9, async () => {
    await project.restart();
    await project.close();
    await run(1.5);
    await project.age(-5);
  });
  stays('when somebody brought the session back', 9, async () => {
    const { index, close } = await openView(project.folder, wasm);
    const [gone] = index.deletedSessions().keys();
    await close();
    await project.restart();
    await project.session({ deleted: false }, gone);
    await project.close();
  });

  test('says what would go, and takes nothing, in a dry run', async () => {
    const { drafts } = await deletedSession();
    await run(9, { dryRun: true });
    const files = await project.files();
    await run(9);
    const wet = await run(9, { dryRun: true });
    assert.equal(wet.deadBytes, 0);
    assert.notDeepEqual(await project.files(), files);
    assert.equal(await holds(folder(), drafts[0] ?? ''), false);
  });

  test('thins automatic snapshots out, and keeps the newest and what a person asked for', async () => {
    const session = await project.session({ title: 's' });
    const asked = await project.snapshot(session, big('asked'), { reason: 'manual' });
    const labelled = await project.snapshot(session, big('labelled'), { label: 'before' });
    for (let at = 0; at < 160; at++) await project.snapshot(session, big(`automatic ${at}`));
    await project.close();
    await run(9);
    const left = await seen();
    assert.ok(left.length >= 52 && left.length <= 54, String(left.length));
    assert.ok(left.includes(`s: ${asked}`) && left.includes(`s: ${labelled}`));
  });

  test('leaves conversations when their session goes, and takes forgotten ones', async () => {
    const kept = 'claude-code:kept';
    const gone = 'claude-code:gone';
    const session = await project.session({ title: 's' }, undefined, [kept, gone]);
    await project.records(kept, ['a kept prompt']);
    await project.records(gone, [big('a forgotten prompt')]);
    await project.thread(gone, 'forgotten');
    await project.session({ deleted: true }, session);
    await project.close();
    await run(9);
    assert.equal(await holds(folder(), 'a forgotten prompt'), false);
    const { index, close } = await openView(project.folder, wasm);
    assert.deepEqual(
      index.threads(null).map(({ id }) => id),
      [kept],
    );
    assert.deepEqual([...index.forgottenThreads()], [gone]);
    await close();
  });

  test('keeps content that is about to be named again', async () => {
    const { drafts } = await deletedSession();
    await run(1.5);
    await project.age(30);
    await project.restart();
    // What the window knows of the file, and what it saves while collection is at work.
    const again = async (): Promise<void> => {
      const kept = await project.session({ title: 'again' });
      for (const draft of drafts) await project.snapshot(kept, draft);
    };
    const io = new FaultyIo();
    const create = io.create.bind(io);
    io.create = async (path) => {
      if (path.endsWith('.tmp')) await again();
      return create(path);
    };
    await run(9, { io });
    for (const draft of drafts) assert.equal(await has(JSON.stringify(draft)), true);
    // They were not saved twice.
    const { index, close } = await openView(project.folder, wasm);
    const packs = drafts.map((draft) => index.blobRef(hashOf(JSON.stringify(draft)))?.pack);
    assert.equal(new Set(packs).size, 1);
    await close();
  });

  test('refuses where something cannot be read', async () => {
    const { drafts } = await deletedSession();
    const [name = ''] = await project.files();
    const bytes = await readFile(join(project.packs, name));
    bytes[400] = (bytes[400] ?? 0) ^ 1;
    await writeFile(join(project.packs, name), bytes);
    await assert.rejects(run(9), (error) => isExpected(error, 'damaged') && !!error.next);
    assert.equal(await holds(folder(), drafts[5] ?? ''), true);
  });

  test('that fails or is killed at any call loses nothing that is needed', async function () {
    this.timeout(600_000);
    const { drafts } = await deletedSession();
    const before = await seen();
    const [name = ''] = await project.files();
    const bytes = await readFile(join(project.packs, name));
    const counting = new FaultyIo();
    await run(9, { io: counting });
    for (const lasts of [1, Infinity]) {
      for (let first = 0; first < counting.calls; first++) {
        for (const file of await project.files()) await diskIo.remove(join(project.packs, file));
        await writeFile(join(project.packs, name), bytes);
        const io = new FaultyIo();
        io.faultAt = (call) =>
          call >= first && call < first + lasts ? { code: 'EIO' } : undefined;
        await run(9, { io }).catch(() => undefined);
        assert.deepEqual(await seen(), before, `call ${first}`);
        await run(9);
        await run(18);
        assert.deepEqual(await seen(), before, `after call ${first}`);
        assert.equal(await holds(folder(), drafts[0] ?? ''), false);
      }
    }
  });

  test('leaves files for their owner only', async function () {
    if (process.platform === 'win32') return this.skip();
    await deletedSession();
    await run(9);
    for (const name of await project.files()) {
      assert.equal((await stat(join(project.packs, name))).mode & 0o777, 0o600);
    }
  });
});
