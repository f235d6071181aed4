import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { sourceOf, sources } from '../agents/registry.js';
import type { Source } from '../agents/source.js';
import type { StoreScope } from '../agents/everywhere.js';
import { ExpectedError } from '../core/errors.js';
import { nonEmpty } from './nonEmpty.js';

type Homes = Readonly<Record<string, readonly string[]>>;

/** Adds `--home`, the command line's form of the setting `keepthread.agents.homes`. */
export const withHomes = (command: Command): Command =>
  command.option(
    '--home <agent=dir>',
    "one more home of an agent, besides its usual one and what the agent's variables name; may be repeated",
    addHome,
    {},
  );

function addHome(value: string, before: Homes): Homes {
  const [, agent = '', folder = ''] = /^([^=]+)=(.+)$/s.exec(value) ?? [];
  if (sourceOf(agent) === undefined) {
    throw new InvalidArgumentError('It is not AGENT=DIR with the name of an agent.');
  }
  return { ...before, [agent]: [...(before[agent] ?? []), nonEmpty(folder)] };
}

export const agentOption = "only this agent's, by its short name (see: keepthread agents)";

/** @throws ExpectedError `unknownAgent` */
export function sourcesOf(agent: string | undefined): readonly Source[] {
  if (agent === undefined) return sources;
  const source = sourceOf(agent);
  if (source !== undefined) return [source];
  throw new ExpectedError('unknownAgent', 'There is no agent called {0}.', [agent], {
    next: `Use one of: ${sources.map((other) => other.agent).join(', ')}.`,
  });
}

/** Folders are looked for as given and as they really are: agents record either. */
export const scopeOf = (
  folders: readonly string[],
  everywhere: boolean,
  homes: Homes = {},
): StoreScope => ({
  folders: [...new Set(folders.flatMap((folder) => [folder, realPath(folder)]))],
  everywhere,
  homes,
  env: process.env,
  userHome: homedir(),
});

function realPath(folder: string): string {
  try {
    return realpathSync.native(folder);
  } catch {
    return folder;
  }
}
