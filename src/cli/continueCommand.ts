import { spawn } from 'node:child_process';
import { Option, type Command } from 'commander';
import { findProgram } from '../agents/program.js';
import { targetOf, targets } from '../agents/targets.js';
import { listWritten, takeBack } from '../agents/writeNew.js';
import { reportWords } from '../core/convert/reportWords.js';
import { ExpectedError } from '../core/errors.js';
import type { Continuation, PlannedContinuation } from '../library/continueThread.js';
import { openEveryProject } from './everyProject.js';
import { nonEmpty } from './nonEmpty.js';
import { plain } from './output.js';
import { createProgress } from './progress.js';
import type { Settings } from './settings.js';
import { withHomes } from './stores.js';

const help = `
THREAD is AGENT:NATIVEID, the native id alone, as much of its start as no other has, or a transcript's file. The
agent gets a new session of its own with the whole history; the old one is not touched. What is kept, rewritten
and left out is said first. Without --print the agent starts in this terminal.

JSON: {agent, sessionId, files: [{path, bytes}], command: [argv], cwd, report: {from, to, lines: [{fate, what,
count, why, detail}]}}. --json prints and starts nothing.`;

interface Options {
  readonly in?: string;
  readonly agent?: string;
  readonly home: Readonly<Record<string, readonly string[]>>;
  readonly folder?: string;
  readonly fork?: string;
  readonly branch?: string;
  readonly foldThinking?: boolean;
  readonly dryRun?: boolean;
  readonly print?: boolean;
  readonly undo?: boolean;
}

/** `continue`. */
export function addContinueCommand(program: Command, settings: () => Settings): void {
  const agents = targets.map(({ agent }) => agent);
  withHomes(program.command('continue'))
    .argument('<thread>', 'the conversation; with --undo the session that was written', nonEmpty)
    .description('go on with a conversation in any agent')
    .addOption(new Option('--in <agent>', 'the agent that goes on').choices(agents))
    .option('--agent <name>', 'the agent that the conversation is of')
    .option('--folder <dir>', "where it goes on (default: the conversation's own folder)", nonEmpty)
    .option('--fork <turn>', 'go on after this prompt (1, 2, …) or turn id, as a new conversation')
    .option('--branch <leaf>', 'the branch to go on with (see: thread show --json)')
    .option('--fold-thinking', 'quote what the model thought, instead of leaving it out')
    .option('--dry-run', 'only say what would be done')
    .option('--print', 'write the session and print the command, without starting it')
    .option('--undo', 'remove what was written for a session, unless the agent has gone on with it')
    .addHelpText('after', help)
    .action(async (thread: string, options: Options) =>
      options.undo === true
        ? undo(thread, settings())
        : continueCommand(thread, options, settings()),
    );
}

async function continueCommand(asked: string, options: Options, settings: Settings): Promise<void> {
  const { store, output } = settings;
  const agent = options.in;
  if (agent === undefined) {
    throw new ExpectedError('noAgent', 'Which agent goes on is missing.', [], {
      next: `Add --in with one of: ${targets.map((target) => target.agent).join(', ')}.`,
    });
  }
  const starts = options.print !== true && options.dryRun !== true && !output.json;
  const planned = await plan(asked, agent, options, settings);
  const program = starts ? await installed(planned) : undefined;
  if (!output.json) process.stderr.write(`${words(planned)}\n`);
  if (options.dryRun !== true) await planned.write(store);
  const { agent: by, sessionId, files, command, cwd, report } = planned;
  const result = { agent: by, sessionId, files, command, cwd, report };
  if (program === undefined) {
    output.result(result, () => (options.dryRun === true ? 'Nothing was written.' : goOn(planned)));
    return;
  }
  process.exitCode = await run(program, cwd);
}

async function plan(
  asked: string,
  agent: string,
  { folder, fork, foldThinking, branch, ...options }: Options,
  { store, output }: Settings,
): Promise<PlannedContinuation> {
  const { findOrigin } = await import('./continueOrigin.js');
  const { planContinuation } = await import('../library/continueThread.js');
  const projects = await openEveryProject(store);
  try {
    const progress = createProgress(output.json);
    const origin = await findOrigin(asked, { ...options, leaf: branch }, projects, progress);
    return await planContinuation(origin, { agent, folder, fork, foldThinking });
  } finally {
    await projects.close();
  }
}

async function installed({ agent, command }: Continuation) {
  const program = await findProgram(command, { platform: process.platform, env: process.env });
  if (program !== undefined) return program;
  const { name, getIt } = targetOf(agent);
  throw new ExpectedError(
    'notInstalled',
    '{0} is not installed: there is no command {1}.',
    [name, command[0] ?? ''],
    { next: `Get it with "${getIt}", or use --print to write the session for later.` },
  );
}

const run = ({ file, args }: { file: string; args: readonly string[] }, cwd: string) =>
  new Promise<number>((resolve, reject) => {
    const child = spawn(file, args, { cwd, stdio: 'inherit' });
    child.on('error', reject);
    // An agent that a person ended with Ctrl+C has no code.
    child.on('close', (code) => resolve(code ?? 0));
  });

async function undo(sessionId: string, { store, output }: Settings): Promise<void> {
  const written = (await listWritten(store)).find((one) => one.nativeId === sessionId);
  if (written === undefined) {
    throw new ExpectedError('notOurs', 'Keepthread wrote no session {0}.', [sessionId]);
  }
  const { removed, kept } = await takeBack(store, written);
  if (kept.length > 0) {
    throw new ExpectedError(
      'changedSince',
      '{0} was changed since it was written, so it stays.',
      [kept.join(', ')],
      { next: 'Remove it in the agent itself if it is not wanted.' },
    );
  }
  output.result({ sessionId, removed }, () => `Removed ${removed.length} files.`);
}

const words = ({ report, files }: Continuation): string =>
  [
    `${report.from} → ${report.to}`,
    ...reportWords(report).map((line) => `  ${plain(line, 300)}`),
    ...files.map(({ path, bytes }) => `  new file  ${plain(path, 500)} (${bytes} bytes)`),
  ].join('\n');

const goOn = ({ command, cwd }: Continuation): string =>
  `cd ${quoted(cwd)} && ${command.map(quoted).join(' ')}`;

/** A word of a command line, for a person to paste. */
export function quoted(word: string): string {
  if (/^[A-Za-z0-9_\-./:=@]+$/.test(word)) return word;
  return process.platform === 'win32'
    ? `"${word.replaceAll('"', '""')}"`
    : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
