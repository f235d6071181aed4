import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { backUp, restoreBackup } from '../../src/vault/backup.js';
import { decodeBatch, encodeBatch } from '../../src/vault/batch.js';
import { diskIo } from '../../src/vault/io.js';
import { openView } from '../../src/vault/openView.js';
import { projectFile } from '../../src/vault/projectFile.js';
import { repairStore } from '../../src/vault/repair.js';
import { sealPacks } from '../../src/vault/seal.js';
import { wasm } from '../../src/vault/testFrames.js';
import { temporaryFolder } from '../../src/vault/testVault.js';
import type { NewFrame } from '../../src/vault/frame.js';
import { FrameType } from '../../src/vault/types.js';
import { openVault } from '../../src/vault/vault.js';
import { rounds } from './lane.js';

suite('text of every kind (R14)', () => {
  const folder = temporaryFolder();
  const home = (store: string): string => join(projectFile(store, 'git-abc'), '..');

  /** Any UTF-16, lone surrogates and NUL too, with those that have been lost elsewhere more often. */
  const text = fc.string({
    unit: fc.oneof(
      fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
      fc.constantFrom(
        '\0',
        '\ud800',
        '\udc00',
        '\uffff',
        '\u200d',
        '\u202e',
        '\u2028',
        '👩‍👩‍👧',
        'e\u0301',
      ),
    ),
    maxLength: 200,
  });

  const runs = rounds(1000, 50_000);
  const atOnce = 250;
  test(`${runs} texts are the same after being saved, sealed, backed up, restored and repaired`, async () => {
    for (let run = 0; run < runs; run += atOnce) {
      const store = join(folder(), String(run));
      const texts = fc.sample(text, atOnce).map((one, at) => `${one} ${at}`);
      await save(home(store), texts);
      await check(home(store), texts);
      await sealPacks(join(home(store), 'packs'), { io: diskIo, now: Date.now() + 1e9 });
      await check(home(store), texts);
      await backUp({ store, to: `${store} backup`, now: 0, rotate: false });
      await restoreBackup(`${store} backup`, `${store} restored`);
      await check(home(`${store} restored`), texts);
      await repairStore(`${store} restored`, `${store} repaired`);
      await check(home(`${store} repaired`), texts);
    }
  });

  const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

  /** Each text as the title of a session, as a draft, and as a record of a conversation. */
  async function save(place: string, texts: readonly string[]): Promise<void> {
    const vault = await openVault({ folder: place });
    const frames = texts.flatMap((one, at): NewFrame[] => {
      const sessionId = idOf(at);
      const event = { schemaVersion: 1, sessionId, at: 1, set: { title: one } };
      const cursor = { path: '/x', offset: 1, generation: 0, records: 1, state: {} };
      const thread = `claude-code:${one}`;
      const head = { schemaVersion: 1, thread, generation: 0, first: 0, count: 1, cursor } as const;
      return [
        { type: FrameType.session, sessionId, payload: bytes(event) },
        { type: FrameType.blob, payload: bytes(one) },
        { type: FrameType.records, payload: encodeBatch(head, [bytes({ one })]) },
      ];
    });
    await vault.append(frames);
    await vault.close();
  }

  async function check(place: string, texts: readonly string[]): Promise<void> {
    const { index, vault, problems, close } = await openView(place, wasm);
    assert.deepEqual(problems, []);
    for (const [at, one] of texts.entries()) {
      assert.equal(index.session(idOf(at))?.title, one);
      const [batch] = index.batches(`claude-code:${one}`, 0);
      assert.ok(batch);
      const { records } = decodeBatch((await vault.readFrame(batch.ref)).payload);
      assert.deepEqual(records.map(parse), [{ one }]);
    }
    await close();
  }

  const idOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
  const parse = (record: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(record));
});
