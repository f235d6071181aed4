import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isExpected } from '../../src/core/errors.js';
import { backUp, restoreBackup } from '../../src/vault/backup.js';
import { readCatalog, writeCatalog } from '../../src/vault/catalog.js';
import { checkStore } from '../../src/vault/check.js';
import { diskIo } from '../../src/vault/io.js';
import { openView } from '../../src/vault/openView.js';
import { projectFile } from '../../src/vault/projectFile.js';
import { repairStore } from '../../src/vault/repair.js';
import { sealPacks } from '../../src/vault/seal.js';
import { SessionIndex } from '../../src/vault/sessionIndex.js';
import { wasm } from '../../src/vault/testFrames.js';
import { TestProject } from '../../src/vault/testProject.js';
import { pollAll, temporaryFolder, vaults } from '../../src/vault/testVault.js';
import { rounds } from './lane.js';

const DAY = 24 * 60 * 60 * 1000;
const key = 'git-abc';

suite('damage', () => {
  const folder = temporaryFolder();
  const open = vaults();
  const store = (): string => join(folder(), 'store');
  const project = (): string => dirname(projectFile(store(), key));
  const packs = (): string => join(project(), 'packs');
  const backup = (): string => join(folder(), 'backup');
  const view = (): string => join(folder(), 'view');

  /** A store with a sealed and an open pack, a backup of it, and the lists of a window. */
  setup(async () => {
    const filled = await TestProject.open(project());
    const session = await filled.session({ title: 'work' });
    for (let at = 0; at < 12; at++) await filled.snapshot(session, `sealed ${at} `.repeat(60));
    await writeFile(
      projectFile(store(), key),
      JSON.stringify({ schemaVersion: 1, histories: [], folders: [], attached: [] }),
    );
    await filled.restart();
    await sealPacks(packs(), { io: diskIo, now: Date.now() + 2 * DAY });
    for (let at = 0; at < 12; at++) await filled.snapshot(session, `open ${at} `.repeat(60));
    await filled.close();
    await backUp({ store: store(), to: backup(), now: Date.now(), rotate: false });
    await mkdir(view());
    const { index, vault } = await openView(project(), wasm);
    await writeCatalog(join(view(), 'catalog.json'), {
      schemaVersion: 1,
      sessions: [...index.sessions()],
    });
    await vault.close();
    const file = join(view(), 'sessions.db');
    const window = (await SessionIndex.open({ file, wasm })).index;
    const { frames } = await pollAll(await open({ folder: project() }));
    window.apply(frames, []);
    await window.save();
    window.close();
  });

  /** Texts of everything that the vault gives, and how many problems it tells. */
  async function read() {
    const { frames, problems } = await pollAll(await open({ folder: project() }));
    return { payloads: frames.map(({ payload }) => Buffer.from(payload).toString()), problems };
  }

  async function packFiles(): Promise<readonly string[]> {
    return (await readdir(packs())).map((name) => join(packs(), name));
  }

  /** Opens everything there is, as a window and the command line do; nothing may throw but what is expected. */
  async function use(): Promise<void> {
    await read();
    await checkStore({ store: store(), readData: true, wasm });
    await readCatalog(join(view(), 'catalog.json'));
    (await SessionIndex.open({ file: join(view(), 'sessions.db'), wasm })).index.close();
    await attempt(() => backUp({ store: store(), to: backup(), now: Date.now(), rotate: true }));
    await attempt(() => restoreBackup(backup(), join(folder(), 'restored')));
    await rm(join(folder(), 'restored'), { recursive: true, force: true });
    await repairStore(store(), join(folder(), 'repaired'));
    await rm(join(folder(), 'repaired'), { recursive: true, force: true });
  }

  async function attempt(action: () => Promise<unknown>): Promise<void> {
    await action().catch((error: unknown) => {
      if (!isExpected(error)) throw error;
    });
  }

  suite('of bits (R6)', () => {
    const flips = rounds(500, 100_000);
    test(`is told at each of ${flips} places, and costs no more than its record or block`, async () => {
      const whole = new Set((await read()).payloads);
      const files = await packFiles();
      let unseen = 0;
      for (let flip = 0; flip < flips; flip++) {
        const path = files[flip % files.length] ?? '';
        const bytes = await readFile(path);
        const damaged = Buffer.from(bytes);
        const places: number[] = [];
        for (let bit = 0; bit <= flip % 3; bit++) {
          const at = randomInt(bytes.length);
          damaged[at] = (damaged[at] ?? 0) ^ (1 << randomInt(8));
          places.push(at);
        }
        await writeFile(path, damaged);
        const where = `${basename(path)} at ${places.join(', ')} of ${bytes.length}`;
        const { payloads, problems } = await read();
        await writeFile(path, bytes);
        const wrong = payloads.filter((payload) => !whole.has(payload));
        assert.deepEqual(wrong, [], 'damage never passes for data');
        const lost = whole.size - new Set(payloads).size;
        if (lost > 0) assert.ok(problems.length > 0, `what is lost is told: ${where}`);
        else unseen += problems.length === 0 ? 1 : 0;
        const isSealed = path.endsWith('.sealed');
        // All that is in this small sealed file is one block.
        assert.ok(lost <= (isSealed ? 37 : 6), `${lost} of ${where}`);
      }
      // Two bytes of each frame's head mean nothing.
      assert.ok(unseen < flips / 10, `${unseen} of ${flips}`);
    });
  });

  suite('by cutting (R5)', () => {
    const parts = rounds(40, 1000);
    const cut = (what: string, path: () => Promise<string> | string): void => {
      test(`at each of ${parts} places breaks nothing: ${what}`, async () => {
        const target = await path();
        const bytes = await readFile(target);
        const whole = new Set((await read()).payloads);
        for (let part = 0; part < parts; part++) {
          await writeFile(target, bytes.subarray(0, Math.floor((bytes.length * part) / parts)));
          await use();
          for (const payload of (await read()).payloads) assert.ok(whole.has(payload));
          await writeFile(target, bytes);
        }
      });
    };
    const ending = (end: string) => async (): Promise<string> =>
      (await packFiles()).find((path) => path.endsWith(end)) ?? '';
    cut('an open pack', ending('.pack'));
    cut('a sealed pack', ending('.sealed'));
    cut('the database', () => join(view(), 'sessions.db'));
    cut('the list', () => join(view(), 'catalog.json'));
    cut('the file that a project is recognised by', () => projectFile(store(), key));
    cut('a list of a backup', async () => {
      const manifests = join(backup(), 'manifests');
      return join(manifests, (await readdir(manifests))[0] ?? '');
    });
  });

  suite('of whole files (R12)', () => {
    const contents: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
      'no byte': (path) => writeFile(path, ''),
      'one byte': (path) => writeFile(path, 'x'),
      NUL: (path) => writeFile(path, Buffer.alloc(5000)),
      'a byte order mark': (path) => writeFile(path, '\ufeff{}'),
      'other JSON': (path) => writeFile(path, '[1, {"schemaVersion": 1}]'),
      'a folder': (path) => mkdir(path),
    };
    for (const [what, make] of Object.entries(contents)) {
      test(`breaks nothing, and costs no other file: ${what}`, async () => {
        const sealed = (await packFiles()).find((path) => path.endsWith('.sealed')) ?? '';
        const { payloads } = await read();
        const manifests = join(backup(), 'manifests');
        const places = [
          ...(await packFiles()),
          projectFile(store(), key),
          join(view(), 'sessions.db'),
          join(view(), 'catalog.json'),
          ...(await readdir(manifests)).map((name) => join(manifests, name)),
          join(packs(), 'x.pack'),
          join(packs(), 'x.closed'),
          join(packs(), 'x.sealed'),
        ];
        await cp(folder(), `${folder()}-saved`, { recursive: true });
        try {
          for (const place of places) {
            await rm(place, { recursive: true, force: true });
            await make(place);
            await use();
            const left = (await read()).payloads;
            assert.ok(
              left.length >= (place === sealed || place.endsWith('.pack') ? 30 : payloads.length),
            );
            await rm(folder(), { recursive: true });
            await cp(`${folder()}-saved`, folder(), { recursive: true });
          }
        } finally {
          await rm(`${folder()}-saved`, { recursive: true, force: true });
        }
      });
    }
  });
});
