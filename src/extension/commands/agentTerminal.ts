import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import process from 'node:process';
import * as vscode from 'vscode';
import { findProgram } from '../../agents/program.js';
import { targets } from '../../agents/targets.js';
import { ExpectedError } from '../../core/errors.js';
import { agentName } from '../../core/thread/names.js';
import { plain } from '../views/plainText.js';

export interface AgentStart {
  readonly agent: string;
  readonly title: string;
  /** Program and arguments; no shell reads them. */
  readonly argv: readonly string[];
  readonly cwd: string;
  /** What goes on there, such as a thread's id: a second terminal would write to the same file. */
  readonly key: string;
}

const terminals = new Map<string, vscode.Terminal>();

/**
 * Starts an agent in a terminal of its own, or shows the one in which it runs already.
 *
 * @throws ExpectedError `folderMissing` or `programMissing`
 */
export async function startInTerminal(start: AgentStart): Promise<vscode.Terminal> {
  const open = openTerminal(start.key);
  if (open !== undefined) {
    open.show();
    return open;
  }
  await requireFolder(start.cwd);
  const { file, args } = await requireProgram(start);
  const terminal = vscode.window.createTerminal({
    name: `${agentName(start.agent)}: ${plain(start.title, 30)}`,
    iconPath: new vscode.ThemeIcon('comment-discussion'),
    cwd: start.cwd,
    shellPath: file,
    shellArgs: [...args],
    // A window that comes back would run it again by itself.
    isTransient: true,
  });
  terminals.set(start.key, terminal);
  terminal.show();
  return terminal;
}

/** The terminal of ours in which something goes on already. */
export function openTerminal(key: string): vscode.Terminal | undefined {
  const open = terminals.get(key);
  // One that was closed may be without an exit status.
  const isThere = open !== undefined && vscode.window.terminals.includes(open);
  return isThere && open.exitStatus === undefined ? open : undefined;
}

/** Whether an agent's program is on this machine. */
export const isInstalled = async (program: string): Promise<boolean> =>
  (await find([program])) !== undefined;

const find = (argv: readonly string[]) =>
  findProgram(argv, {
    platform: process.platform,
    env: process.env,
    userHome: homedir(),
    // This process's own program is VS Code.
    node: 'node',
  });

async function requireProgram({ agent, argv }: AgentStart) {
  const found = await find(argv);
  if (found !== undefined) return found;
  const getIt = targets.find((target) => target.agent === agent)?.getIt;
  throw new ExpectedError(
    'programMissing',
    '{0} is not installed: there is no program {1}. {2}',
    [agentName(agent), argv[0] ?? '', getIt ?? ''],
    { next: 'Install it or add its folder to PATH, then try again, or continue in another agent.' },
  );
}

async function requireFolder(folder: string): Promise<void> {
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (isFolder) return;
  throw new ExpectedError(
    'folderMissing',
    'The folder of this conversation is gone: {0}',
    [folder],
    {
      next: 'Continue it in this window’s folder: "Continue here".',
    },
  );
}
