import { basename, dirname } from 'node:path';
import type { Command } from 'commander';
import { fileUri } from '../changes/fileUri.js';
import type { Engine, EngineSettings, Problem } from '../core/engine.js';
import { messageOf } from '../core/errors.js';
import { projectFile } from '../vault/projectFile.js';
import type { Environment } from '../core/model/workbench.js';
import { counted } from './counted.js';
import { existingFolder } from './existingFolder.js';
import { exitCode } from './failure.js';
import type { Settings } from './settings.js';
import { nonEmpty } from './nonEmpty.js';
import { plain } from './output.js';
import { shortId } from './table.js';

/** `capture`. */
export function addCaptureCommand(program: Command, settings: () => Settings): void {
  program
    .command('capture')
    .description("save a folder's changes and its agents' conversations now, without VS Code")
    .option('--folder <dir>', 'the folder (default: the current one)', nonEmpty)
    .addHelpText(
      'after',
      `
Continues the folder's active session, or begins one. Run it only for folders that you trust: git reads
their configuration.

JSON: {projectKey, sessionId, snapshotId, stored, filesLookedAt, threads, recordsAdded, notSaved, bytesRead, problems}.
Exit code 1 when a conversation could not be saved, such as to a full disk.`,
    )
    .action(async ({ folder }: { readonly folder?: string }) => capture(folder, settings()));
}

async function capture(given: string | undefined, settings: Settings): Promise<void> {
  const folder = existingFolder(given);
  const problems: Problem[] = [];
  const { engineSettings, ownEngine } = await import('./engine.js');
  const engine = ownEngine((problem) => problems.push(problem));
  const result = await captureWith(engine, engineSettings, folder, settings).finally(() =>
    engine.close(),
  );
  const { sealCrowd } = await import('../vault/maintain.js');
  const project = dirname(projectFile(settings.store, result.projectKey));
  await sealCrowd(project, Date.now()).catch((error: unknown) => {
    problems.push({ where: project, message: messageOf(error) });
  });
  const all = [...problems, ...result.problems].filter(isFirst);
  settings.output.problems(all);
  settings.output.result({ ...result, problems: all }, () => describe(result, folder));
  if (result.notSaved > 0) process.exitCode = exitCode.error;
}

async function captureWith(
  engine: Engine,
  engineSettings: EngineSettings,
  path: string,
  { store, version }: Settings,
) {
  const folder = { name: basename(path), uri: fileUri(path) };
  const { projectKey, activeSessionId, ...opened } = await engine.open({
    store,
    folders: [folder],
    workspace: folder.uri,
    trusted: true,
    chatStores: [],
    settings: engineSettings,
  });
  const scan = await engine.scanThreads();
  const sessionId = activeSessionId ?? (await engine.createSession({ status: 'active' })).id;
  const environment: Environment = {
    keepthread: version,
    os: process.platform,
    arch: process.arch,
    node: process.versions.node,
    folders: [folder],
    agents: {},
  };
  const saved = await engine.save({ drafts: [], environment }, { sessionId, reason: 'capture' });
  return {
    projectKey,
    ...scan,
    ...saved,
    problems: [...opened.problems, ...scan.problems, ...saved.problems],
  };
}

const isFirst = (problem: Problem, at: number, all: readonly Problem[]): boolean =>
  all.findIndex(({ where, message }) => where === problem.where && message === problem.message) ===
  at;

function describe(result: Awaited<ReturnType<typeof captureWith>>, folder: string): string {
  const { stored, snapshotId, sessionId, threads, filesLookedAt, recordsAdded, notSaved } = result;
  const looked = `${counted(threads, 'conversation')} in ${counted(filesLookedAt, 'file')} looked at`;
  const missing = `${counted(notSaved, 'conversation')} could not be saved.`;
  return [
    `${stored ? 'Saved' : 'Nothing changed since'} snapshot ${shortId(snapshotId)} of session ${shortId(sessionId)}.`,
    `${plain(folder)}: ${looked}, ${counted(recordsAdded, 'new record')}.`,
    ...(notSaved > 0 ? [missing] : []),
  ].join('\n');
}
