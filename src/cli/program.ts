import { Command } from 'commander';
import { version } from '../../package.json';
import { addAgentsCommand } from './agentsCommand.js';
import { addApplyCommands } from './applyCommands.js';
import { addCaptureCommand } from './captureCommand.js';
import { addCompletionCommands } from './completionCommand.js';
import { addContinueCommand } from './continueCommand.js';
import { addHandoffCommands } from './handoffCommands.js';
import { addKeyCommands } from './keyCommands.js';
import { nonEmpty } from './nonEmpty.js';
import { createOutput } from './output.js';
import { addProjectCommands } from './projectCommands.js';
import { addRedactCommand } from './redact.js';
import { addSearchCommand } from './searchCommand.js';
import { addSessionCommands } from './sessionCommands.js';
import type { Settings } from './settings.js';
import { storeFolder } from './store.js';
import { addThreadCommands } from './threadCommands.js';
import { addVaultCommands } from './vaultCommands.js';

const help = `
The store is where the VS Code extension keeps it, unless --store or the variable KEEPTHREAD_HOME names
another folder.

With --json, results are JSON on stdout, and an error is one object on stderr:
{"error": {"reason", "message", "next"}}.

Exit codes: 0 done, 1 an error that the message explains, 2 a wrong call, 3 damage was found, 70 a bug.`;

/** Every command. `json`: results and complaints are JSON. */
export function createProgram(json: boolean): Command {
  const program = new Command('keepthread')
    .description('Keeps the thread of your work with coding agents.')
    .version(version)
    .option('--store <dir>', 'root of all vaults', nonEmpty)
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .exitOverride()
    // Complaints are said in one place, reportFailure; what is left is the help for a missing command.
    .configureOutput({
      outputError: () => undefined,
      writeErr: (text) => {
        if (!json) process.stderr.write(text);
      },
    });
  const settings = (): Settings => {
    const { store } = program.opts<{ store?: string }>();
    return { store: storeFolder(store), version, output: createOutput(json) };
  };
  const session = addSessionCommands(program, settings);
  addHandoffCommands(session, settings);
  addApplyCommands(session, settings);
  addKeyCommands(program, settings);
  addProjectCommands(program, settings);
  addCaptureCommand(program, settings);
  addThreadCommands(program, settings);
  addAgentsCommand(program, settings);
  addContinueCommand(program, settings);
  addSearchCommand(program, settings);
  addVaultCommands(program, settings);
  addRedactCommand(program, settings);
  addCompletionCommands(program, settings);
  return program;
}
