import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { diskIo } from './io.js';
import { writeSealed } from './sealedWriter.js';
import { TestPack } from './testFrames.js';
import { FaultyIo } from './testIo.js';
import { temporaryFolder } from './testVault.js';
import type { Frame } from './types.js';

suite('writing a sealed file', () => {
  const folder = temporaryFolder();

  const contents = (frames: readonly Frame[]) => [
    {
      name: 'a.pack',
      frames: async function* () {
        for (const frame of frames) yield await Promise.resolve(frame);
      },
    },
  ];

  /** Frames of several blocks. */
  function frames(): readonly Frame[] {
    const pack = new TestPack('a.pack');
    for (let at = 0; at < 30; at++) pack.blob(`${at} `.repeat(20_000));
    return pack.frames;
  }

  test('on a disk that changes what is written leaves nothing, so that the old files stay', async () => {
    for (const write of [3, 4, 5]) {
      const io = new FaultyIo();
      let writes = 0;
      io.create = async (path) => {
        const file = await diskIo.create(path);
        return {
          ...file,
          write: (bytes, position) => {
            const changed = Uint8Array.from(bytes);
            const middle = changed.length >> 1;
            if (++writes === write) changed[middle] = (changed[middle] ?? 0) ^ 1;
            return file.write(changed, position);
          },
        };
      };
      await assert.rejects(writeSealed(io, folder(), contents(frames()), ['a.closed']));
      assert.deepEqual(await readdir(folder()), []);
    }
  });

  test('that exists already is not overwritten', async () => {
    const first = await writeSealed(diskIo, folder(), contents(frames()), []);
    const second = await writeSealed(diskIo, folder(), contents(frames()), []);
    assert.deepEqual((await readdir(folder())).toSorted(), [first, second].toSorted());
  });
});
