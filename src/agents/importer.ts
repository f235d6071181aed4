import { spawn } from 'node:child_process';
import { ExpectedError } from '../core/errors.js';
import { findProgram } from './program.js';
import type { SourceQuery } from './source.js';

/** Longer than any import takes; a program that hangs must not hold the window for ever. */
const longestMs = 120_000;

/**
 * Runs one of the agent's own commands to its end, in the session's folder.
 *
 * @throws ExpectedError `notInstalled` or `importFailed`, with what the program said
 */
export async function runImporter(
  argv: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: SourceQuery['env'] },
): Promise<void> {
  const program = await findProgram(argv, { platform: process.platform, env });
  const name = argv[0] ?? '';
  if (program === undefined) {
    throw new ExpectedError('notInstalled', 'There is no command {0} on this machine.', [name], {
      next: 'Install it first: only it can write into its own store.',
    });
  }
  const { code, said } = await run(program.file, program.args, cwd, env);
  if (code === 0) return;
  throw new ExpectedError('importFailed', '{0} did not take the conversation: {1}', [
    name,
    said.trim().slice(-500),
  ]);
}

const run = (
  file: string,
  args: readonly string[],
  cwd: string,
  env: SourceQuery['env'],
): Promise<{ readonly code: number | null; readonly said: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: longestMs,
      windowsHide: true,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, said }));
  });
