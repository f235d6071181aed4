import assert from 'node:assert/strict';
import { readdirSync, realpathSync, renameSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Command } from '../../src/extension/ids.js';
import { hostRun } from '../../test/host/hostRun.js';
import { call, keepthread } from '../../test/host/keepthread.js';
import { milliseconds, writeFigures } from '../figures.js';
import { writeTranscripts } from '../transcripts.js';

const megabytes = 300;
const files = 250;

suite('phase 1: the extension host', () => {
  test(`while ${megabytes} MB in ${files} files are taken in`, async function () {
    this.timeout(900_000);
    const api = await keepthread();
    await api.save({ label: 'before' });
    const aside = path.join(hostRun.scratch, 'aside');
    const cwd = realpathSync(hostRun.workspace);
    await writeTranscripts({ home: aside, cwd, files, bytes: megabytes * 1024 ** 2 });
    await wait(3_000);

    const quiet = await pauses(() => wait(10_000));
    const busy = await pauses(async () => {
      const projects = path.join('.claude', 'projects');
      // The home has a folder of that name from the samples, and a thread's folder is told by its records.
      for (const name of readdirSync(path.join(aside, projects))) {
        renameSync(
          path.join(aside, projects, name),
          path.join(hostRun.home, projects, `${name}-taken-in`),
        );
      }
      await call(Command.refresh);
      await api.save({ label: 'with all of them' });
    });
    const [session] = await api.list();
    assert.ok((session?.threads ?? 0) >= files, `${session?.threads} conversations`);
    writeFigures(path.join(hostRun.scratch, 'ingest.json'), [
      {
        what: `event-loop pause in the extension host while ${megabytes} MB in ${files} files are taken in, p99`,
        measured: `${milliseconds(busy)} (${milliseconds(quiet)} in 10 s without Keepthread at work)`,
        goal: 'below 10 ms',
      },
    ]);
  });
});

/** Milliseconds by which the loop was late, for 99 of 100 looks. */
const pauses = async (run: () => Promise<unknown>): Promise<number> => {
  const resolution = 1;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  await run();
  delay.disable();
  return delay.percentile(99) / 1e6 - resolution;
};
