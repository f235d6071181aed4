import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Inspection } from '../agents/inspect.js';
import type { Settings } from './settings.js';
import { plain } from './output.js';
import { facts } from './table.js';
import { addThreadList } from './threadList.js';
import { addThreadShow } from './threadShow.js';

/** `thread list`, `thread show` and `thread inspect`. */
export function addThreadCommands(program: Command, settings: () => Settings): void {
  const thread = program.command('thread').description("agents' conversations");
  addThreadList(thread, settings);
  addThreadShow(thread, settings);
  thread
    .command('inspect')
    .argument('<file>', "an agent's own file or database, or a folder that holds one, anywhere")
    .description('count what a transcript holds, and say what in it cannot be read')
    .option('--agent <name>', 'the agent that wrote it (default: told from its content)')
    .option('--id <id>', 'the conversation, in a database that holds many (default: the newest)')
    .addHelpText(
      'after',
      `
JSON: {agent, sessionId, cwd, userTurns, assistantMessages, toolCalls, toolResultsMatched, toolResultsOrphan,
thinkingBlocks, firstPrompt, models, tokens, firstAt, lastAt, malformed, skipped}, and {conversations} for a database.`,
    )
    .action(
      async (file: string, { agent, id }: { readonly agent?: string; readonly id?: string }) => {
        const { inspectFile } = await import('../agents/inspect.js');
        const inspection = await inspectFile(resolve(file), agent, id);
        settings().output.result(inspection, () => describe(inspection));
      },
    );
}

function describe({ skipped, models, tokens, firstPrompt, ...inspection }: Inspection): string {
  const told = Object.entries(tokens ?? {}).map(
    ([name, value]) => `${value} ${words(name).toLowerCase()}`,
  );
  const named = { models: models.join(', '), tokens: told.join(', '), firstPrompt };
  const found = Object.entries({ ...inspection, ...named });
  const places = skipped.map(
    ({ line, offset, reason }) => `Line ${line} (byte ${offset}) could not be read: ${reason}.`,
  );
  return [
    facts(found.map(([name, value]) => [words(name), plain(String(value ?? ''))])),
    ...places,
  ].join('\n');
}

/** `toolResultsMatched` as `Tool results matched`. */
function words(name: string): string {
  const apart = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return apart.charAt(0).toUpperCase() + apart.slice(1);
}
