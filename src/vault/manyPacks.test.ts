import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeFrame } from './frame.js';
import { sealCrowd } from './maintain.js';
import { encodePackHead } from './packFile.js';
import { openView } from './openView.js';
import { wasm } from './testFrames.js';
import { pollAll, temporaryFolder, vaults } from './testVault.js';
import { FrameType } from './types.js';

const MINUTE = 60_000;

/** As thousands of commands leave them that ran for a moment each. */
suite('thousands of small packs', function () {
  this.timeout(600_000);
  const open = vaults();
  const folder = temporaryFolder();
  const packs = (): string => join(folder(), 'packs');
  const MANY = 2000;

  /** Byte for byte what processes write that save once each, without starting one for each. */
  async function leave(from: number, to: number, at: number): Promise<void> {
    await mkdir(packs(), { recursive: true });
    for (let number = from; number < to; number++) {
      const sessionId = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
      const event = { schemaVersion: 1, sessionId, at, set: { title: `Session ${number}` } };
      const frame = {
        type: FrameType.session,
        sessionId,
        payload: Buffer.from(JSON.stringify(event)),
      };
      const { bytes } = encodeFrame(frame, BigInt(at + number) << 16n);
      const time = new Date(at + number).toISOString().replace(/[-:.]/g, '');
      const id = createHash('sha256').update(sessionId).digest('hex').slice(0, 8);
      const path = join(packs(), `${time}-${id}.pack`);
      await writeFile(path, Buffer.concat([encodePackHead(), bytes]), { mode: 0o600 });
      await utimes(path, at / 1000, at / 1000);
    }
  }

  const sealed = async (): Promise<readonly string[]> =>
    (await readdir(packs())).filter((name) => name.endsWith('.sealed'));

  test('become few files, with every session in its place, also within one day', async () => {
    const now = Date.now();
    await leave(0, MANY, now - 30 * MINUTE);
    await sealCrowd(folder(), now);
    assert.equal((await readdir(packs())).length, 1);
    const { frames, problems } = await pollAll(await open({ folder: folder() }));
    assert.deepEqual([frames.length, problems], [MANY, []]);
    const view = await openView(folder(), wasm);
    assert.equal(view.index.sessions().length, MANY);
    await view.close();
    // One block a pack: what it costs is bounded too.
    const [file = ''] = await sealed();
    assert.ok((await stat(join(packs(), file))).size < MANY * 1024);
  });

  test('stay few when it goes on for days', async () => {
    const start = Date.now();
    const EACH = 66;
    const DAYS = 17;
    for (let day = 0; day < DAYS; day++) {
      const at = start + day * 60 * MINUTE;
      await leave(day * EACH, (day + 1) * EACH, at);
      await sealCrowd(folder(), at + 20 * MINUTE, EACH);
    }
    assert.ok((await readdir(packs())).length <= 16, String((await readdir(packs())).length));
    const { frames } = await pollAll(await open({ folder: folder() }));
    assert.equal(frames.length, DAYS * EACH);
  });

  test('that somebody may be writing to stay as they are, and so do few', async () => {
    const now = Date.now();
    await leave(0, 300, now - MINUTE);
    await sealCrowd(folder(), now);
    assert.equal((await readdir(packs())).length, 300);
  });
});
