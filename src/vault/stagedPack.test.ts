import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isExpected } from '../core/errors.js';
import { StagedPacks } from './stagedPack.js';
import { FaultyIo } from './testIo.js';
import { readPack, temporaryFolder } from './testVault.js';

suite('packs that are made ready on the side', function () {
  this.timeout(900_000);
  const folder = temporaryFolder();

  /** More than is written at once, of what shrinks and what does not. */
  const payloads = Array.from({ length: 40 }, (_, at) =>
    at % 2 === 0 ? randomBytes(300_000) : Buffer.alloc(300_000, `text ${at} `),
  );

  const stage = async (io: FaultyIo) => {
    const aside = await mkdtemp(join(folder(), 'aside-'));
    const target = join(aside, 'packs');
    let clock = 0n;
    return { target, packs: new StagedPacks(aside, target, () => (clock += 1n), io) };
  };
  const takeIn = async (packs: StagedPacks): Promise<void> => {
    try {
      for (const payload of payloads) await packs.add({ type: 2, payload });
      await packs.adopt();
    } finally {
      await packs.close().catch(() => undefined);
    }
  };
  const found = async (target: string): Promise<readonly Buffer[]> => {
    const names = (await readdir(target).catch((): string[] => [])).sort();
    const all: Buffer[] = [];
    for (const name of names) {
      const { frames, problems } = await readPack(join(target, name));
      assert.deepEqual(problems, []);
      all.push(...frames.map(({ payload }) => Buffer.from(payload)));
    }
    return all;
  };

  test('hold what was added, in its order', async () => {
    const { target, packs } = await stage(new FaultyIo());
    await takeIn(packs);
    const frames = await found(target);
    assert.equal(frames.length, payloads.length);
    assert.ok(frames.every((frame, at) => payloads[at]?.equals(frame)));
  });

  test('are there whole or not at all, whichever call of the disk fails', async () => {
    const counting = new FaultyIo();
    await takeIn((await stage(counting)).packs);
    for (let call = 0; call < counting.calls; call += 1) {
      const io = new FaultyIo();
      io.faultAt = (at) => (at === call ? { code: 'ENOSPC', taken: 1000 } : undefined);
      const { target, packs } = await stage(io);
      const error = await takeIn(packs).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      const frames = await found(target);
      if (error === undefined) assert.equal(frames.length, payloads.length, `call ${call}`);
      else assert.ok(isExpected(error), `call ${call}`);
      assert.ok([0, payloads.length].includes(frames.length), `call ${call}: ${frames.length}`);
    }
  });

  test('of which nothing was adopted leave nothing', async () => {
    const { target, packs } = await stage(new FaultyIo());
    for (const payload of payloads) await packs.add({ type: 2, payload });
    await packs.close();
    assert.deepEqual(await found(target), []);
  });
});
