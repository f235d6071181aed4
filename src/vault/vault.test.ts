import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { Clock } from '../core/clock.js';
import { isExpected } from '../core/errors.js';
import { encodePackHead } from './packFile.js';
import { FaultyIo } from './testIo.js';
import { packsOf, pollAll, temporaryFolder, textOf, texts, vaults } from './testVault.js';
import { nameOf, writers } from './testWriters.js';
import type { FrameRef } from './types.js';
import { FrameType } from './types.js';

const frame = (text: string, sessionId?: string) => ({
  type: FrameType.session,
  sessionId,
  payload: Buffer.from(text),
});

suite('vaults', () => {
  const open = vaults();
  const folder = temporaryFolder();

  suite('a vault in several processes', () => {
    const processes = writers();

    test('killed at any moment has kept all that it acknowledged', async () => {
      const saved: string[] = [];
      for (let round = 0; round < 20; round++) {
        const writer = processes.start(folder(), `round${round}`);
        await writer.begun;
        await wait(Math.random() * 30);
        writer.child.kill('SIGKILL');
        await writer.ended;
        saved.push(...writer.saved);
        const { frames, problems } = await pollAll(await open({ folder: folder() }));
        const found = new Set(frames.map(nameOf));
        assert.deepEqual(
          saved.filter((name) => !found.has(name)),
          [],
        );
        assert.equal(found.size, frames.length);
        assert.deepEqual(problems, []);
      }
    });

    test('loses and doubles nothing when all save at once, and each sees the others’ work', async () => {
      const vault = await open({ folder: folder() });
      const writers = ['one', 'two', 'three'].map((name) => processes.start(folder(), name, 100));
      const seen: string[] = [];
      const own: string[] = [];
      while (processes.running.size > 0) {
        own.push(...(await vault.append([frame(`own ${own.length}`)])).map(textOf));
        const { frames, problems } = await pollAll(vault);
        assert.deepEqual(problems, []);
        seen.push(...frames.map(nameOf));
      }
      seen.push(...(await pollAll(vault)).frames.map(nameOf));
      const saved = writers.flatMap((writer) => writer.saved);
      assert.equal(saved.length, 300);
      assert.deepEqual(seen.toSorted(), saved.toSorted());
      const fresh = await pollAll(await open({ folder: folder() }));
      assert.deepEqual(fresh.frames.map(nameOf).toSorted(), [...saved, ...own].toSorted());
    });
  });

  suite('a vault', () => {
    test('that does not exist yet is empty', async () => {
      const vault = await open({ folder: join(folder(), 'nowhere') });
      assert.deepEqual(await pollAll(vault), { frames: [], problems: [] });
      assert.equal(vault.readOnly, false);
    });

    test('gives back what was saved, with its session, in order', async () => {
      const vault = await open({ folder: folder() });
      const session = crypto.randomUUID();
      const saved = await vault.append([frame('a', session), frame('b '.repeat(99))]);
      const plain = saved.map((one) => ({ ...one, payload: textOf(one) }));
      assert.equal(saved[0]?.sessionId, session);
      const { frames } = await pollAll(await open({ folder: folder() }));
      assert.deepEqual(
        frames.map((one) => ({ ...one, payload: textOf(one) })),
        plain,
      );
      for (const one of saved) assert.equal(textOf(await vault.readFrame(one)), textOf(one));
      assert.deepEqual(await pollAll(vault), { frames: [], problems: [] });
    });

    test('that is closed while a long conversation is compressed has kept it', async () => {
      const vault = await open({ folder: folder() });
      const long = Buffer.alloc(1_000_000, 'said at length; ');
      const appended = vault.append([{ type: FrameType.records, payload: long }]);
      await vault.close();
      await appended;
      const { frames } = await pollAll(await open({ folder: folder() }));
      assert.deepEqual(texts({ frames, problems: [] }), [long.toString()]);
    });

    test('gives back text of every kind, lone surrogates and NUL too', async () => {
      const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
      const vault = await open({ folder: folder() });
      await fc.assert(
        fc.asyncProperty(fc.string({ unit, maxLength: 300 }), async (text) => {
          const [saved] = await vault.append([frame(JSON.stringify(text))]);
          assert.ok(saved);
          assert.equal(JSON.parse(textOf(await vault.readFrame(saved))), text);
        }),
      );
    });

    test('goes on where the reading ended before', async () => {
      const writer = await open({ folder: folder() });
      const [first] = await writer.append([frame('first')]);
      assert.ok(first);
      await writer.append([frame('second')]);
      const covered = new Map([[first.pack, first.end]]);
      assert.deepEqual(texts(await pollAll(await open({ folder: folder(), covered }))), ['second']);
    });

    test('puts new work after the newest that it has seen, whatever the clock says', async () => {
      const ahead = new Clock();
      const late = await open({ folder: folder(), clock: ahead });
      ahead.tick(Date.now() + 10 * 365 * 24 * 3600 * 1000);
      const [before] = await late.append([frame('ten years ahead')]);
      const vault = await open({ folder: folder() });
      await pollAll(vault);
      const [after] = await vault.append([frame('now')]);
      assert.ok(before && after && after.clock > before.clock);
    });

    test('goes on without a pack that vanished', async () => {
      const writer = await open({ folder: folder() });
      const saved = await writer.append([frame('a')]);
      const vault = await open({ folder: folder() });
      await pollAll(vault);
      await rm((await packsOf(folder()))[0] ?? '');
      assert.deepEqual(await pollAll(vault), { frames: [], problems: [] });
      await assert.rejects(vault.readFrame(saved[0] as FrameRef), (e) =>
        isExpected(e, 'unreadable'),
      );
    });
  });

  suite('a pack that cannot be read', () => {
    const told = (title: string, name: string, make: (path: string) => Promise<unknown>): void => {
      test(`is told once, left as it is, and costs no other pack: ${title}`, async () => {
        const writer = await open({ folder: folder() });
        await writer.append([frame('good')]);
        const path = join(folder(), 'packs', name);
        await make(path);
        const before = (await stat(path)).isFile() ? await readFile(path) : undefined;
        const vault = await open({ folder: folder() });
        const read = await pollAll(vault);
        assert.deepEqual(texts(read), ['good']);
        assert.deepEqual(
          read.problems.map(({ where }) => where.split(' ')[0]),
          [name],
        );
        await writer.append([frame('more')]);
        assert.deepEqual(await pollAll(vault).then((next) => [texts(next), next.problems]), [
          ['more'],
          [],
        ]);
        if (before) assert.deepEqual(await readFile(path), before);
      });
    };
    told('a folder', '0.pack', (path) => mkdir(path));
    told('NUL bytes', 'z.pack', (path) => writeFile(path, Buffer.alloc(9000)));
    told('another program’s file', '0.pack', (path) => writeFile(path, 'PK\x03\x04 not ours'));
  });

  suite('a vault of a newer version', () => {
    const newer = Buffer.concat([encodePackHead(2), Buffer.from('what nobody knows yet')]);
    const tooNew = (error: unknown): boolean =>
      isExpected(error, 'vaultTooNew') && error.next !== undefined;

    test('is read as far as it is known, said to be newer, and not written to', async () => {
      await (await open({ folder: folder() })).append([frame('known')]);
      await writeFile(join(folder(), 'packs', 'z.pack'), newer);
      const vault = await open({ folder: folder() });
      assert.equal(vault.readOnly, true);
      const read = await pollAll(vault);
      assert.deepEqual(texts(read), ['known']);
      assert.deepEqual(
        read.problems.map(({ where }) => where),
        ['z.pack'],
      );
      await assert.rejects(vault.append([frame('x')]), tooNew);
      await assert.rejects(vault.putBlob(Buffer.from('x')), tooNew);
      assert.equal((await packsOf(folder())).length, 2);
      assert.deepEqual(await readFile(join(folder(), 'packs', 'z.pack')), newer);
    });

    test('is found to be newer also while it is open, when its first bytes come late', async () => {
      const vault = await open({ folder: folder() });
      await vault.append([frame('a')]);
      const path = join(folder(), 'packs', 'z.pack');
      await writeFile(path, newer.subarray(0, 10));
      await pollAll(vault);
      assert.equal(vault.readOnly, false);
      await writeFile(path, newer);
      await pollAll(vault);
      assert.equal(vault.readOnly, true);
      await assert.rejects(vault.append([frame('b')]), tooNew);
    });
  });

  suite('content', () => {
    const bytes = Buffer.from('some content');

    test('is kept once, also when it comes twice at once', async () => {
      const vault = await open({ folder: folder() });
      const puts = await Promise.all([vault.putBlob(bytes), vault.putBlob(bytes)]);
      puts.push(await vault.putBlob(bytes));
      assert.equal(puts.filter((put) => put.frame).length, 1);
      assert.equal(new Set(puts.map((put) => put.hash)).size, 1);
      assert.equal((await pollAll(await open({ folder: folder() }))).frames.length, 1);
    });

    test('that an earlier window kept is not kept again', async () => {
      const { frame: kept } = await (await open({ folder: folder() })).putBlob(bytes);
      const vault = await open({ folder: folder(), blobRef: () => kept });
      assert.deepEqual((await vault.putBlob(bytes)).frame, undefined);
    });

    test('that only another project keeps is kept here too', async () => {
      const { frame: kept } = await (
        await open({ folder: join(folder(), 'other') })
      ).putBlob(bytes);
      const vault = await open({ folder: join(folder(), 'this'), blobRef: () => kept });
      assert.ok((await vault.putBlob(bytes)).frame);
    });

    test('that a full disk refused is kept the next time', async () => {
      const io = new FaultyIo();
      const vault = await open({ folder: folder(), io });
      io.faultAt = () => ({ code: 'ENOSPC' });
      const full = (error: unknown): boolean => isExpected(error, 'diskFull');
      const puts = [vault.putBlob(bytes), vault.putBlob(bytes)];
      await Promise.all(puts.map((put) => assert.rejects(put, full)));
      io.faultAt = () => undefined;
      assert.ok((await vault.putBlob(bytes)).frame);
    });
  });
});
