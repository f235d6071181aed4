import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isExpected } from '../core/errors.js';
import { withLock } from './lock.js';
import { temporaryFolder } from './testVault.js';

suite('the lock of a vault', () => {
  const folder = temporaryFolder();
  const file = (): string => join(folder(), 'collect.lock');
  const isLocked = (error: unknown): boolean => isExpected(error, 'locked');

  test('lets one work at a time, and leaves nothing behind', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await sleep(10);
      inside -= 1;
    };
    await Promise.all(
      Array.from({ length: 6 }, () =>
        withLock(file(), { waitMs: 60_000, silenceMs: 60_000 }, work),
      ),
    );
    assert.equal(most, 1);
    assert.deepEqual(await readdir(folder()), []);
  });

  test('is refused at once to who does not want to wait', async () => {
    await withLock(file(), { waitMs: 0 }, async () => {
      await assert.rejects(
        withLock(file(), { waitMs: 0 }, () => Promise.resolve()),
        isLocked,
      );
    });
  });

  test('is given back when the work fails', async () => {
    const fails = withLock(file(), { waitMs: 0 }, () => Promise.reject(new Error('broken')));
    await assert.rejects(fails, /broken/);
    assert.equal(await withLock(file(), { waitMs: 0 }, () => Promise.resolve('done')), 'done');
  });

  test('that a killed process left is broken after a silence', async () => {
    const code = `import { withLock } from ${JSON.stringify(new URL('lock.ts', import.meta.url).href)};
      await withLock(${JSON.stringify(file())}, { waitMs: 0 }, () => {
        process.stdout.write('held');
        return new Promise((resolve) => setTimeout(resolve, 600_000));
      });`;
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', code],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    assert.ok(await readFile(file(), 'utf8'));
    const work = (): Promise<string> => Promise.resolve('done');
    assert.equal(await withLock(file(), { waitMs: 60_000, silenceMs: 200 }, work), 'done');
    assert.deepEqual(await readdir(folder()), []);
  });

  test('that a killed process left does not keep those out for ever who come now and then and do not wait', async () => {
    await writeFile(file(), 'of a process that was killed');
    const attempt = () =>
      withLock(file(), { waitMs: 0, silenceMs: 200 }, () => Promise.resolve('done')).catch(
        (error: unknown) => {
          assert.ok(isLocked(error));
          return undefined;
        },
      );
    assert.equal(await attempt(), undefined);
    let got: string | undefined;
    while (got === undefined) {
      await sleep(20);
      got = await attempt();
    }
    assert.equal(got, 'done');
    assert.deepEqual(await readdir(folder()), []);
  });

  test('of a living process holds, whatever the clock says', async () => {
    await withLock(file(), { waitMs: 0 }, async () => {
      const longAgo = new Date('1990-01-01');
      const beats = setInterval(() => {
        longAgo.setSeconds(longAgo.getSeconds() + 1);
        void utimes(file(), longAgo, longAgo);
      }, 20);
      try {
        await assert.rejects(
          withLock(file(), { waitMs: 1500, silenceMs: 400 }, () => Promise.resolve()),
          isLocked,
        );
      } finally {
        clearInterval(beats);
      }
    });
  });

  test('that was taken away is not given back in place of the new one', async () => {
    await withLock(file(), { waitMs: 0 }, () => writeFile(file(), "another's"));
    assert.equal(await readFile(file(), 'utf8'), "another's");
  });
});
