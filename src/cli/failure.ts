import { CommanderError } from 'commander';
import { isExpected, messageOf } from '../core/errors.js';
import { plain, toJson } from './output.js';

/** `unresolved`: done but for what a person has to choose; `bug` is EX_SOFTWARE of sysexits. */
export const exitCode = { done: 0, error: 1, call: 2, damage: 3, unresolved: 4, bug: 70 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

interface Complaint {
  readonly reason: string;
  readonly message: string;
  readonly next?: string | undefined;
}

/** Says on stderr what went wrong, in words or as JSON: stdout holds results only. */
export function reportFailure(error: unknown, json: boolean): ExitCode {
  if (error instanceof CommanderError) return reportCall(error, json);
  if (isExpected(error)) {
    say({ reason: error.reason, message: error.message, next: error.next }, json);
    return error.reason === 'damaged' ? exitCode.damage : exitCode.error;
  }
  const stack = error instanceof Error ? error.stack : undefined;
  const message = `Keepthread hit an unexpected error: ${messageOf(error)}`;
  say({ reason: 'unexpected', message, next: 'Please report it with the lines below.' }, json);
  if (!json && stack !== undefined) process.stderr.write(`${stack}\n`);
  return exitCode.bug;
}

/** Help and version are thrown too; a group of commands without a command has printed its help. */
function reportCall(error: CommanderError, json: boolean): ExitCode {
  if (error.exitCode === 0) return 0;
  const isHelp = error.code === 'commander.help';
  if (isHelp && !json) return 2;
  const message = isHelp ? 'A command is missing.' : error.message.replace(/^error: /, '');
  say({ reason: 'usage', message, next: 'Run "keepthread --help".' }, json);
  return 2;
}

function say({ reason, message, next }: Complaint, json: boolean): void {
  if (json) {
    process.stderr.write(`${toJson({ error: { reason, message, next } })}\n`);
    return;
  }
  const lines = [
    `Error: ${plain(message, 1000)}`,
    ...(next === undefined ? [] : [plain(next, 500)]),
  ];
  process.stderr.write(`${lines.join('\n')}\n`);
}
