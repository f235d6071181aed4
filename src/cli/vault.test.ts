import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { catalogSchema } from '../core/model/session.js';
import { holds } from '../vault/testProject.js';
import { buildCli, TestUser } from './testCli.js';

const checked = z.object({
  clean: z.boolean(),
  projects: z.array(
    z.object({
      packs: z.number(),
      problems: z.array(z.object({ where: z.string() })),
      notes: z.array(z.object({ message: z.string() })),
    }),
  ),
});
const listed = z.object({ sessions: z.array(z.object({ id: z.string(), title: z.string() })) });
const keptThreads = z.object({
  threads: z.array(z.object({ id: z.string(), nativeId: z.string() })),
});

suite('the command line and the vault', function () {
  this.timeout(900_000);
  let cli: string;
  let user: TestUser;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(async () => {
    user = new TestUser(cli);
    user.claude('Keep the walrus in the bath');
    await user.json('capture', '--folder', user.folder);
  });
  teardown(() => user.remove());

  const check = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await user.run(['vault', 'check', '--json', ...args]);
    assert.equal(stderr, '');
    return { code, ...checked.parse(JSON.parse(stdout)) };
  };
  const titles = async (...args: readonly string[]) =>
    listed.parse(await user.json('session', 'list', ...args)).sessions.map(({ title }) => title);
  const packs = (store = user.store): readonly string[] => {
    const [key = ''] = readdirSync(join(store, 'projects'));
    const folder = join(store, 'projects', key, 'packs');
    return readdirSync(folder).map((name) => join(folder, name));
  };
  /** Changes a byte of the only pack. */
  const damage = (at: number): void => {
    const [pack = ''] = packs();
    const bytes = readFileSync(pack);
    bytes[at] = (bytes[at] ?? 0) ^ 16;
    writeFileSync(pack, bytes);
  };

  suite('check', () => {
    test('finds no damage where there is none', async () => {
      for (const args of [[], ['--read-data']]) {
        const { code, clean, projects } = await check(...args);
        assert.deepEqual([code, clean, projects.length], [0, true, 1]);
        assert.deepEqual(projects[0]?.notes, []);
      }
    });

    test('finds a head that is damaged, and a record only when it reads them', async () => {
      damage(16 + 76 + 3);
      assert.equal((await check()).code, 0);
      const read = await check('--read-data');
      assert.deepEqual([read.code, read.projects[0]?.problems.length], [3, 1]);
      damage(16 + 20);
      assert.equal((await check()).code, 3);
    });

    test('finds a project file that is damaged', async () => {
      writeFileSync(join(dirname(dirname(packs()[0] ?? '')), 'project.json'), '{');
      assert.equal((await check()).code, 3);
    });

    test('notes a save that was not completed, which is no damage', async () => {
      const [pack = ''] = packs();
      writeFileSync(pack, readFileSync(pack).subarray(0, -5));
      const { code, projects } = await check('--read-data');
      assert.equal(code, 0);
      assert.match(projects[0]?.notes[0]?.message ?? '', /not completed/);
    });

    test('finds nothing in a store that is not there', async () => {
      assert.equal((await check('--store', join(user.home, 'nowhere'))).code, 0);
    });
  });

  test('stats counts what is there', async () => {
    const { projects, lastBackup } = z
      .object({
        projects: z.array(
          z.object({
            sessions: z.number(),
            snapshots: z.number(),
            threads: z.number(),
            files: z.object({ open: z.object({ count: z.number(), bytes: z.number() }) }),
            frames: z.record(z.string(), z.object({ count: z.number(), bytes: z.number() })),
            growth: z.array(z.object({ bytes: z.number() })),
            saves: z.object({ ok: z.number(), failed: z.number(), p50: z.number() }),
          }),
        ),
        lastBackup: z.number().optional(),
      })
      .parse(await user.json('vault', 'stats'));
    const [project] = projects;
    assert.ok(project);
    assert.deepEqual([project.sessions, project.snapshots, project.threads], [1, 1, 1]);
    const kinds = Object.values(project.frames).reduce((sum, { bytes }) => sum + bytes, 16);
    assert.deepEqual(project.files.open, { count: 1, bytes: kinds });
    assert.equal(project.growth[0]?.bytes, kinds - 16);
    assert.deepEqual([project.saves.ok, project.saves.failed], [1, 0]);
    assert.equal(lastBackup, undefined);
    const { stdout } = await user.run(['vault', 'stats']);
    assert.match(stdout, /records +1 /);
  });

  test('repair writes a new store of what can be read, and leaves the old one as it is', async () => {
    const to = join(user.home, 'repaired');
    damage(16 + 76 + 3);
    const before = packs().map((pack) => readFileSync(pack));
    const run = await user.run(['vault', 'repair', '--to', to]);
    assert.equal(run.code, 3, run.stderr);
    assert.deepEqual(
      packs().map((pack) => readFileSync(pack)),
      before,
    );
    assert.equal((await check('--store', to, '--read-data')).code, 0);
    assert.deepEqual(await titles('--store', to), ['Keep the walrus in the bath']);
    const again = await user.run(['vault', 'repair', '--to', to]);
    assert.deepEqual([again.code, /is not empty/.test(again.stderr)], [1, true]);
  });

  test('backup and restore bring a store back', async () => {
    const dir = join(user.home, 'backup');
    assert.equal((await user.run(['vault', 'backup', dir])).code, 0);
    cpSync(user.store, join(user.home, 'saved'), { recursive: true });
    rmSync(user.store, { recursive: true });
    const run = await user.run(['vault', 'restore', dir, '--to', user.store]);
    assert.equal(run.code, 0, run.stderr);
    assert.deepEqual(
      packs().map((pack) => readFileSync(pack)),
      packs(join(user.home, 'saved')).map((pack) => readFileSync(pack)),
    );
    assert.deepEqual(await titles(), ['Keep the walrus in the bath']);
  });

  test('a backup that is asked for by a name is that one, or is said not to be there', async () => {
    const dir = join(user.home, 'backup');
    await user.run(['vault', 'backup', dir]);
    await user.run(['vault', 'backup', dir]);
    const restore = (name: string, to: string) =>
      user.run(['vault', 'restore', dir, '--to', join(user.home, to), '--backup', name]);
    const [older = ''] = readdirSync(join(dir, 'manifests')).sort();
    const missing = await restore('tuesday', 'none');
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /There is no backup tuesday in .*\n.*Name one of: .*json/);
    assert.equal(existsSync(join(user.home, 'none')), false);
    for (const [at, name] of [older, older.replace('.json', '')].entries()) {
      const run = await restore(name, `restored ${at}`);
      assert.equal(run.code, 0, run.stderr);
    }
    const nowhere = await user.run(['vault', 'restore', user.folder, '--to', join(user.home, 'x')]);
    assert.deepEqual([nowhere.code, /There is no backup in/.test(nowhere.stderr)], [1, true]);
  });

  test('what is asked of a store that is not there is answered with its path', async () => {
    const nowhere = join(user.home, 'nowhere');
    const calls = [
      ['stats'],
      ['check'],
      ['check', '--read-data'],
      ['gc'],
      ['gc', '--dry-run'],
      ['repair', '--to', join(user.home, 'a')],
      ['backup', join(user.home, 'b')],
    ];
    for (const args of calls) {
      const { code, stdout } = await user.run(['vault', ...args, '--store', nowhere]);
      assert.deepEqual([args, code], [args, 0]);
      assert.match(stdout, /No project is kept in .*nowhere yet\./);
    }
    assert.equal(existsSync(nowhere), false);
  });

  test('gc says what it would do, and does it', async () => {
    const dry = await user.run(['vault', 'gc', '--dry-run', '--older-than', '30']);
    assert.deepEqual([dry.code, dry.stderr], [0, '']);
    assert.match(
      dry.stdout,
      /0 deleted sessions and 0 snapshots are not needed; 0 B would go of 0 B to which/,
    );
    const before = packs();
    assert.equal((await user.run(['vault', 'gc'])).code, 0);
    assert.deepEqual(packs(), before);
    damage(16 + 76 + 3);
    const run = await user.run(['vault', 'gc']);
    assert.equal(run.code, 3);
    assert.match(run.stderr, /repair --to/);
  });

  suite('forget', () => {
    test('a text leaves no byte of it in the store, in its backups and in the lists', async () => {
      const dir = join(user.home, 'backup');
      await user.run(['vault', 'backup', dir]);
      const view = join(user.home, 'view');
      mkdirSync(view);
      writeFileSync(join(view, 'catalog.json'), 'walrus');
      const args = ['vault', 'forget', '--text', 'walrus', '--backups', dir, '--view', view];
      const run = await user.run(args);
      assert.equal(run.code, 0, run.stderr);
      for (const place of [user.store, dir, view]) {
        assert.equal(await holds(place, 'walrus'), false);
      }
      assert.deepEqual(await titles(), ['Keep the ****** in the bath']);
      assert.equal((await check('--read-data')).code, 0);
    });

    test('a session is not read again from the agent', async () => {
      const [session] = listed.parse(await user.json('session', 'list')).sessions;
      const id = session?.id.slice(0, 8) ?? '';
      const run = await user.run(['vault', 'forget', '--session', id]);
      assert.equal(run.code, 0, run.stderr);
      assert.equal(await holds(user.store, 'walrus'), false);
      await user.json('capture', '--folder', user.folder);
      assert.equal(await holds(user.store, 'walrus'), false);
    });

    test('a conversation is gone with the name that its session has from it, until that is taken back', async () => {
      const [thread] = keptThreads.parse(await user.json('thread', 'list', '--all')).threads;
      assert.ok(thread);
      const start = thread.nativeId.slice(0, 8);
      const dry = await user.run(['vault', 'forget', '--thread', start, '--dry-run']);
      assert.match(dry.stdout, /^1 record would go, 1 would be changed, in 1 project;/);
      assert.equal(await holds(user.store, 'walrus'), true);
      const run = await user.run(['vault', 'forget', '--thread', start]);
      assert.equal(run.code, 0, run.stderr);
      assert.match(run.stdout, /own files/);
      assert.equal(await holds(user.store, 'walrus'), false);
      await user.json('capture', '--folder', user.folder);
      assert.equal(await holds(user.store, 'walrus'), false);
      assert.deepEqual(await titles(), ['']);
      const again = await user.run(['vault', 'forget', '--thread', start]);
      assert.deepEqual([again.code, /vault forgotten/.test(again.stderr)], [1, true]);

      const { stdout } = await user.run(['vault', 'forgotten']);
      assert.match(stdout, new RegExp(thread.id));
      assert.equal((await user.run(['vault', 'forgotten', '--take-back', 'nobody'])).code, 1);
      const back = await user.run(['vault', 'forgotten', '--take-back', start]);
      assert.equal(back.code, 0, back.stderr);
      await user.json('capture', '--folder', user.folder);
      assert.equal(await holds(user.store, 'walrus'), true);
      assert.match((await user.run(['vault', 'forgotten'])).stdout, /No conversation/);
    });

    test('needs to know what', async () => {
      const wrong = [
        [],
        ['--text', 'walrus', '--session', 'x'],
        ['--thread', 'x', '--session', 'x'],
        ['--text', ''],
        ['--thread', ''],
      ];
      for (const args of wrong) {
        assert.equal((await user.run(['vault', 'forget', ...args])).code, 2);
      }
      assert.equal((await user.run(['vault', 'forget', '--session', 'nobody'])).code, 1);
      assert.equal((await user.run(['vault', 'forget', '--thread', 'nobody'])).code, 1);
      assert.equal((await user.run(['vault', 'forget', '--text', 'wa'])).code, 1);
    });
  });

  test('rebuild makes the lists of every window again', async () => {
    const code = join(user.home, '.config/Code/User');
    const store = join(code, 'globalStorage/keepthread.keepthread');
    mkdirSync(dirname(store), { recursive: true });
    cpSync(user.store, store, { recursive: true });
    const view = join(code, 'workspaceStorage/abc/keepthread.keepthread');
    mkdirSync(view, { recursive: true });
    const folder = pathToFileURL(user.folder).href;
    writeFileSync(join(dirname(view), 'workspace.json'), JSON.stringify({ folder }));
    writeFileSync(join(view, 'sessions.db'), 'damaged');
    writeFileSync(join(view, 'catalog.json'), 'damaged too');
    const run = await user.run(['vault', 'rebuild', '--store', store]);
    assert.equal(run.code, 0, run.stderr);
    const catalog = catalogSchema.parse(
      JSON.parse(readFileSync(join(view, 'catalog.json'), 'utf8')),
    );
    assert.deepEqual(
      catalog.sessions.map(({ title }) => title),
      ['Keep the walrus in the bath'],
    );
    assert.ok(existsSync(join(view, 'sessions.db')));
  });
});
