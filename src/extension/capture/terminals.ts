import * as vscode from 'vscode';
import type { TerminalState } from '../../core/model/workbench.js';

type Command = TerminalState['commands'][number];

const maxCommands = 20;
/** A longer command line is kept by its beginning, in characters. */
const maxLine = 1000;

/** Remembers each terminal's latest commands, as its shell integration tells them. Never its output. */
export class TerminalTracker implements vscode.Disposable {
  private readonly commands = new WeakMap<vscode.Terminal, Command[]>();
  private readonly listener = vscode.window.onDidEndTerminalShellExecution((event) => {
    const commands = this.commands.get(event.terminal) ?? [];
    const line = event.execution.commandLine.value.slice(0, maxLine);
    const { exitCode } = event;
    commands.push({ line, ...(exitCode === undefined ? {} : { exitCode }) });
    this.commands.set(event.terminal, commands.slice(-maxCommands));
  });

  capture(): TerminalState[] {
    const tasks = new Set(vscode.tasks.taskExecutions.map(({ task }) => task.name));
    return vscode.window.terminals
      .filter((terminal) => terminal.exitStatus === undefined)
      .map((terminal) => this.describe(terminal, tasks));
  }

  dispose(): void {
    this.listener.dispose();
  }

  private describe(terminal: vscode.Terminal, tasks: ReadonlySet<string>): TerminalState {
    const { name, creationOptions } = terminal;
    if ('pty' in creationOptions || isHidden(creationOptions) || tasks.has(name)) {
      return { name, namedOnly: true, commands: [] };
    }
    const { shellPath, shellArgs } = creationOptions;
    const cwd = folderOf(terminal, creationOptions);
    return {
      name,
      ...(cwd === undefined ? {} : { cwd }),
      ...(shellPath === undefined ? {} : { shellPath }),
      ...(shellArgs === undefined ? {} : { shellArgs }),
      commands: this.commands.get(terminal) ?? [],
    };
  }
}

/** The shell's folder now, or the one that it started in. */
export function folderOf(
  terminal: vscode.Terminal,
  options: Readonly<vscode.TerminalOptions>,
): string | undefined {
  const folder = terminal.shellIntegration?.cwd ?? options.cwd;
  return typeof folder === 'string' ? folder : folder?.fsPath;
}

const isHidden = (options: Readonly<vscode.TerminalOptions>): boolean =>
  options.hideFromUser === true;
