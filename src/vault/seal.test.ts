import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { diskIo } from './io.js';
import { encodePackHead } from './packFile.js';
import type { SealReport } from './seal.js';
import { sealPacks } from './seal.js';
import { FaultyIo } from './testIo.js';
import { packsOf, pollAll, temporaryFolder, textOf, texts, vaults } from './testVault.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';
import type { Vault } from './vault.js';

const DAY = 24 * 60 * 60 * 1000;

suite('sealing', () => {
  const open = vaults();
  const folder = temporaryFolder();
  const packs = (): string => join(folder(), 'packs');

  const frame = (text: string) => ({ type: FrameType.session, payload: Buffer.from(text) });

  const plain = ({ payload, clock, ...rest }: Frame) => ({
    ...rest,
    clock: String(clock),
    payload: Buffer.from(payload).toString('hex'),
  });

  const words = (count: number): string =>
    Array.from({ length: count }, () => ['for', 'let', 'record', 'of'][randomInt(4)]).join(' ');

  /** A pack of a process that has ended; some of its frames are large, some tiny, one is empty. */
  async function ended(name: string, frames = 40): Promise<readonly Frame[]> {
    const vault = await open({ folder: folder() });
    const written: Frame[] = [];
    for (let at = 0; at < frames; at++) {
      const text = `${name} ${at} ${at % 7 === 0 ? words(20_000) : ''}`;
      written.push(...(await vault.append([frame(text), frame('')])));
    }
    await vault.close();
    return written;
  }

  const seal = (later = 2 * DAY, io = new FaultyIo()): Promise<SealReport> =>
    sealPacks(packs(), { io, now: Date.now() + later });

  const everything = async (): Promise<readonly Frame[]> => {
    const { frames, problems } = await pollAll(await open({ folder: folder() }));
    assert.deepEqual(problems, []);
    return frames;
  };
  const sorted = (frames: readonly Frame[]): readonly string[] =>
    frames.map((one) => JSON.stringify(plain(one))).sort();
  const files = (): Promise<readonly string[]> => readdir(packs());

  test('keeps every record, under the place that it had, in one smaller file', async () => {
    const written = [...(await ended('a')), ...(await ended('b'))];
    const report = await seal();
    assert.deepEqual(report.problems, []);
    assert.equal(report.packs, 2);
    assert.ok(report.after < report.before);
    const names = await files();
    assert.deepEqual(
      names.map((name) => name.replace(/^.*\./, '.')),
      ['.sealed'],
    );
    assert.deepEqual(sorted(await everything()), sorted(written));
    const vault = await open({ folder: folder() });
    for (const one of written) assert.deepEqual(plain(await vault.readFrame(one)), plain(one));
    if (process.platform !== 'win32') {
      assert.equal((await stat(join(packs(), names[0] ?? ''))).mode & 0o777, 0o600);
    }
  });

  test('takes nothing from a window that has read a part of the pack', async () => {
    const written = await ended('a');
    const middle = written[37];
    assert.ok(middle);
    const vault = await open({ folder: folder(), covered: new Map([[middle.pack, middle.end]]) });
    const reading = await open({ folder: folder() });
    await pollAll(reading);
    await seal();
    assert.deepEqual(sorted((await pollAll(vault)).frames), sorted(written.slice(38)));
    assert.deepEqual(await pollAll(reading), { frames: [], problems: [] });
    assert.deepEqual(plain(await reading.readFrame(middle)), plain(middle));
  });

  const leaves = (title: string, later: number, expected: string): void => {
    test(`leaves a pack to its writer: ${title}`, async () => {
      await ended('a');
      await seal(later);
      assert.deepEqual(
        (await files()).map((name) => name.replace(/^.*\./, '.')),
        [expected],
      );
    });
  };
  leaves('begun an hour ago', 61 * 60 * 1000, '.pack');
  leaves('before the clock was set back', -10 * 365 * DAY, '.pack');
  leaves('unless it was begun a day ago', DAY + 1000, '.sealed');

  test('leaves a pack to its writer: written to this hour', async () => {
    await ended('a');
    const later = Date.now() + 2 * DAY;
    const [path] = await packsOf(folder());
    await utimes(path ?? '', new Date(later - 1000), new Date(later - 1000));
    await seal(2 * DAY);
    assert.equal((await packsOf(folder())).length, 1);
  });

  test('loses no save of a process that still writes, whatever the clock says', async () => {
    const vault: Vault = await open({ folder: folder() });
    const saved: string[] = [];
    const save = async (text: string): Promise<void> => {
      saved.push(...(await vault.append([frame(text)])).map(textOf));
    };
    const stop = new AbortController();
    const saving = (async () => {
      for (let at = 0; !stop.signal.aborted || at < 50; at++) await save(`save ${at}`);
    })();
    for (let round = 0; round < 12; round++) await seal(10 * 365 * DAY);
    stop.abort();
    await saving;
    const found = new Set(texts({ frames: await everything(), problems: [] }));
    assert.deepEqual(
      saved.filter((text) => !found.has(text)),
      [],
    );
  });

  test('leaves a damaged pack as it is, and seals the others', async () => {
    await ended('a');
    const [path = ''] = await packsOf(folder());
    const bytes = await readFile(path);
    bytes[5000] = (bytes[5000] ?? 0) ^ 1;
    await writeFile(path, bytes);
    await ended('b');
    const report = await seal();
    assert.equal(report.packs, 1);
    assert.equal(report.problems.length, 1);
    const kept = (await files()).find((name) => name.endsWith('.closed'));
    assert.deepEqual(await readFile(join(packs(), kept ?? '')), bytes);
  });

  test('leaves a pack of a newer version as it is', async () => {
    await ended('a');
    await writeFile(join(packs(), 'z.pack'), encodePackHead(2));
    await seal(400 * DAY);
    assert.deepEqual((await files()).map((name) => name.replace(/^.*\./, '.')).sort(), [
      '.pack',
      '.sealed',
    ]);
  });

  test('keeps the number of files small', async () => {
    const written: Frame[] = [];
    for (let round = 0; round < 20; round++) {
      written.push(...(await ended(`round ${round}`, 2)));
      await seal();
    }
    assert.ok((await files()).length <= 16, String(await files()));
    assert.deepEqual(sorted(await everything()), sorted(written));
  });

  suite('that fails or is killed at any call', () => {
    /** Two packs to be closed, and two sealed ones. */
    async function prepared(): Promise<readonly Frame[]> {
      const before = [...(await ended('a', 3)), ...(await ended('b', 3))];
      await seal();
      return [...before, ...(await ended('c', 3)), ...(await ended('d', 3))];
    }

    const survives = (title: string, lasts: number, taken?: number): void => {
      test(`loses nothing, and the next one completes it: ${title}`, async function () {
        this.timeout(600_000);
        const written = await prepared();
        const before = new Map(
          await Promise.all(
            (await files()).map(
              async (name) => [name, await readFile(join(packs(), name))] as const,
            ),
          ),
        );
        const counting = new FaultyIo();
        await seal(2 * DAY, counting);
        assert.ok(counting.calls > 15, String(counting.calls));
        for (let first = 0; first < counting.calls; first++) {
          for (const name of await files()) await diskIo.remove(join(packs(), name));
          for (const [name, bytes] of before) await writeFile(join(packs(), name), bytes);
          const io = new FaultyIo();
          io.faultAt = (call) =>
            call >= first && call < first + lasts
              ? { code: 'EIO', ...(taken === undefined ? {} : { taken }) }
              : undefined;
          await seal(400 * DAY, io).catch(() => undefined);
          assert.deepEqual(sorted(await everything()), sorted(written), `call ${first}`);
          await seal(400 * DAY);
          assert.deepEqual(sorted(await everything()), sorted(written), `after call ${first}`);
          assert.ok((await files()).every((name) => name.endsWith('.sealed')));
        }
      });
    };
    survives('one call', 1);
    survives('a write is cut', 1, 10);
    survives('everything from one call on', Infinity);
  });

  test('takes the old file away only when the new one is on the disk under its name', async () => {
    await ended('a');
    const order: string[] = [];
    const io = new FaultyIo();
    const noted: typeof io = Object.assign(io, {
      create: async (path: string) => {
        const file = await diskIo.create(path);
        const sync = async (): Promise<void> => {
          order.push('sync');
          await file.sync();
        };
        const write: typeof file.write = (bytes, position) => {
          order.push('write');
          return file.write(bytes, position);
        };
        return { ...file, sync, write };
      },
      rename: async (from: string, to: string) => {
        order.push(to.endsWith('.sealed') ? 'rename' : 'close');
        await diskIo.rename(from, to);
      },
      syncFolder: async (path: string) => {
        order.push('syncFolder');
        await diskIo.syncFolder(path);
      },
      remove: async (path: string) => {
        order.push('remove');
        await diskIo.remove(path);
      },
    });
    await seal(2 * DAY, noted);
    const steps = order.filter((step, at) => step !== order[at - 1]).join(' ');
    assert.match(steps, /close syncFolder write sync rename syncFolder remove syncFolder/);
  });
});
