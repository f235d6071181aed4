import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { appendFile, cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { automaticBackups, backUp, restoreBackup, verifyBackup } from './backup.js';
import { manifestsFolder, readManifests } from './backupManifest.js';
import { diskIo } from './io.js';
import { openView } from './openView.js';
import { projectFile } from './projectFile.js';
import { sealPacks } from './seal.js';
import { wasm } from './testFrames.js';
import { TestProject } from './testProject.js';
import { temporaryFolder } from './testVault.js';

const DAY = 24 * 60 * 60 * 1000;

suite('backups', () => {
  const folder = temporaryFolder();
  const store = (): string => join(folder(), 'store');
  const backups = (): string => automaticBackups(store());
  let project: TestProject;
  let session: string;
  setup(async () => {
    project = await TestProject.open(dirname(projectFile(store(), 'git-abc')));
    session = await project.session({ title: 'work' });
    await writeFile(projectFile(store(), 'git-abc'), '{"schemaVersion":1}');
  });
  teardown(() => project.close());

  const backup = (rest: Partial<Parameters<typeof backUp>[0]> = {}) =>
    backUp({ store: store(), to: backups(), now: Date.now(), rotate: true, ...rest });

  /** What a window sees in a store: its snapshots, each read. */
  async function seen(of = store()): Promise<readonly string[]> {
    const view = await openView(dirname(projectFile(of, 'git-abc')), wasm);
    assert.deepEqual(view.problems, []);
    const lines: string[] = [];
    for (const { id } of view.index.snapshots(session)) {
      const ref = view.index.snapshotRef(id);
      lines.push(ref ? Buffer.from((await view.vault.readFrame(ref)).payload).toString() : '');
    }
    await view.close();
    return lines;
  }

  const seal = () => sealPacks(project.packs, { io: diskIo, now: Date.now() + 2 * DAY });

  test('a drill: the store is deleted, and everything that was backed up comes back', async () => {
    const points: (readonly string[])[] = [];
    for (let round = 0; round < 4; round++) {
      await project.snapshot(session, `draft of round ${round}`);
      if (round === 2) {
        await project.restart();
        await seal();
        await project.snapshot(session, 'in a new pack');
      }
      points.unshift(await seen());
      await backup();
    }
    await project.close();
    await cp(backups(), join(folder(), 'saved'), { recursive: true });
    await rm(store(), { recursive: true });
    const manifests = await readManifests(join(folder(), 'saved'));
    assert.equal(manifests.length, 4);
    for (const [at, { name, manifest }] of manifests.entries()) {
      const to = join(folder(), `restored ${at}`);
      const report = await restoreBackup(join(folder(), 'saved'), to, name);
      assert.equal(report.at, manifest.at);
      assert.deepEqual(await seen(to), points[at]);
      assert.equal(await readFile(projectFile(to, 'git-abc'), 'utf8'), '{"schemaVersion":1}');
    }
    project = await TestProject.open(dirname(projectFile(join(folder(), 'restored 0'), 'git-abc')));
    await project.snapshot(session, 'going on');
    assert.equal((await seen(join(folder(), 'restored 0'))).length, (points[0]?.length ?? 0) + 1);
  });

  test('cost what was saved since the last one', async () => {
    await project.snapshot(session, 'x'.repeat(1000));
    const first = await backup();
    assert.ok(first.copied > 500);
    assert.equal((await backup()).copied, 0);
    await project.snapshot(session, 'one more');
    const next = await backup();
    assert.ok(next.copied > 0 && next.copied < first.copied);
    await project.restart();
    await seal();
    assert.equal((await backup()).copied, 0);
  });

  test('hold what was saved, not what was being written', async () => {
    await project.snapshot(session, 'saved');
    const expected = await seen();
    const [name = ''] = await project.files();
    await appendFile(
      join(project.packs, name),
      (await readFile(join(project.packs, name))).subarray(16, 60),
    );
    await backup();
    await restoreBackup(backups(), join(folder(), 'restored'));
    assert.deepEqual(await seen(join(folder(), 'restored')), expected);
  });

  test('are found to be damaged, and the newest whole one is used', async () => {
    await project.snapshot(session, 'first');
    const expected = await seen();
    await backup();
    await project.restart();
    await project.snapshot(session, 'second');
    await backup();
    const [newest] = await readManifests(backups());
    const file = newest?.manifest.projects[0]?.files.at(-1);
    const path = join(backups(), 'projects', 'git-abc', 'packs', file?.name ?? '');
    const bytes = await readFile(path);
    const at = randomInt(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ 4;
    await writeFile(path, bytes);
    assert.ok(newest);
    assert.equal((await verifyBackup(backups(), newest.manifest)).length, 1);
    const report = await restoreBackup(backups(), join(folder(), 'restored'));
    assert.deepEqual(report.passedOver, [newest.name]);
    assert.deepEqual(await seen(join(folder(), 'restored')), expected);
  });

  test('hold files with names that people gave them, and pass over a manifest that is damaged', async () => {
    await project.snapshot(session, 'first');
    await project.close();
    const [name = ''] = await project.files();
    await cp(join(project.packs, name), join(project.packs, `${name} + copy (1).pack`));
    await backup();
    const [newest] = await readManifests(backups());
    assert.equal(newest?.manifest.projects[0]?.files.length, 2);
    await writeFile(join(manifestsFolder(backups()), '99999999-x.json'), '{');
    const report = await restoreBackup(backups(), join(folder(), 'restored'));
    assert.deepEqual(report.passedOver, ['99999999-x.json']);
    assert.deepEqual(await seen(join(folder(), 'restored')), await seen());
  });

  test('are not restored over anything', async () => {
    await backup();
    const isNotEmpty = (error: unknown): boolean => isExpected(error, 'notEmpty');
    await assert.rejects(restoreBackup(backups(), store()), isNotEmpty);
    await rm(backups(), { recursive: true });
    const isNone = (error: unknown): boolean => isExpected(error, 'noBackup');
    await assert.rejects(restoreBackup(backups(), join(folder(), 'x')), isNone);
  });

  test('let go of the oldest ones, and of what only they need', async () => {
    const now = Date.now();
    for (let day = 12; day >= 0; day--) {
      await project.restart();
      await project.snapshot(session, `day ${day}`);
      await backup({ now: now - day * DAY });
    }
    assert.equal((await readManifests(backups())).length, 7);
    await seal();
    for (let minute = 1; minute < 12; minute++) await backup({ now: now + 9 * DAY + minute });
    const left = await readManifests(backups());
    assert.equal(left.length, 5 + 6);
    for (const { manifest } of left) assert.deepEqual(await verifyBackup(backups(), manifest), []);
    for (let day = 0; day < 10; day++) await backup({ now: now + (20 + day) * DAY });
    const files = await readdir(join(backups(), 'projects', 'git-abc', 'packs'));
    assert.deepEqual(files.toSorted(), (await project.files()).toSorted());
  });

  test('never let go of the newest, whatever the clock says', async () => {
    for (const years of [0, 10, -10, 30, 0, -20, 5, 0]) {
      await backup({ now: Date.now() + years * 365 * DAY });
      await project.snapshot(session, `years ${years}`);
    }
    const expected = await seen();
    await backup({ now: 0 });
    await restoreBackup(backups(), join(folder(), 'restored'));
    assert.deepEqual(await seen(join(folder(), 'restored')), expected);
  });

  test('that stop in the middle cost nothing', async () => {
    await project.snapshot(session, 'first');
    await backup();
    await project.snapshot(session, 'second');
    const path = join(backups(), 'projects', 'git-abc', 'packs', (await project.files())[0] ?? '');
    for (const spoil of [
      () => appendFile(path, 'cut in the middle'),
      () => writeFile(path, ''),
      () => writeFile(`${path}.tmp`, 'half'),
      () => rm(manifestsFolder(backups()), { recursive: true }),
    ]) {
      await spoil();
      await backup();
      const to = join(folder(), 'restored');
      await restoreBackup(backups(), to);
      assert.deepEqual(await seen(to), await seen());
      await rm(to, { recursive: true });
    }
  });

  test('are for their owner only', async function () {
    if (process.platform === 'win32') return this.skip();
    const before = process.umask(0);
    try {
      await backup();
      await restoreBackup(backups(), join(folder(), 'restored'));
    } finally {
      process.umask(before);
    }
    for (const root of [backups(), join(folder(), 'restored')]) {
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        const path = join(entry.parentPath, entry.name);
        const expected = entry.isFile() ? 0o600 : 0o700;
        // The test itself made the file that projects are recognised by.
        if (entry.name !== 'project.json') {
          assert.equal((await stat(path)).mode & 0o777, expected, path);
        }
      }
    }
  });
});
