// Writes the table of agents in docs/agents.md: what came out of each agent's kept transcripts and samples.
// Usage: npm run docs:agents
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { foldFile } from '../src/agents/foldFile.js';
import { sources } from '../src/agents/registry.js';
import type { Source } from '../src/agents/source.js';
import { withTranscript } from '../src/agents/transcriptFile.js';
import type { Thread } from '../src/core/model/thread.js';
import { programOf } from '../test/agents/allPrograms.js';
import { branchSamples } from '../test/agents/branchSamples.js';
import { imageSamples } from '../test/agents/imageSamples.js';
import { findIn } from '../test/agents/sampleStore.js';
import { subagentSamples } from '../test/agents/subagentSamples.js';

const root = path.join(import.meta.dirname, '..');
const fixtures = path.join(root, 'test/fixtures');
const begin = '<!-- agents: written by `npm run docs:agents` -->';
const end = '<!-- agents: end -->';
export const agentsFile = path.join(root, 'docs/agents.md');

const columns = [
  'turns',
  'tools',
  'results',
  'thinking',
  'images',
  'tokens',
  'subagents',
  'branches',
] as const;
type Column = (typeof columns)[number];

/** docs/agents.md with the table as it must be now. */
export async function withTable(document: string): Promise<string> {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/agents.md lacks ${begin} or ${end}.`);
  const rows: string[] = [];
  for (const source of sources) rows.push(await rowOf(source));
  const head = ['agent', ...columns, 'real program', 'kept transcripts'];
  const table = [rowText(head), rowText(head.map(() => '---')), ...rows.sort(inOrder)].join('\n');
  const text = `${document.slice(0, from + begin.length)}\n\n${table}\n\n${document.slice(to)}`;
  return format(text, { ...(await resolveConfig(agentsFile)), filepath: agentsFile });
}

async function rowOf(source: Source): Promise<string> {
  const seen = new Set<Column>();
  const files = filesOf(source.agent);
  for (const file of files) await lookInto(source, path.join(fixtures, source.agent, file), seen);
  for (const { agent, records } of imageSamples) {
    if (agent === source.agent) note(fold(source, records.map(asJson)), seen);
  }
  for (const { agent, lines } of branchSamples) {
    if (agent === source.agent) note(fold(source, lines), seen);
  }
  for (const sample of subagentSamples.filter(({ agent }) => agent === source.agent)) {
    const { threads } = await findIn(sample, source);
    if (threads.some(({ parent }) => parent === sample.parent)) seen.add('subagents');
  }
  noteProgram(source.agent, seen);
  const marks = columns.map((column) => (seen.has(column) ? 'yes' : '–'));
  return rowText([source.name, ...marks, programText(source.agent), keptText(files)]);
}

const asJson = (record: unknown): string => JSON.stringify(record);

/** Transcripts and databases; a log that belongs to a database is read with it. */
const filesOf = (agent: string): readonly string[] => {
  try {
    const names = readdirSync(path.join(fixtures, agent)).sort();
    return names.filter(
      (name) => /\.(jsonl|json|md|txt|chat|db)$/.test(name) && name !== 'README.md',
    );
  } catch {
    return [];
  }
};

async function lookInto(source: Source, file: string, seen: Set<Column>): Promise<void> {
  await withTranscript(file, { agent: source.agent }, async ({ found }) => {
    const thread = (await foldFile(source, found)).thread();
    note({ ...thread, parent: found.parent ?? thread.parent }, seen);
  });
}

function fold(source: Source, lines: readonly string[]): Thread {
  const parser = source.parser('');
  for (const line of lines) parser.push(Buffer.from(line));
  return parser.thread();
}

/** Notes what a thread holds. */
function note(thread: Thread, seen: Set<Column>): void {
  const parts = thread.turns.flatMap((turn) => turn.parts);
  const kinds = new Set(parts.map(({ kind }) => kind));
  const holds: Readonly<Record<Column, boolean>> = {
    turns: thread.turns.length > 0,
    tools: kinds.has('toolCall'),
    results: parts.some((part) => part.kind === 'toolCall' && part.result !== undefined),
    thinking: kinds.has('thinking'),
    images: kinds.has('image'),
    tokens: thread.counts.tokens !== undefined,
    subagents: thread.parent !== undefined,
    branches: thread.branches !== undefined,
  };
  for (const column of columns) if (holds[column]) seen.add(column);
}

/** What `npm run test:agents` holds an agent's real program to, whatever is kept of its runs. */
function noteProgram(agent: string, seen: Set<Column>): void {
  const given = programOf(agent);
  if (given === undefined) return;
  for (const column of ['turns', 'tools', 'results'] as const) seen.add(column);
  if (given.thinks !== false) seen.add('thinking');
  if (given.inspects?.tokens !== null) seen.add('tokens');
}

/** The program that `npm run test:agents` drives, in the version that it pins. */
const programText = (agent: string): string => {
  const program = programOf(agent)?.program;
  return program === undefined ? '–' : `\`${program.name}\` ${program.version}`;
};

/** Those that a program wrote carry its version in their names. */
const keptText = (files: readonly string[]): string => {
  const written = files.flatMap((file) => /^([a-z]+-\d+(?:\.\d+)+)/.exec(file)?.[1] ?? []);
  const names = [...new Set(written)].map((name) => name.replace('-', ' '));
  const byHand = files.length - written.length;
  return [...names, ...(byHand > 0 ? [`${byHand} by hand`] : [])].join(', ') || '–';
};

const rowText = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const inOrder = (one: string, other: string): number => one.localeCompare(other, 'en');

if (process.argv[1] === import.meta.filename) {
  writeFileSync(agentsFile, await withTable(readFileSync(agentsFile, 'utf8')));
  // The process that reads databases waits for more of them.
  process.exit();
}
