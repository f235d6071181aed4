import { createRequire } from 'node:module';
import path from 'node:path';

/** A program in a terminal, and how to tell what it is doing. */
export interface InTerminal {
  /** Where `@lydell/node-pty` is installed. */
  readonly ptyFolder: string;
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a prompt may be typed, by all that the program has shown. */
  readonly isReady: (shown: string) => boolean;
  /** Whether the prompt is answered and kept. */
  readonly isDone: (prompt: string) => Promise<boolean>;
}

/** The part of `@lydell/node-pty` that is used; it comes with the programs and not with the project. */
interface Pty {
  readonly spawn: (
    file: string,
    args: readonly string[],
    options: {
      readonly cwd: string;
      readonly cols: number;
      readonly rows: number;
      readonly env: InTerminal['env'];
    },
  ) => {
    write(text: string): void;
    kill(signal?: string): void;
    onData(listener: (shown: string) => void): void;
    onExit(listener: () => void): void;
  };
}

const pauseMs = 50;
/** A program that shows nothing of what is waited for is ended, so that it does not outlive the tests. */
const mostMs = 400_000;

/** Types a prompt as a person does, waits for the answer and leaves; rejects with what was shown if that fails. */
export async function askInTerminal(given: InTerminal, prompt: string): Promise<void> {
  const require = createRequire(path.join(given.ptyFolder, 'index.js'));
  const { spawn } = require('@lydell/node-pty') as Pty;
  const [file = '', ...args] = given.command;
  const env = { ...given.env, TERM: 'xterm-256color' };
  const program = spawn(file, args, { cwd: given.cwd, cols: 120, rows: 40, env });
  let shown = '';
  const ended = new AbortController();
  program.onData((more) => (shown += more));
  program.onExit(() => ended.abort());

  const began = Date.now();
  const until = async (what: string, holds: () => boolean | Promise<boolean>): Promise<void> => {
    while (!(await holds())) {
      if (ended.signal.aborted || Date.now() - began > mostMs) {
        throw new Error(`never ${what}: ${shown}`);
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  try {
    await until('ready', () => given.isReady(shown));
    program.write(prompt);
    await until('typed', () => shown.includes(prompt));
    // Together with the prompt it would be a line break that was pasted.
    program.write('\r');
    await until('done', () => given.isDone(prompt));
    while (!ended.signal.aborted && Date.now() - began < mostMs) {
      program.write('\u0003');
      await new Promise((resolve) => setTimeout(resolve, pauseMs * 4));
    }
  } finally {
    if (!ended.signal.aborted) program.kill('SIGKILL');
  }
}
