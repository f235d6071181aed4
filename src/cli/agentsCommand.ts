import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { queryOf, type StoreFound, type StoreScope } from '../agents/everywhere.js';
import { foldFile } from '../agents/foldFile.js';
import type { FoundThread, Source } from '../agents/source.js';
import type { Problem } from '../core/engine.js';
import { openEveryProject } from './everyProject.js';
import { plain } from './output.js';
import { findWithHeads } from '../library/keptHeads.js';
import { createProgress } from './progress.js';
import type { Settings } from './settings.js';
import { scopeOf, sourcesOf, withHomes } from './stores.js';
import { table } from './table.js';

const help = `
Looks into the stores of every agent that Keepthread reads, whatever folder their conversations are about.

JSON: {agents: [{agent, name, places, variables, version, threads, subagents, files, bytes, problems}]}. "places"
are the stores that are there, "lookedIn" all that were tried, "variables" those of the agent that are set and
say where, "version" that of the agent that wrote its newest conversation (null: not written in it), "problems"
what could not be read or is in a format that is not known.`;

/** What one agent has on this machine. */
interface AgentRow {
  readonly agent: string;
  readonly name: string;
  readonly places: readonly string[];
  readonly lookedIn: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly version: string | null;
  readonly threads: number;
  readonly subagents: number;
  readonly files: number;
  readonly bytes: number;
  readonly problems: readonly Problem[];
}

interface Options {
  readonly home: Readonly<Record<string, readonly string[]>>;
}

/** `agents`. */
export function addAgentsCommand(program: Command, settings: () => Settings): void {
  withHomes(program.command('agents'))
    .description('say what of each agent is on this machine, where, and what could not be read')
    .addHelpText('after', help)
    .action(async (options: Options) => agentsCommand(options, settings()));
}

async function agentsCommand({ home }: Options, { store, output }: Settings): Promise<void> {
  const progress = createProgress(output.json);
  const projects = await openEveryProject(store);
  const { folders } = projects;
  await projects.close();
  const variables = new VariablesRead(process.env);
  const scope = { ...scopeOf([process.cwd(), ...folders], true, home), env: variables.env };
  const stores = await findWithHeads(store, sourcesOf(undefined), scope, ({ agent, name }) => {
    variables.agent = agent;
    progress.say(`Looking at ${name}`);
  });
  const agents: AgentRow[] = [];
  for (const found of stores) agents.push(await rowOf(found, scope, variables));
  progress.end();
  output.problems(agents.flatMap(({ problems }) => problems));
  output.result({ agents }, () => describe(agents));
}

/** Which of the set variables each agent's source asks for: the source itself knows best. */
class VariablesRead {
  agent = '';
  readonly env: StoreScope['env'];
  private readonly read = new Map<string, Map<string, string>>();

  constructor(env: StoreScope['env']) {
    this.env = new Proxy(env, {
      get: (target, name) => {
        const value = typeof name === 'string' ? target[name] : undefined;
        if (typeof name === 'string' && value) this.note(name, value);
        return value;
      },
    });
  }

  of(agent: string): Readonly<Record<string, string>> {
    return Object.fromEntries([...(this.read.get(agent) ?? [])].sort());
  }

  private note(name: string, value: string): void {
    const known = this.read.get(this.agent) ?? new Map<string, string>();
    this.read.set(this.agent, known.set(name, value));
  }
}

async function rowOf(
  { source, threads, filesLookedAt, problems }: StoreFound,
  scope: StoreScope,
  variables: VariablesRead,
): Promise<AgentRow> {
  variables.agent = source.agent;
  const query = queryOf(scope, source.agent);
  const lookedIn = [...new Set(source.places?.(query) ?? source.watch(query))];
  return {
    agent: source.agent,
    name: source.name,
    places: lookedIn.filter((place) => existsSync(place)),
    lookedIn,
    variables: variables.of(source.agent),
    version: await versionOf(source, threads),
    threads: threads.filter(({ parent }) => parent === undefined).length,
    subagents: threads.filter(({ parent }) => parent !== undefined).length,
    files: filesLookedAt,
    bytes: threads.reduce((sum, { bytes }) => sum + bytes, 0),
    problems,
  };
}

/** So many of the newest conversations are looked into for a version. */
const mostLookedInto = 3;

async function versionOf(source: Source, threads: readonly FoundThread[]): Promise<string | null> {
  const newest = threads.toSorted((one, other) => other.modifiedAt - one.modifiedAt);
  for (const thread of newest.slice(0, mostLookedInto)) {
    const parser = await foldFile(source, thread, { turns: false }).catch(() => undefined);
    const version = parser?.thread({ turns: false }).version;
    if (version !== undefined) return version;
  }
  return null;
}

function describe(agents: readonly AgentRow[]): string {
  const there = agents.filter(isThere);
  const others = agents.filter((agent) => !isThere(agent)).map(({ name }) => name);
  const none = others.length === 0 ? '' : `Not found: ${others.join(', ')}.`;
  return [there.length === 0 ? 'No agent was found.' : table(there, columns), none]
    .filter((text) => text !== '')
    .join('\n\n');
}

const isThere = ({ threads, files, problems, places, name }: AgentRow): boolean =>
  threads + files + problems.length > 0 || (places.length > 0 && name !== 'VS Code Chat');

const columns = [
  { title: 'AGENT', of: ({ agent }: AgentRow) => agent },
  { title: 'VERSION', of: ({ version }: AgentRow) => plain(version ?? '', 20) },
  { title: 'THREADS', of: ({ threads }: AgentRow) => threads },
  { title: 'SUBAGENTS', of: ({ subagents }: AgentRow) => subagents },
  { title: 'FILES', of: ({ files }: AgentRow) => files },
  { title: 'MB', of: ({ bytes }: AgentRow) => Math.ceil(bytes / 1024 / 1024) },
  { title: 'PROBLEMS', of: ({ problems }: AgentRow) => problems.length },
  { title: 'WHERE', of: ({ places }: AgentRow) => plain(places.join(', '), 120) },
];
