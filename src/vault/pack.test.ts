import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import type { Fault } from './testIo.js';
import { FaultyIo, PowerIo } from './testIo.js';
import { packsOf, pollAll, temporaryFolder, textOf, texts, vaults } from './testVault.js';
import { FrameType } from './types.js';
import type { Vault } from './vault.js';

suite('packs that are written', () => {
  const open = vaults();
  const folder = temporaryFolder();

  const frame = (text: string) => ({ type: FrameType.session, payload: Buffer.from(text) });

  interface Outcome {
    readonly saved: readonly string[];
    readonly refused: readonly string[];
    readonly errors: readonly unknown[];
  }

  /** Four saves one after the other, then three at once; each is of two frames. */
  async function work(vault: Vault): Promise<Outcome> {
    const saved: string[] = [];
    const refused: string[] = [];
    const errors: unknown[] = [];
    const save = async (name: string): Promise<void> => {
      const names = [`${name}a`, `${name}b `.repeat(30)];
      try {
        saved.push(...(await vault.append(names.map(frame))).map(textOf));
      } catch (error) {
        refused.push(...names);
        errors.push(error);
      }
    };
    for (const name of ['1', '2', '3', '4']) await save(name);
    await Promise.all(['5', '6', '7'].map(save));
    return { saved, refused, errors };
  }

  const reread = async (from = folder()) => pollAll(await open({ folder: from }));

  async function callsOfWork(): Promise<number> {
    const io = new FaultyIo();
    const vault = await open({ folder: join(folder(), 'counted'), io });
    await work(vault);
    return io.calls;
  }

  suite('a disk that fails', () => {
    const survives = (title: string, reason: string, fault: Fault, lasts: number): void => {
      test(`loses nothing that was saved, and the next save works: ${title}`, async () => {
        const calls = await callsOfWork();
        for (let first = 0; first < calls; first++) {
          const io = new FaultyIo();
          io.faultAt = (call) => (call >= first && call < first + lasts ? fault : undefined);
          const home = join(folder(), String(first));
          const vault = await open({ folder: home, io });
          const { saved, refused, errors } = await work(vault);
          for (const error of errors) {
            assert.ok(isExpected(error, reason) && error.next, `call ${first}`);
          }
          io.faultAt = () => undefined;
          await vault.append([frame('healed')]);
          await vault.close();
          const { frames } = await reread(home);
          const found = frames.map(textOf);
          const isAllowed = (text: string): boolean => lasts > 1 && refused.includes(text);
          assert.deepEqual(
            found.filter((text) => !isAllowed(text)),
            [...saved, 'healed'],
            `call ${first}`,
          );
          assert.ok(
            frames.every(({ clock }, at) => at === 0 || clock > (frames[at - 1]?.clock ?? 0n)),
          );
        }
      });
    };
    survives('one call', 'writeFailed', { code: 'EIO' }, 1);
    survives('no permission once', 'notWritable', { code: 'EACCES' }, 1);
    survives('full once', 'diskFull', { code: 'ENOSPC' }, 1);
    survives('full in the middle of a write', 'diskFull', { code: 'ENOSPC', taken: 90 }, 1);
    survives('over quota for a while', 'diskFull', { code: 'EDQUOT', taken: 7 }, 12);
    survives(
      'read-only for a while, so that nothing can be taken back',
      'notWritable',
      { code: 'EROFS' },
      12,
    );

    test('that takes a few bytes at a time is written to until all are there', async () => {
      const io = new FaultyIo();
      const create = io.create.bind(io);
      io.create = async (path) => {
        const file = await create(path);
        return { ...file, write: (bytes, position) => file.write(bytes.subarray(0, 5), position) };
      };
      const { saved, refused } = await work(await open({ folder: folder(), io }));
      assert.deepEqual([texts(await reread()), refused], [saved, []]);
    });

    test('that is full leaves no empty files behind', async () => {
      const io = new FaultyIo();
      const vault = await open({ folder: folder(), io });
      for (let save = 0; save < 5; save++) {
        const next = io.calls;
        io.faultAt = (call) => (call === next + 3 ? { code: 'ENOSPC' } : undefined);
        await assert.rejects(vault.append([frame('x')]));
      }
      assert.deepEqual(await packsOf(folder()), []);
    });
  });

  suite('a loss of power', () => {
    test('after any save takes none of what was acknowledged', async () => {
      const io = new PowerIo();
      const vault = await open({ folder: join(folder(), 'none'), io });
      const saved: string[] = [];
      for (let save = 0; save < 12; save++) {
        saved.push(...(await vault.append([frame(`${save}`), frame('again')])).map(textOf));
        const unsaved = vault.append([frame('not acknowledged')]);
        const left = join(folder(), String(save));
        await io.lose(left, save / 11);
        const { frames, problems } = await reread(left);
        assert.deepEqual(frames.map(textOf).slice(0, saved.length), saved);
        assert.deepEqual(problems, []);
        saved.push(...(await unsaved).map(textOf));
      }
    });
  });

  suite('a pack', () => {
    test('is made at the first save, not before', async () => {
      const vault = await open({ folder: join(folder(), 'project') });
      await vault.close();
      assert.deepEqual(await readdir(folder()), []);
    });

    test('takes saves of one moment in one write to the disk', async () => {
      const io = new FaultyIo();
      const vault = await open({ folder: folder(), io });
      const saves = Array.from({ length: 50 }, (_, at) => vault.append([frame(String(at))]));
      const frames = (await Promise.all(saves)).flat();
      assert.equal(io.syncs, 1);
      assert.deepEqual(
        frames,
        (await reread()).frames.map((read, at) => ({ ...read, payload: frames[at]?.payload })),
      );
      assert.deepEqual(
        frames.map(textOf),
        Array.from({ length: 50 }, (_, at) => String(at)),
      );
    });

    test('takes a save that is asked for the moment another is acknowledged', async () => {
      const vault = await open({ folder: folder() });
      let saves = Promise.resolve<unknown>(undefined);
      for (let save = 0; save < 30; save++) {
        saves = saves.then(() => vault.append([frame(`${save}`)]));
      }
      await saves;
      assert.equal((await reread()).frames.length, 30);
    });

    test('is for its owner only, whatever the umask', async function () {
      if (process.platform === 'win32') return this.skip();
      for (const mask of [0o000, 0o022, 0o277]) {
        const home = join(folder(), mask.toString(8));
        const before = process.umask(mask);
        try {
          await (await open({ folder: home })).append([frame('secret')]);
        } finally {
          process.umask(before);
        }
        const [pack] = await packsOf(home);
        assert.equal((await stat(join(home, 'packs'))).mode & 0o777, 0o700);
        assert.equal((await stat(pack ?? '')).mode & 0o777, 0o600);
      }
    });

    test('that is full is left for another', async () => {
      const vault = await open({ folder: folder() });
      const payload = randomBytes(33 * 2 ** 20);
      const save = () => vault.append([{ type: FrameType.blob, payload }]);
      const packs = [
        ...(await save()),
        ...(await save()),
        ...(await vault.append([frame('x')])),
      ].map(({ pack }) => pack);
      assert.equal(packs[0], packs[1]);
      assert.notEqual(packs[1], packs[2]);
      assert.equal((await reread()).frames.length, 3);
    });

    test('that somebody deletes is begun again, so that the next save is not lost', async () => {
      const vault = await open({ folder: folder() });
      await vault.append([frame('deleted by hand')]);
      await rm(join(folder(), 'packs'), { recursive: true });
      await vault.append([frame('saved')]);
      assert.deepEqual(texts(await reread()), ['saved']);
    });

    test('cannot be made where a file is in the way, and the message names the place', async () => {
      await writeFile(join(folder(), 'packs'), 'in the way');
      const vault = await open({ folder: folder() });
      const named = (error: unknown): boolean =>
        isExpected(error) && error.message.includes(join(folder(), 'packs'));
      await assert.rejects(vault.append([frame('x')]), named);
      await rm(join(folder(), 'packs'));
      await vault.append([frame('y')]);
      assert.deepEqual(texts(await reread()), ['y']);
    });

    test('is on the disk before the vault is closed, and takes nothing afterwards', async () => {
      const vault = await open({ folder: folder() });
      const save = vault.append([frame('x')]);
      await vault.close();
      await save;
      await assert.rejects(vault.append([frame('y')]), (error) => isExpected(error, 'vaultClosed'));
      assert.deepEqual(texts(await reread()), ['x']);
    });
  });
});
