import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Interface } from 'node:readline';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { textOf } from './testVault.js';

/** A process that saves to a vault. */
export interface Writer {
  readonly child: ChildProcess;
  /** Names of what it has acknowledged; grows. */
  readonly saved: readonly string[];
  readonly lines: Interface;
  /** Comes when it has acknowledged something; fails where it ends before. */
  readonly begun: Promise<void>;
  readonly ended: Promise<unknown>;
}

export interface Writers {
  /** Starts a process that saves so often, or until it is killed. */
  start(folder: string, name: string, count?: number): Writer;
  /** Starts another script of ours with its arguments. */
  run(script: string, args: readonly string[]): Writer;
  readonly running: ReadonlySet<ChildProcess>;
}

/**
 * Processes of their own for the tests of a suite, each built into one file, which starts in a fraction of
 * the time that the sources take. What still runs after a test is killed.
 *
 * @param scripts URLs of further sources, by name
 */
export function writers(scripts: Readonly<Record<string, URL>> = {}): Writers {
  let built = '';
  const running = new Set<ChildProcess>();
  suiteSetup(async () => {
    built = await mkdtemp(join(tmpdir(), 'keepthread-'));
    const sources = { writer: new URL('testWriter.ts', import.meta.url), ...scripts };
    await build({
      entryPoints: Object.fromEntries(
        Object.entries(sources).map(([name, url]) => [name, fileURLToPath(url)]),
      ),
      outdir: built,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = import.meta.dirname;",
      },
    });
  });
  teardown(() => {
    for (const child of running) child.kill('SIGKILL');
  });
  suiteTeardown(() => rm(built, { recursive: true, force: true }));

  const run = (script: string, args: readonly string[], name = script): Writer => {
    const child = spawn(process.execPath, [join(built, `${script}.mjs`), ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.add(child);
    const saved: string[] = [];
    const lines = createInterface(child.stdout);
    lines.on('line', (number) => saved.push(`${name} ${number}`));
    const closed = Promise.all([once(child, 'exit'), once(lines, 'close')]);
    const ended = closed.finally(() => running.delete(child));
    const begun = Promise.race([once(lines, 'line'), ended]).then(() => {
      if (saved.length === 0) {
        throw new Error(`${name} has ended (${child.exitCode}) and done nothing.`);
      }
    });
    // Not everybody waits for it.
    begun.catch(() => undefined);
    return { child, saved, lines, begun, ended };
  };
  return {
    running,
    run,
    start: (folder, name, count) =>
      run('writer', [folder, name, ...(count === undefined ? [] : [String(count)])], name),
  };
}

/** The name of what a {@link Writer} saved. */
export const nameOf = (read: { readonly payload: Uint8Array }): string =>
  textOf(read).split(' ').slice(0, 2).join(' ');
