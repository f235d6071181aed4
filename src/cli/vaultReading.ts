import type { Problem } from '../core/engine.js';
import type { ProjectStats } from '../core/statistics.js';
import type { ProjectCheck } from '../vault/check.js';
import { checkStore } from '../vault/check.js';
import { storeStats } from '../vault/stats.js';
import { counted, noProjects } from './counted.js';
import { exitCode } from './failure.js';
import { interruptible, nothingChanged } from './interruptible.js';
import { plain } from './output.js';
import type { Settings } from './settings.js';
import { size } from './size.js';
import { facts, table, when } from './table.js';
import { wasmPath } from '../agents/sqlite/wasm.js';

/** `vault stats`. */
export async function stats({ store, output }: Settings): Promise<void> {
  const { projects, lastBackup } = await interruptible(output, nothingChanged, (control) =>
    storeStats(store, wasmPath(), control),
  );
  const problems = projects.flatMap((project) => project.problems);
  output.problems(problems);
  output.result({ projects, lastBackup }, () =>
    [
      ...(projects.length === 0 ? [noProjects(store)] : projects.map(describe)),
      `Last backup: ${lastBackup === undefined ? 'none yet' : when(lastBackup)}`,
    ].join('\n\n'),
  );
  if (problems.length > 0) process.exitCode = exitCode.damage;
}

/** `vault check`. */
export async function check(readData: boolean, { store, output }: Settings): Promise<void> {
  const projects = await checkStore({ store, readData, wasm: wasmPath() });
  const clean = projects.every(({ problems }) => problems.length === 0);
  output.result({ clean, projects }, () =>
    projects.length === 0
      ? noProjects(store)
      : [...projects.map(describeCheck), conclusion(clean, readData, projects.length)].join('\n'),
  );
  if (!clean) process.exitCode = exitCode.damage;
}

function describeCheck({ key, packs, bytes, problems, notes }: ProjectCheck): string {
  const lines = (title: string, list: readonly Problem[]): readonly string[] =>
    list.map(({ where, message }) => `  ${title}: ${plain(where)}: ${plain(message, 500)}`);
  return [
    `${plain(key)}: ${counted(packs, 'pack')}, ${size(bytes)}`,
    ...lines('Damage', problems),
    ...lines('Note', notes),
  ].join('\n');
}

function conclusion(clean: boolean, readData: boolean, projects: number): string {
  if (!clean) {
    return 'Damage was found. "keepthread vault repair --to <dir>" saves what can be read; "keepthread vault restore" brings a backup.';
  }
  const depth = readData ? 'every record was read' : 'records were not read: see --read-data';
  return `No damage in ${counted(projects, 'project')} (${depth}).`;
}

function describe(project: ProjectStats): string {
  const { files, frames, growth } = project;
  const days = growth.slice(-7).map(({ day, bytes }) => `${day} ${size(bytes)}`);
  const kinds = Object.entries(frames).map(([kind, amount]) => ({ kind, ...amount }));
  const columns = [
    { title: 'KIND', of: (row: (typeof kinds)[number]) => row.kind },
    { title: 'COUNT', of: (row: (typeof kinds)[number]) => row.count },
    { title: 'SIZE', of: (row: (typeof kinds)[number]) => size(row.bytes) },
  ];
  return [
    plain(project.key),
    facts([
      ['Sessions', String(project.sessions)],
      ['Snapshots', String(project.snapshots)],
      ['Threads', String(project.threads)],
      [
        'Files',
        Object.entries(files)
          .map(([kind, { count, bytes }]) => `${count} ${kind} (${size(bytes)})`)
          .join(', '),
      ],
      ['Added', days.join(', ')],
      ['Saves', savesWords(project.saves)],
      ['Restores', restoresWords(project.restores)],
    ]),
    table(kinds, columns),
  ].join('\n');
}

function savesWords({ ok, failed, p50, p99 }: ProjectStats['saves']): string {
  const upTo = (ms: number): string => (ms === Infinity ? 'more than 10 s' : `up to ${ms} ms`);
  const isKnown = p50 !== undefined && p99 !== undefined;
  const times = isKnown ? `; half took ${upTo(p50)}, 99 % ${upTo(p99)}` : '';
  return `${ok} went well, ${failed} failed${times}`;
}

const restoresWords = ({ whole, partial, failed }: ProjectStats['restores']): string =>
  `${whole} brought everything back, ${partial} a part, ${failed} were broken off`;
