import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildCli, TestUser } from '../../src/cli/testCli.js';

/** "nobody" on most systems; a superuser is let through by every permission. */
const NOBODY = 65534;

suite('folders that refuse (R11)', function () {
  let cli: string;
  let user: TestUser;
  suiteSetup(async function () {
    if (process.platform === 'win32') return this.skip();
    cli = await buildCli();
    for (const folder of [dirname(cli), dirname(dirname(cli))]) chmodSync(folder, 0o755);
  });
  suiteTeardown(() => {
    if (cli) rmSync(dirname(cli), { recursive: true });
  });
  setup(async () => {
    user = new TestUser(cli);
    user.claude('Feed the walrus');
    await user.json('capture', '--folder', user.folder);
  });
  teardown(() => {
    allow(user.home, 0o700, 0o600);
    user.remove();
  });

  function allow(root: string, folders: number, files: number): void {
    chmodSync(root, folders | 0o700);
    for (const entry of readdirSync(root, { withFileTypes: true })) {
      const path = join(root, entry.name);
      if (entry.isDirectory()) allow(path, folders, files);
      else chmodSync(path, files);
    }
    chmodSync(root, folders);
  }

  /** Runs the command line as somebody whom permissions stop. */
  async function run(...args: readonly string[]) {
    const isRoot = process.getuid?.() === 0;
    const child = spawn(process.execPath, [cli, '--store', user.store, ...args], {
      env: { PATH: process.env['PATH'], HOME: user.home, TZ: 'UTC' },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    });
    const ended = once(child, 'close');
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = (await ended) as [number];
    return { code, stdout, stderr };
  }

  test('a store that may be read only is listed and checked, and a save says why it cannot be', async () => {
    allow(user.home, 0o555, 0o444);
    const listed = await run('session', 'list');
    assert.deepEqual([listed.code, listed.stderr], [0, '']);
    assert.match(listed.stdout, /Feed the walrus/);
    assert.equal((await run('vault', 'check', '--read-data')).code, 0);
    const saved = await run('capture', '--folder', user.folder);
    assert.equal(saved.code, 1, saved.stderr);
    assert.match(saved.stderr, /permission/i);
  });

  test('a store that may not be read is an error with a next step', async () => {
    allow(user.home, 0o555, 0o444);
    chmodSync(join(user.store, 'projects'), 0o000);
    for (const args of [
      ['session', 'list'],
      ['vault', 'check'],
      ['vault', 'stats'],
    ]) {
      const { code, stderr } = await run(...args);
      assert.equal(code, 1, `${args.join(' ')}: ${stderr}`);
      assert.match(stderr, /^Error: /);
    }
  });

  test('packs that may not be read cost themselves only, and are told', async () => {
    allow(user.home, 0o555, 0o444);
    const [key = ''] = readdirSync(join(user.store, 'projects'));
    const packs = join(user.store, 'projects', key, 'packs');
    for (const name of readdirSync(packs)) chmodSync(join(packs, name), 0o000);
    const listed = await run('session', 'list');
    assert.equal(listed.code, 0);
    assert.match(listed.stderr, /Warning: .*EACCES/);
    assert.equal((await run('vault', 'check')).code, 3);
  });

  test('a store that is not there is empty', async () => {
    allow(user.home, 0o555, 0o444);
    mkdirSync(join(user.home, 'other'));
    const { code, stdout } = await run('session', 'list', '--store', join(user.home, 'other', 'x'));
    assert.equal(code, 0);
    assert.match(stdout, /No sessions/);
  });
});
