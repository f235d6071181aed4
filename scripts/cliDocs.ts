// Writes docs/cli.md, made of the command line's own help. Usage: tsx scripts/cliDocs.ts
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { createProgram } from '../src/cli/program.js';

export const cliDocsFile = path.join(import.meta.dirname, '..', 'docs', 'cli.md');

/** The help of every command, as a person sees it. */
export function cliDocs(): string {
  const sections = everyCommand(createProgram(false), 'keepthread').map(
    ([name, command]) => `## ${name}\n\n\`\`\`\n${helpOf(command)}\n\`\`\`\n`,
  );
  const head = '# The command line\n\nWhat `keepthread --help` and the help of each command say.\n';
  return [head, ...sections].join('\n');
}

const everyCommand = (command: Command, name: string): readonly (readonly [string, Command])[] => [
  [name, command],
  ...command
    .createHelp()
    .visibleCommands(command)
    .filter((inner) => inner.name() !== 'help')
    .flatMap((inner) => everyCommand(inner, `${name} ${inner.name()}`)),
];

function helpOf(command: Command): string {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text), getOutHelpWidth: () => 100 });
  command.outputHelp();
  return help.trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(cliDocsFile, cliDocs());
