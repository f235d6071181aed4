import assert from 'node:assert/strict';
import { randomBytes, randomInt } from 'node:crypto';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Problem } from '../core/engine.js';
import { isExpected } from '../core/errors.js';
import { diskIo } from './io.js';
import { SealedFile } from './sealedReader.js';
import { writeSealed } from './sealedWriter.js';
import { pollAll, readPack, temporaryFolder, textOf, texts, vaults } from './testVault.js';
import type { Frame } from './types.js';
import { FrameType } from './types.js';

const fixture = (name: string): string =>
  fileURLToPath(new URL(`../../test/fixtures/packs/${name}`, import.meta.url));

suite('sealed files', () => {
  const open = vaults();
  const folder = temporaryFolder();

  suite('of a runtime with zstd', () => {
    const expected = Array.from({ length: 40 }, (_, at) => `record ${at} `.repeat(at * 40 + 1));
    const reads = (name: string): void => {
      test(`are read by one without: ${name}`, async () => {
        await mkdir(join(folder(), 'packs'));
        await copyFile(fixture(name), join(folder(), 'packs', name));
        const read = await pollAll(await open({ folder: folder() }));
        assert.deepEqual(read.problems, []);
        assert.deepEqual(texts(read), expected);
      });
    };
    reads('zstd.pack');
    reads('zstd.sealed');

    test('keep the places of the records', async () => {
      const file = await SealedFile.open(fixture('zstd.sealed'));
      for (const frame of (await readPack(fixture('zstd.pack'))).frames) {
        const found = await file.frameAt(frame);
        // Buffer or not depends on the runtime.
        assert.deepEqual(
          { ...found, payload: textOf(found) },
          { ...frame, payload: textOf(frame) },
        );
      }
    });
  });

  suite('that are damaged', () => {
    let frames: readonly Frame[] = [];
    let bytes = Buffer.alloc(0);
    const path = (): string => join(folder(), 'x.sealed');

    /** Three packs in blocks of different sizes. */
    setup(async () => {
      const vault = await open({ folder: folder() });
      const packs = join(folder(), 'packs');
      const written: Frame[] = [];
      for (let at = 0; at < 60; at++) {
        const payload = Buffer.from(`${at} ${randomBytes(12_000).toString('hex')}`);
        written.push(...(await vault.append([{ type: FrameType.session, payload }])));
      }
      const third = written.length / 3;
      const contents = [0, 1, 2].map((part) => ({
        name: `${part}.pack`,
        frames: () => given(written.slice(part * third, (part + 1) * third)),
      }));
      const name = await writeSealed(diskIo, packs, contents, ['gone.closed']);
      bytes = await readFile(join(packs, name));
      frames = written;
    });

    async function* given(list: readonly Frame[]): AsyncGenerator<Frame> {
      for (const frame of list) yield await Promise.resolve(frame);
    }

    async function readAll(content: Uint8Array) {
      await writeFile(path(), content);
      const problems: Problem[] = [];
      const report = (problem: Problem): number => problems.push(problem);
      const file = await SealedFile.open(path());
      problems.push(...file.problems);
      const found: string[] = [];
      for (const pack of file.names) {
        for await (const frame of file.frames(pack, 0, report)) found.push(textOf(frame));
      }
      return { found, problems, file };
    }

    const good = (found: readonly string[]): void => {
      const known = new Set(frames.map(textOf));
      assert.deepEqual(
        found.filter((text) => !known.has(text)),
        [],
      );
      assert.equal(new Set(found).size, found.length);
    };

    test('by a flipped bit lose at most the block that it is in, and say so', async () => {
      for (let round = 0; round < 60; round++) {
        const damaged = Buffer.from(bytes);
        const at = randomInt(bytes.length);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << randomInt(8));
        const { found, problems } = await readAll(damaged);
        good(found);
        assert.ok(found.length >= frames.length - 22, `${found.length} at ${at}`);
        // The head of the file and the fields that no reader looks at change nothing.
        if (found.length < frames.length) assert.ok(problems.length > 0, `byte ${at}`);
      }
    });

    test('by being cut give what is before the cut', async () => {
      for (let part = 0; part < 40; part++) {
        const { found, problems } = await readAll(
          bytes.subarray(0, Math.floor((bytes.length * part) / 40)),
        );
        good(found);
        assert.ok(problems.length > 0);
        assert.ok(found.length >= (frames.length * part) / 40 - 22, `${found.length} of ${part}`);
      }
    });

    test('in their directory lose nothing, and say so', async () => {
      const { found, problems, file } = await readAll(bytes.subarray(0, -5));
      assert.deepEqual(found.toSorted(), frames.map(textOf).toSorted());
      assert.match(problems[0]?.message ?? '', /directory/);
      assert.deepEqual(file.names, ['0.pack', '1.pack', '2.pack']);
    });

    test('or not ours are an empty file that is told of', async () => {
      for (const content of [Buffer.alloc(0), Buffer.alloc(9000), Buffer.from('PK\x03\x04')]) {
        const { found, problems } = await readAll(content);
        assert.deepEqual([found, problems.length > 0], [[], true]);
      }
    });

    test('say which record cannot be read', async () => {
      const damaged = Buffer.from(bytes);
      damaged[2000] = (damaged[2000] ?? 0) ^ 1;
      const { file } = await readAll(damaged);
      const unreadable = (error: unknown): boolean => isExpected(error, 'unreadable');
      await assert.rejects(file.frameAt({ pack: '0.pack', offset: 16 }), unreadable);
      await assert.rejects(file.frameAt({ pack: 'x.pack', offset: 16 }), unreadable);
      await assert.rejects(file.frameAt({ pack: '2.pack', offset: 3 }), unreadable);
    });
  });
});
