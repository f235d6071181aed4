import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { buildCli, TestUser } from './testCli.js';

const canary = 'heliotrope-canary-4711';

suite('what only its owner may read', function () {
  this.timeout(600_000);
  let cli: string;
  let user: TestUser;
  suiteSetup(async function () {
    if (process.platform === 'win32') return this.skip();
    cli = await buildCli();
  });
  suiteTeardown(() => {
    if (cli) rmSync(dirname(cli), { recursive: true });
  });
  setup(() => (user = new TestUser(cli)));
  teardown(() => user.remove());

  /** Runs the command line behind a umask, as a shell that sets one does. */
  async function run(umask: string, ...args: readonly string[]) {
    const program = ['-c', `umask ${umask}; exec "$0" "$@"`, process.execPath, cli, ...args];
    const child = spawn('/bin/sh', program, {
      env: { PATH: process.env['PATH'], HOME: user.home, KEEPTHREAD_HOME: user.store, TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { stdout, stderr };
  }

  /** Modes of everything below a folder that are not those of its owner alone. */
  function open(root: string): readonly string[] {
    return readdirSync(root, { withFileTypes: true, recursive: true }).flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const mode = lstatSync(path).mode & 0o777;
      const wanted = entry.isDirectory() ? 0o700 : 0o600;
      return mode === wanted ? [] : [`${path.slice(root.length)} ${mode.toString(8)}`];
    });
  }

  for (const umask of ['000', '077', '022']) {
    test(`whatever the umask says: ${umask}`, async () => {
      user.claude(canary);
      writeFileSync(join(user.folder, 'a.txt'), 'a');
      const places = ['backup', 'restored', 'repaired'].map((name) => join(user.home, name));
      const [backup = '', restored = '', repaired = ''] = places;
      const view = join(user.home, 'view');
      mkdirSync(view);
      writeFileSync(join(view, 'sessions.db'), 'damaged', { mode: 0o600 });
      const steps = [
        ['capture', '--folder', user.folder],
        ['vault', 'gc'],
        ['vault', 'backup', backup],
        ['vault', 'restore', backup, '--to', restored],
        ['vault', 'repair', '--to', repaired],
        ['vault', 'forget', '--text', canary],
        ['capture', '--folder', user.folder],
      ];
      const failed: string[] = [];
      for (const step of steps) {
        const { stderr } = await run(umask, ...step);
        if (stderr !== '') failed.push(`${step.join(' ')}: ${stderr}`);
      }
      assert.deepEqual(failed, []);
      for (const place of [user.store, ...places]) assert.deepEqual(open(place), [], place);
      assert.equal(lstatSync(user.store).mode & 0o777, 0o700);
    });
  }

  test('is not in what commands say of it: lists of problems, errors, reports', async () => {
    const file = user.claude(`${canary} first`);
    const broken = [
      `{"type":"user","message":{"content":"${canary}`,
      `${canary} is not JSON`,
      `["${canary}"]`,
      `{"type":"assistant","uuid":"${canary}","message":{"content":{"${canary}":1}}}`,
      `\0\0\0${canary}`,
    ];
    writeFileSync(file, `${broken.join('\n')}\n`, { flag: 'a' });
    const said: string[] = [];
    for (const args of [
      ['capture', '--folder', user.folder],
      ['vault', 'check', '--read-data'],
      ['vault', 'gc', '--dry-run'],
      ['vault', 'forget', '--text', `${canary} first`, '--dry-run'],
      ['thread', 'inspect', file, '--agent', 'nobody'],
    ]) {
      const { stdout, stderr } = await run('077', ...args);
      said.push(stdout, stderr);
    }
    assert.ok(said.join('').length > 200);
    assert.doesNotMatch(said.join('\n'), new RegExp(canary));
  });
});
