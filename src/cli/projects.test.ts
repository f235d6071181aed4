import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { sessionSummarySchema } from '../core/model/session.js';
import { buildCli, TestUser } from './testCli.js';

const listed = z.object({ sessions: z.array(sessionSummarySchema) });
const projectsOf = z.object({
  projects: z.array(z.object({ key: z.string(), sessions: z.number(), title: z.string() })),
});

suite('projects on the command line', function () {
  this.timeout(900_000);
  let cli: string;
  let user: TestUser;
  suiteSetup(async () => {
    cli = await buildCli();
  });
  suiteTeardown(() => rmSync(dirname(cli), { recursive: true }));
  setup(() => (user = new TestUser(cli)));
  teardown(() => user.remove());

  const titles = async (...args: readonly string[]): Promise<readonly string[]> =>
    listed.parse(await user.json('session', 'list', ...args)).sessions.map(({ title }) => title);

  test('a folder that was copied elsewhere gets its sessions, and gives them back', async () => {
    user.claude('Feed the walrus');
    await user.json('capture', '--folder', user.folder);
    const moved = join(user.home, 'moved');
    cpSync(user.folder, moved, { recursive: true });
    assert.deepEqual(await titles('--folder', moved), []);

    const { projects } = projectsOf.parse(await user.json('project', 'list'));
    assert.deepEqual(
      projects.map(({ sessions, title }) => [sessions, title]),
      [[1, 'Feed the walrus']],
    );
    const start = projects[0]?.key.slice(0, 8) ?? '';
    await user.json('project', 'attach', start, '--folder', moved);
    assert.deepEqual(await titles('--folder', moved), ['Feed the walrus']);
    assert.deepEqual(await titles('--folder', moved, '--only'), []);
    assert.deepEqual(await titles('--folder', user.folder, '--only'), ['Feed the walrus']);

    await user.json('project', 'detach', '--folder', moved);
    assert.deepEqual(await titles('--folder', moved), []);
    assert.deepEqual(await titles('--folder', user.folder), ['Feed the walrus']);
  });

  const refused = (args: readonly string[], code: number, error: RegExp): void => {
    test(`is said: keepthread ${args.join(' ')}`, async () => {
      const run = await user.run(args);
      assert.match(run.stderr, error);
      assert.equal(run.code, code);
    });
  };
  test('a folder that is not there is said, and gets nothing; one that is gone keeps its sessions', async () => {
    user.claude('Feed the walrus');
    await user.json('capture', '--folder', user.folder);
    const { projects } = projectsOf.parse(await user.json('project', 'list'));
    const nowhere = join(user.home, 'nowhere');
    const calls = [
      ['project', 'attach', projects[0]?.key ?? '', '--folder', nowhere],
      ['session', 'list', '--folder', nowhere],
      ['capture', '--folder', nowhere],
    ];
    for (const args of calls) {
      const { code, stderr } = await user.run(args);
      assert.deepEqual([args, code], [args, 1]);
      assert.match(stderr, /There is no folder .*nowhere\./);
    }
    rmSync(user.folder, { recursive: true });
    assert.deepEqual(await titles('--folder', user.folder), ['Feed the walrus']);
  });

  refused(
    ['project', 'attach', 'git-x'],
    1,
    /^Error: There is no project git-x with sessions\.\nRun /,
  );
  refused(['project', 'detach'], 1, /^Error: This folder is not attached/);
  refused(['session', 'list', '--only'], 2, /--only needs --folder/);
});
