import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '../../src/core/errors.js';
import { forget } from '../../src/vault/forget.js';
import { diskIo } from '../../src/vault/io.js';
import { openView } from '../../src/vault/openView.js';
import { sealPacks } from '../../src/vault/seal.js';
import { wasm } from '../../src/vault/testFrames.js';
import type { Fault } from '../../src/vault/testIo.js';
import { FaultyIo } from '../../src/vault/testIo.js';
import { TestProject } from '../../src/vault/testProject.js';
import { pollAll, temporaryFolder, textOf, vaults } from '../../src/vault/testVault.js';
import { FrameType } from '../../src/vault/types.js';
import { isLong } from './lane.js';

const DAY = 24 * 60 * 60 * 1000;

suite('a disk that fails (R2) or is full (R4)', () => {
  const folder = temporaryFolder();
  const open = vaults();

  /** The real disk with room for so many more bytes. */
  class FullIo extends FaultyIo {
    constructor(public room: number) {
      super();
    }

    override async create(path: string) {
      const file = await super.create(path);
      const write: typeof file.write = async (bytes, position) => {
        if (this.room === 0) throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
        const written = await file.write(bytes.subarray(0, this.room), position);
        this.room -= written;
        return written;
      };
      return { ...file, write };
    }
  }

  for (let size = 1; size <= 20; size++) {
    test(`with room for ${size * 97} bytes: what was saved stays, it is said, and the next save works`, async () => {
      const io = new FullIo(size * 97);
      const vault = await open({ folder: folder(), io });
      const saved: string[] = [];
      let refused = 0;
      for (let save = 0; save < 40; save++) {
        const payload = Buffer.from(`save ${save} ${'x'.repeat(save)}`);
        try {
          const frames = await vault.append([{ type: FrameType.session, payload }]);
          saved.push(...frames.map(textOf));
        } catch (error) {
          refused += 1;
          assert.ok(isExpected(error, 'diskFull') && error.next !== undefined);
        }
      }
      assert.ok(refused > 0);
      io.room = Infinity;
      const [last] = await vault.append([
        { type: FrameType.session, payload: Buffer.from('room') },
      ]);
      saved.push(last ? textOf(last) : '');
      const { frames, problems } = await pollAll(await open({ folder: folder() }));
      assert.deepEqual(frames.map(textOf), saved);
      assert.deepEqual(problems, []);
    });
  }

  /** Enough sealed files that the next ones are merged, two packs to be sealed, and a session to be forgotten. */
  async function filled(): Promise<{ project: TestProject; session: string; gone: string }> {
    const project = await TestProject.open(folder());
    const session = await project.session({ title: 'kept' });
    const gone = await project.session({ title: 'gone' });
    for (let round = 0; round < 15; round++) {
      await project.snapshot(session, `kept ${round}`);
      await project.snapshot(gone, `gone ${round}`);
      await project.restart();
      await sealPacks(project.packs, { io: diskIo, now: Date.now() + 2 * DAY });
    }
    await project.snapshot(session, 'kept and not sealed');
    await project.close();
    return { project, session, gone };
  }

  async function snapshots(session: string): Promise<readonly string[]> {
    const { index, vault, problems, close } = await openView(folder(), wasm);
    assert.deepEqual(problems, []);
    const found: string[] = [];
    for (const { id } of index.snapshots(session)) {
      const ref = index.snapshotRef(id);
      if (ref) found.push(textOf(await vault.readFrame(ref)));
    }
    await close();
    return found.sort();
  }

  const survives = (
    title: string,
    fault: Fault,
    lasts: number,
    work: (project: TestProject, io: FaultyIo, gone: string) => Promise<unknown>,
  ): void => {
    test(`at any call loses nothing, and the next time it works: ${title}`, async () => {
      const { project, session, gone } = await filled();
      const expected = await snapshots(session);
      const before = new Map<string, Buffer>();
      for (const name of await project.files()) {
        before.set(name, await readFile(join(project.packs, name)));
      }
      const counting = new FaultyIo();
      await work(project, counting, gone);
      const step = isLong ? 1 : Math.ceil(counting.calls / 12);
      for (let first = 0; first < counting.calls; first += step) {
        for (const name of await project.files()) await diskIo.remove(join(project.packs, name));
        for (const [name, bytes] of before) await writeFile(join(project.packs, name), bytes);
        const io = new FaultyIo();
        io.faultAt = (call) => (call >= first && call < first + lasts ? fault : undefined);
        await work(project, io, gone).catch(() => undefined);
        assert.deepEqual(await snapshots(session), expected, `call ${first}`);
        await work(project, new FaultyIo(), gone);
        assert.deepEqual(await snapshots(session), expected, `after call ${first}`);
      }
    });
  };
  const seal = (project: TestProject, io: FaultyIo): Promise<unknown> =>
    sealPacks(project.packs, { io, now: Date.now() + 400 * DAY });
  const forgets = (project: TestProject, io: FaultyIo, session: string): Promise<unknown> =>
    forget({ session }, { folder: project.folder, wasm, io });
  survives('packs are merged, one call', { code: 'EIO' }, 1, seal);
  survives('packs are merged, full', { code: 'ENOSPC', taken: 20 }, Infinity, seal);
  survives('packs are merged, busy for a while', { code: 'EBUSY' }, 4, seal);
  survives('a session is forgotten, one call', { code: 'EIO' }, 1, forgets);
  survives('a session is forgotten, no permission', { code: 'EPERM' }, Infinity, forgets);
});
