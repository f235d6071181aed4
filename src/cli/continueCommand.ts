import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { beginningAgents } from '../agents/begin.js';
import { findProgram } from '../agents/program.js';
import { wasmPath } from '../agents/sqlite/wasm.js';
import { targets } from '../agents/targets.js';
import { undoWritten } from '../agents/writeNew.js';
import { describeReport } from '../core/convert/reportWords.js';
import { fileUri } from '../changes/fileUri.js';
import { ExpectedError, fill, messageOf } from '../core/errors.js';
import { threadId } from '../core/model/ids.js';
import { agentName } from '../core/thread/names.js';
import type { Continuation } from '../core/model/continuation.js';
import { noRedactionSettings } from '../core/redact/settings.js';
import type { PlannedContinuation } from '../library/continueThread.js';
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

JSON: {agent, sessionId, files: [path], command: [argv], cwd, report: {from, to, lines: [{fate, what,
count, why, detail}]}, size: {tokens, budget, fits}, prompts, prompt, chat}. "size" says what the agent's usual
model takes: a conversation that is larger goes along whole, with a warning, unless --tail or --brief is given.
"prompt" is the brief, with which "sessionId" is null; "chat" is the file that "Chat: Import Chat…" of VS Code
takes, with --in vscode-chat. --json prints and starts nothing.`;

interface Options {
  readonly in?: string;
  readonly agent?: string;
  readonly home: Readonly<Record<string, readonly string[]>>;
  readonly folder?: string;
  readonly fork?: string;
  readonly branch?: string;
  readonly foldThinking?: boolean;
  readonly tail?: number;
  readonly brief?: boolean;
  readonly dryRun?: boolean;
  readonly print?: boolean;
  readonly undo?: boolean;
}

function positive(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value > 0) return value;
  throw new InvalidArgumentError('It is not a number of tokens.');
}

/** `continue`. */
export function addContinueCommand(program: Command, settings: () => Settings): void {
  // A brief can be given to agents whose stores nobody can write.
  const written = targets.map(({ agent }) => agent);
  const agents = [...new Set([...written, 'vscode-chat', ...beginningAgents])];
  withHomes(program.command('continue'))
    .argument('<thread>', 'the conversation; with --undo the session that was written', nonEmpty)
    .description('go on with a conversation in any agent')
    .addOption(new Option('--in <agent>', 'the agent that goes on').choices(agents))
    .option('--agent <name>', 'the agent that the conversation is of')
    .option('--folder <dir>', "where it goes on (default: the conversation's own folder)", nonEmpty)
    .option('--fork <turn>', 'go on after this prompt (1, 2, …) or turn id, as a new conversation')
    .option('--branch <leaf>', 'the branch to go on with (see: thread show --json)')
    .addOption(
      new Option(
        '--tail <tokens>',
        'only the end that fits, after a summary of the rest',
      ).argParser(positive),
    )
    .addOption(
      new Option('--brief', 'a new conversation that begins with a brief of this one').conflicts(
        'tail',
      ),
    )
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
  const { from, planned } = await plan(asked, agent, options, settings);
  const program = starts ? await installed(planned) : undefined;
  if (!output.json) process.stderr.write(`${words(planned)}\n`);
  if (options.dryRun !== true && (await planned.write(store)) !== undefined) {
    await noteIn(settings, from, planned);
  }
  warnOfSize(planned, options, settings);
  const {
    agent: by,
    sessionId,
    files,
    command,
    cwd,
    report,
    size,
    prompts,
    prompt,
    chat,
  } = planned;
  const paths = files.map(({ path }) => path);
  const result = {
    agent: by,
    sessionId,
    files: paths,
    command,
    cwd,
    report,
    size,
    prompts,
    prompt,
    chat,
  };
  if (program === undefined) {
    output.result(result, () => (options.dryRun === true ? 'Nothing was written.' : goOn(planned)));
    return;
  }
  process.exitCode = await run(program, planned.cwd);
}

/** The new conversation belongs where the old one does. That this could not be noted does not undo it. */
async function noteIn({ store, output }: Settings, from: string, planned: Continuation) {
  const [{ engineSettings }, { openProject }, { noteLineage }] = await Promise.all([
    import('./engine.js'),
    import('../library/openProject.js'),
    import('../library/lineage.js'),
  ]);
  const folder = { name: basename(planned.cwd), uri: fileUri(planned.cwd) };
  const request = { store, folders: [folder], trusted: true, chatStores: [] };
  try {
    const project = await openProject({ ...request, settings: engineSettings }, wasmPath());
    await noteLineage(project.store, from, planned).finally(() => project.store.close());
  } catch (error) {
    output.problems([{ where: store, message: messageOf(error) }]);
  }
}

function warnOfSize({ agent, size }: Continuation, { tail, brief }: Options, { output }: Settings) {
  if (size.fits || tail !== undefined || brief === true) return;
  const message = `about ${size.tokens} tokens, more than ${agentName(agent)} goes on well with: see --tail ${size.budget} and --brief`;
  output.problems([{ where: 'size', message }]);
}

async function plan(
  asked: string,
  agent: string,
  { folder, fork, foldThinking, branch, tail, brief, ...options }: Options,
  { store, output }: Settings,
): Promise<{ readonly from: string; readonly planned: PlannedContinuation }> {
  const { findOrigin } = await import('./continueOrigin.js');
  const { planContinuation } = await import('../library/continueThread.js');
  const { createHandoffMask } = await import('../library/redaction/handoffMask.js');
  const loadMask = (folder: string) =>
    createHandoffMask({ settings: noRedactionSettings, folders: [folder] });
  const projects = await openEveryProject(store);
  try {
    const progress = createProgress(output.json);
    const origin = await findOrigin(asked, { ...options, leaf: branch }, projects, progress);
    const only = brief === true ? 'brief' : tail === undefined ? undefined : 'tail';
    const request = { agent, folder, fork, foldThinking, only, tokens: tail } as const;
    const { thread } = origin;
    return {
      from: threadId(thread.agent, thread.nativeId),
      planned: await planContinuation(origin, request, loadMask),
    };
  } finally {
    await projects.close();
  }
}

async function installed({ agent, command }: Continuation) {
  const [name] = command;
  if (agent === 'vscode-chat') {
    throw new ExpectedError('onlyInWindow', 'A chat of VS Code is opened in VS Code alone.', [], {
      next: 'Continue it there, or use --print > chat.json and then "Chat: Import Chat…".',
    });
  }
  if (name === undefined) {
    throw new ExpectedError('noFirstPrompt', '{0} takes no first prompt.', [agentName(agent)], {
      next: 'Use --print, and paste the brief.',
    });
  }
  const { env, platform } = process;
  const program = await findProgram(command, { platform, env, userHome: homedir() });
  if (program !== undefined) return program;
  const getIt = targets.find((target) => target.agent === agent)?.getIt;
  const how = getIt === undefined ? 'Install it' : `Get it with "${getIt}"`;
  throw new ExpectedError(
    'notInstalled',
    '{0} is not installed: there is no command {1}.',
    [agentName(agent), name],
    { next: `${how}, or use --print, or --brief in another agent.` },
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
  const { removed, kept } = await undoWritten(store, undefined, sessionId);
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
    ...describeReport(report, { t: (template, ...values) => fill(template, values) }).map(
      (line) => `  ${plain(line, 300)}`,
    ),
    ...files.map(({ path, bytes }) => `  new file  ${plain(path, 500)} (${bytes} bytes)`),
  ].join('\n');

const goOn = ({ command, cwd, prompt, chat }: Continuation): string =>
  prompt ?? chat ?? `cd ${quoted(cwd)} && ${command.map(quoted).join(' ')}`;

/** A word of a command line, for a person to paste. */
export function quoted(word: string): string {
  if (/^[A-Za-z0-9_\-./:=@]+$/.test(word)) return word;
  return process.platform === 'win32'
    ? `"${word.replaceAll('"', '""')}"`
    : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
