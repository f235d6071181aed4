import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { z } from 'zod';
import { until } from '../../test/until.js';
import { buildCli, TestUser } from './testCli.js';

suite('completing in a real bash', function () {
  this.timeout(600_000);
  let cli: string;
  let user: TestUser;
  suiteSetup(async function () {
    if (process.platform === 'win32') this.skip();
    cli = await buildCli();
    user = new TestUser(cli);
  });
  suiteTeardown(() => {
    if (process.platform === 'win32') return;
    user.remove();
    rmSync(dirname(cli), { recursive: true });
  });

  test('offers commands, choices and the ids of sessions, and leaves paths to bash', async () => {
    const { sessionId } = z
      .object({ sessionId: z.string() })
      .parse(await user.json('capture', '--folder', user.folder));
    const bin = join(user.home, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'keepthread'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`);
    chmodSync(join(bin, 'keepthread'), 0o755);
    const calls = [
      ['ses'],
      ['session', 'export', 'x', '--format', '=', 'ma'],
      ['session', 'show', ''],
      ['session', 'import', ''],
    ];
    const script = `source <(keepthread completion bash)
      offer() {
        COMP_WORDS=(keepthread "$@"); COMP_CWORD=$#; _keepthread; echo "\${COMPREPLY[*]}"
      }
      ${calls.map((words) => `offer ${words.map((word) => `'${word}'`).join(' ')}`).join('\n')}`;
    const ask = (): string =>
      execFileSync('bash', ['--norc', '-c', script], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        env: {
          PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
          HOME: user.home,
          KEEPTHREAD_HOME: user.store,
        },
      });
    // What takes too long is left out, since nobody waits at a prompt; a busy machine may need to be asked again.
    let said = '';
    const isWhole = (): boolean => (said = ask()).includes(sessionId);
    await until('the id of the session is offered', isWhole, () => said);
    assert.deepEqual(said.split('\n'), ['session', 'markdown', sessionId, '', '']);
  });
});
