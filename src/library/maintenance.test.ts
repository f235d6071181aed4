import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Capture, Engine, EngineSettings, OpenResult, Problem } from '../core/engine.js';
import { automaticBackups, restoreBackup, verifyBackup } from '../vault/backup.js';
import { readManifests } from '../vault/backupManifest.js';
import { collectProject } from '../vault/maintain.js';
import { sizeOfVault, storeStats } from '../vault/stats.js';
import { until } from '../../test/until.js';
import { createEngine } from './engine.js';
import type { Rhythm } from './maintenance.js';

const wasm = path.resolve('node_modules/sql.js/dist/sql-wasm.wasm');

suite('a window looks after the store', () => {
  let root = '';
  let problems: Problem[] = [];
  let engines: Engine[] = [];
  let opened: OpenResult;
  setup(() => {
    root = mkdtempSync(path.join(tmpdir(), 'keepthread-maintenance-'));
    mkdirSync(path.join(root, 'work'));
    problems = [];
    engines = [];
  });
  teardown(async () => {
    await Promise.all(engines.map((engine) => engine.close()));
    rmSync(root, { recursive: true, force: true });
  });

  const store = (): string => path.join(root, 'store');
  const never: Rhythm = { firstMs: 1e8, backupMs: 1e8, backupSaves: 1e8 };

  async function open(
    rhythm: Rhythm,
    of = store(),
    settings: Partial<EngineSettings> = {},
  ): Promise<Engine> {
    const engine = createEngine({
      wasm,
      rhythm,
      events: {
        changed: () => undefined,
        activity: () => undefined,
        turnEnded: () => undefined,
        problem: (problem) => void problems.push(problem),
      },
    });
    engines.push(engine);
    const uri = pathToFileURL(path.join(root, 'work')).href;
    opened = await engine.open({
      store: of,
      folders: [{ name: 'work', uri }],
      workspace: uri,
      trusted: true,
      chatStores: [],
      settings: {
        maxFileBytes: 1e6,
        maxFiles: 100,
        redact: true,
        agentHomes: {},
        pollMs: 1e8,
        ...settings,
      },
    });
    return engine;
  }

  const capture = (text: string): Capture => ({
    drafts: [{ place: { uri: 'untitled:1' }, untitled: true, languageId: 'plaintext', text }],
    environment: { keepthread: '0', os: '', arch: '', node: '', folders: [], agents: {} },
    editors: { groups: [], activeGroup: 0, views: [] },
  });

  async function work(engine: Engine, saves: number): Promise<string> {
    const { id: sessionId } = await engine.createSession({ title: 'work' });
    for (let at = 0; at < saves; at++) {
      await engine.save(capture(`draft ${at}`), { sessionId, reason: 'manual' });
    }
    return sessionId;
  }

  /** Waits until there is something. */
  async function come<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    let found: T | undefined;
    const isThere = async (): Promise<boolean> => (found = await look()) !== undefined;
    await until(what, isThere, () => problems);
    return found ?? assert.fail();
  }
  const newest = async () => (await readManifests(automaticBackups(store())))[0];

  /** What a store gives back, with every draft read. */
  async function drafts(of: string, sessionId: string): Promise<readonly string[]> {
    const engine = await open(never, of);
    const texts: string[] = [];
    for (const { id } of await engine.listSnapshots(sessionId)) {
      const { editors, missing } = await engine.readSnapshot(id);
      assert.deepEqual(missing, []);
      for (const { text } of editors?.drafts ?? []) texts.push(await engine.readText(text));
    }
    return texts.sort();
  }

  test('a drill: backs up by itself, and everything comes back from the backup', async () => {
    const engine = await open({ firstMs: 1e8, backupMs: 1e8, backupSaves: 20 });
    const sessionId = await work(engine, 20);
    const { manifest } = await come('a backup is there', newest);
    assert.deepEqual(await verifyBackup(automaticBackups(store()), manifest), []);
    const to = path.join(root, 'restored');
    await restoreBackup(automaticBackups(store()), to);
    assert.deepEqual(await drafts(to, sessionId), await drafts(store(), sessionId));
    assert.deepEqual(problems, []);
  });

  test('backs up after a time, and not again before something is saved', async () => {
    const engine = await open({ firstMs: 1, backupMs: 10, backupSaves: 1e8 });
    await come('a backup is there', newest);
    const count = async (): Promise<number> =>
      (await readManifests(automaticBackups(store()))).length;
    const before = await count();
    await sleep(200);
    assert.equal(await count(), before);
    await work(engine, 1);
    await until('another backup is there', async () => (await count()) > before);
  });

  test('two windows: each leaves it to the other, and nothing is complained of', async () => {
    const rhythm = { firstMs: 1, backupMs: 5, backupSaves: 1 };
    const windows = [await open(rhythm), await open(rhythm)];
    await Promise.all(windows.map((window) => work(window, 8)));
    const { manifest } = await come('a backup is there', newest);
    assert.deepEqual(await verifyBackup(automaticBackups(store()), manifest), []);
    assert.deepEqual(problems, []);
  });

  test('does not back up when a person does not want it', async () => {
    const rhythm = { firstMs: 1, backupMs: 5, backupSaves: 1 };
    await work(await open(rhythm, store(), { backups: false }), 2);
    await until('the window has looked after the store', () => {
      const [project = ''] = readdirSync(path.join(store(), 'projects'));
      const names = readdirSync(path.join(store(), 'projects', project));
      return names.includes('sealed.stamp');
    });
    assert.equal(await newest(), undefined);
  });

  test('a disk that refuses the backup is said, and the window goes on', async () => {
    mkdirSync(store(), { recursive: true });
    writeFileSync(automaticBackups(store()), 'in the way');
    const engine = await open({ firstMs: 1, backupMs: 1e8, backupSaves: 1e8 });
    await until('a problem is told', () => problems.length > 0);
    assert.equal(problems[0]?.where, 'backups');
    await work(engine, 1);
  });

  test('says that the vault is larger than a person wants it, and removes nothing', async () => {
    const engine = await open({ firstMs: 1e8, backupMs: 1e8, backupSaves: 3 }, store(), {
      quotaBytes: 1000,
    });
    const sessionId = await work(engine, 3);
    await until('a problem is told', () => problems.length > 0);
    assert.match(problems[0]?.message ?? '', /larger than the settings allow/);
    assert.equal((await engine.listSnapshots(sessionId)).length, 3);
  });

  test('a warning is for one window, until what it says has changed', async () => {
    const atOnce = { firstMs: 1, backupMs: 1e8, backupSaves: 1e8 };
    /** What one more window hears of the quota. */
    const hears = async (quotaBytes: number): Promise<Problem> => {
      problems = [];
      const engine = await open(atOnce, store(), { quotaBytes });
      const problem = await come('a problem is told', () => Promise.resolve(problems[0]));
      await engine.close();
      return problem;
    };
    await work(await open(never), 3);
    const [project = ''] = readdirSync(path.join(store(), 'projects'));
    const folder = path.join(store(), 'projects', project);
    const size = await sizeOfVault(folder);
    assert.equal((await hears(1000)).kind, 'quota');
    assert.equal((await hears(1000)).kind, undefined);
    assert.equal((await hears(size + 1)).kind, 'quota', 'it is another one: nearly full');
    assert.equal((await hears(1000)).kind, 'quota');
    await open(atOnce, store(), { quotaBytes: 1e9 });
    const told = path.join(folder, 'told');
    await until('nothing is noted as told', () => readdirSync(told).length === 0);
    assert.equal((await hears(1000)).kind, 'quota', 'it fitted meanwhile');
  });

  test('damage is shown by one window and told to all', async () => {
    const engine = await open(never);
    await work(engine, 3);
    await engine.close();
    const [project = ''] = readdirSync(path.join(store(), 'projects'));
    const packs = path.join(store(), 'projects', project, 'packs');
    const [pack = ''] = readdirSync(packs);
    const bytes = readFileSync(path.join(packs, pack));
    bytes.writeUInt8((bytes[bytes.length - 3] ?? 0) ^ 1, bytes.length - 3);
    writeFileSync(path.join(packs, pack), bytes);
    const kinds: unknown[] = [];
    for (const settings of [{ pollMs: 0 }, {}, {}]) {
      const window = await open(never, store(), settings);
      kinds.push(opened.problems.map(({ kind }) => kind));
      await window.close();
    }
    // A command shows nothing, so it is not the one that has shown it.
    assert.deepEqual(kinds, [['damage'], ['damage'], [undefined]]);
  });

  test('how saves and restores went is written down, also those of a window that is still open', async () => {
    const engine = await open(never);
    await work(engine, 2);
    await engine.noteRestore('partial');
    const { saves, restores } = (await storeStats(store(), wasm)).projects[0] ?? {};
    assert.equal(saves?.ok, 2);
    assert.deepEqual(restores, { whole: 0, partial: 1, failed: 0 });
  });

  test('that another process takes a deleted session out of: it goes on with what is left', async () => {
    const engine = await open(never);
    const gone = await work(engine, 3);
    await engine.close();
    const looking = await open(never);
    const { id: kept } = await looking.createSession({ title: 'kept' });
    await looking.save(capture('draft 1'), { sessionId: kept, reason: 'manual' });
    await looking.updateSession(gone, { deleted: true });
    const [project = ''] = readdirSync(path.join(store(), 'projects'));
    const folder = path.join(store(), 'projects', project);
    const now = Date.now() + 9 * 24 * 60 * 60 * 1000;
    const report = await collectProject({ folder, wasm, now, dryRun: false }, { waitMs: 0 });
    assert.equal(report.deadSessions, 1);
    assert.ok(report.files.length > 0);
    await looking.scanThreads();
    assert.deepEqual(
      (await looking.listSessions()).map(({ title, snapshots }) => [title, snapshots]),
      [['kept', 1]],
    );
    await looking.save(capture('draft 2'), { sessionId: kept, reason: 'manual' });
    await looking.close();
    assert.deepEqual(await drafts(store(), kept), ['draft 1', 'draft 2']);
    assert.deepEqual(problems, []);
  });
});
