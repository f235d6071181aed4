import { appendFileSync, writeFileSync } from 'node:fs';
import Mocha from 'mocha';
import { hostRun, nextWindow } from './hostRun.js';
import type { HostResult } from './hostSchemas.js';
import { LineReporter } from './lineReporter.js';
import { hasPerson, lookAround } from './person.js';
import { triedSockets, watchSockets } from './sockets.js';
import { LIMIT_MS } from '../until.js';

/** What VS Code calls inside the extension host. */
export const run = async (): Promise<void> => {
  process.setSourceMapsEnabled(true);
  watchSockets();
  const mocha = new Mocha({
    ui: 'tdd',
    // Longer than what waits in a test, which says more when it gives up.
    timeout: 2 * LIMIT_MS,
    reporter: LineReporter,
    rootHooks: { afterEach: tellOfFailure },
  });
  for (const file of hostRun.files) mocha.addFile(file);
  await mocha.loadFilesAsync();
  const phases = mocha.suite.suites.map(({ title }) => readPhase(title));
  if (hostRun.phase !== undefined) mocha.grep(new RegExp(`^phase ${hostRun.phase}\\b`));

  let passed = 0;
  let skipped = 0;
  const failures = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('pass', () => (passed += 1));
    runner.on('pending', () => (skipped += 1));
  });
  const sockets = triedSockets();
  for (const socket of sockets) appendFileSync(hostRun.log, `✖ a socket was opened: ${socket}\n`);
  const failed = failures + sockets.length;
  // As a crash does: nothing is deactivated, nothing is flushed.
  const killed = phases.some((phase) => phase.killed && phase.number === hostRun.phase);
  const result: HostResult = {
    ...{ passed, failed, skipped, killed },
    pid: process.pid,
    phases: Math.max(0, ...phases.map(({ number }) => number)),
    next: nextWindow(),
  };
  writeFileSync(hostRun.results, JSON.stringify(result));
  if (killed) process.kill(process.pid, 'SIGKILL');
  if (failed > 0) throw new Error(`${failed} failed`);
};

/** What the window looks like when a test has failed, since nobody was there. */
async function tellOfFailure(this: Mocha.Context): Promise<void> {
  if (this.currentTest?.state !== 'failed' || !hasPerson) return;
  const { around } = await lookAround(`failed-${Date.now()}`);
  appendFileSync(hostRun.log, `  The window shows: ${around}\n`);
}

/** Titles of reopen suites begin with `phase 1: ` or `phase 1 (killed): `. */
const readPhase = (title: string): { readonly number: number; readonly killed: boolean } => {
  const [, number, killed] = /^phase (\d+)( \(killed\))?: /.exec(title) ?? [];
  return { number: Number(number ?? 0), killed: killed !== undefined };
};
