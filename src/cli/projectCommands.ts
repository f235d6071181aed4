import { resolve } from 'node:path';
import type { Command } from 'commander';
import { fileUri } from '../changes/fileUri.js';
import type { ProjectSummary } from '../core/projects.js';
import { ExpectedError } from '../core/errors.js';
import type { Settings } from './settings.js';
import type { JobControl } from '../library/jobs.js';
import { interruptible, nothingChanged } from './interruptible.js';
import { existingFolder } from './existingFolder.js';
import { nonEmpty } from './nonEmpty.js';
import { plain } from './output.js';
import { folderPath } from './folderPath.js';
import { table, when } from './table.js';

/** `project list`, `project attach` and `project detach`. */
export function addProjectCommands(program: Command, settings: () => Settings): void {
  const project = program
    .command('project')
    .description('projects: which folder has which sessions');
  project
    .command('list')
    .description('list all projects that have sessions, last used first')
    .addHelpText('after', '\nJSON: {projects: [{key, folders, sessions, title, usedAt}]}.')
    .action(async () => listAll(settings()));
  project
    .command('attach')
    .argument('<key>', "a project's key, or as much of its start as no other has", nonEmpty)
    .option('--folder <dir>', 'the folder (default: the current one)', nonEmpty)
    .description("let a folder have a project's sessions, such as one that was moved without git")
    .addHelpText(
      'after',
      '\nWhat the folder had before stays, and comes back with "project detach". Windows that are open see it when they open again.\n\nJSON: {folder, before, projectKey}.',
    )
    .action(async (key: string, { folder }: { readonly folder?: string }) =>
      attachTo(key, folder, settings()),
    );
  project
    .command('detach')
    .option('--folder <dir>', 'the folder (default: the current one)', nonEmpty)
    .description('take back what "project attach" did')
    .addHelpText('after', '\nJSON: {folder, before}.')
    .action(async ({ folder }: { readonly folder?: string }) => detachFrom(folder, settings()));
}

async function listAll({ store, output }: Settings): Promise<void> {
  const projects = await interruptible(output, nothingChanged, (control) =>
    allProjects(store, control),
  );
  output.result({ projects }, () =>
    projects.length === 0 ? `No projects in ${plain(store)}.` : table(projects, columns),
  );
}

async function attachTo(start: string, given: string | undefined, settings: Settings) {
  const { store, output } = settings;
  const folder = fileUri(existingFolder(given));
  const key = findByKey(await allProjects(store), start).key;
  const { attach } = await import('../library/projects.js');
  const before = await keyOf(store, folder);
  const attached = await attach({ store, folder, projectKey: before ?? '' }, key);
  output.result(
    { ...attached, before },
    () => `${plain(folderPath(folder))} has the sessions of ${plain(key)} now.`,
  );
}

async function detachFrom(given: string | undefined, { store, output }: Settings): Promise<void> {
  const folder = fileUri(resolve(given ?? '.'));
  const { detach } = await import('../library/projects.js');
  const detached = await detach({ store, folder, projectKey: '' });
  output.result(
    detached,
    () => `${plain(folderPath(folder))} is not attached to ${plain(detached.before)} any more.`,
  );
}

async function allProjects(
  store: string,
  control: Partial<JobControl> = {},
): Promise<readonly ProjectSummary[]> {
  const [{ listProjects }, { wasmPath }] = await Promise.all([
    import('../library/projects.js'),
    import('../agents/sqlite/wasm.js'),
  ]);
  return listProjects(store, wasmPath(), control);
}

async function keyOf(store: string, folder: string): Promise<string | undefined> {
  const { projectOf } = await import('./projectOf.js');
  return (await projectOf(store, folder))?.key;
}

/** @throws ExpectedError `projectMissing` or `ambiguous`. */
function findByKey(projects: readonly ProjectSummary[], start: string): ProjectSummary {
  const exact = projects.find(({ key }) => key === start);
  const [first, ...others] = exact ? [exact] : projects.filter(({ key }) => key.startsWith(start));
  const next = 'Run "keepthread project list" to see the keys.';
  if (first === undefined) {
    throw new ExpectedError('projectMissing', 'There is no project {0} with sessions.', [start], {
      next,
    });
  }
  if (others.length > 0) {
    const count = others.length + 1;
    throw new ExpectedError('ambiguous', '{0} projects begin with {1}.', [count, start], { next });
  }
  return first;
}

const columns = [
  { title: 'KEY', of: (project: ProjectSummary) => plain(project.key, 40) },
  { title: 'USED', of: (project: ProjectSummary) => when(project.usedAt) },
  { title: 'SESSIONS', of: (project: ProjectSummary) => project.sessions },
  { title: 'FOLDER', of: ({ folders }: ProjectSummary) => plain(folderPath(folders[0]), 60) },
  { title: 'LAST SESSION', of: ({ title }: ProjectSummary) => plain(title, 60) || 'Untitled' },
];
