import * as vscode from 'vscode';
import { z } from 'zod';
import { ExpectedError } from '../../core/errors.js';
import type { Attachment, ProjectSummary } from '../../core/projects.js';
import type { AttachOptions } from '../ids.js';
import { Command } from '../ids.js';
import { withJob } from '../jobs.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { pathOf } from '../views/origin.js';
import { fullMomentWords, joined, sessionCount } from '../views/words.js';
import { readCall } from './call.js';
import type { CommandContext, Run } from './context.js';
import { pick } from './pick.js';
import { requireTrust } from './target.js';

const optionsSchema: z.ZodType<AttachOptions> = z.object({ projectKey: z.string() });

interface ProjectItem extends vscode.QuickPickItem {
  readonly project: ProjectSummary;
}

/** Lets this folder have the sessions of another project, such as of a folder that was moved without git. */
export const attachSessions: Run<Attachment> = async (context, args) => {
  requireTrust();
  const call = readCall(args, optionsSchema);
  const wasAttached = context.sessions.isAttached;
  const project = call.from === 'program' ? undefined : await askProject(context);
  const key = call.from === 'program' ? call.options.projectKey : (project?.key ?? '');
  const attachment = await (await context.sessions.engine()).attach(key);
  await context.sessions.reopen();
  if (project) void context.errors.run(() => sayAttached(project, attachment, wasAttached));
  return attachment;
};

/** Takes it back. */
export const detach: Run<Attachment> = async (context, args) => {
  requireTrust();
  const call = readCall(args, z.object({}));
  const attachment = await (await context.sessions.engine()).detach();
  await context.sessions.reopen();
  if (call.from !== 'program') void context.errors.run(() => sayDetached(attachment));
  return attachment;
};

async function askProject({ sessions }: CommandContext): Promise<ProjectSummary> {
  const engine = await sessions.engine();
  const projects = await withJob(engine, vscode.l10n.t('Looking at the other projects'), (job) =>
    engine.listProjects(job),
  );
  if (projects.length === 0) {
    throw new ExpectedError('projectMissing', 'No other project on this machine has sessions.');
  }
  const picked = await pick<ProjectItem>({
    items: projects.map(projectItem),
    title: vscode.l10n.t('Attach sessions to this folder'),
    placeholder: vscode.l10n.t(
      'Whose sessions belong here? What this folder has comes back when you detach',
    ),
  });
  if (picked === undefined || picked === 'back') throw new vscode.CancellationError();
  return picked.project;
}

function projectItem(project: ProjectSummary): ProjectItem {
  const [folder, ...others] = project.folders;
  const more = others.length === 0 ? undefined : vscode.l10n.t('{0} more folders', others.length);
  return {
    project,
    iconPath: new vscode.ThemeIcon('folder'),
    label: escapeIcons(plain(project.title)) || vscode.l10n.t('Untitled session'),
    description: joined(sessionCount(project.sessions), fullMomentWords(project.usedAt)),
    detail: escapeIcons(joined(folder === undefined ? '' : plain(pathOf(folder), 200), more)),
  };
}

async function sayAttached(
  project: ProjectSummary,
  { before }: Attachment,
  wasAttached: boolean,
): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const message =
    project.sessions === 1
      ? vscode.l10n.t('1 session belongs to this folder now.')
      : vscode.l10n.t('{0} sessions belong to this folder now.', project.sessions);
  if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
  if (wasAttached) {
    await vscode.commands.executeCommand(Command.attachSessions, { projectKey: before });
  } else {
    await vscode.commands.executeCommand(Command.detach, {});
  }
}

async function sayDetached({ before }: Attachment): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  const message = vscode.l10n.t('This folder has its own sessions again.');
  if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
  await vscode.commands.executeCommand(Command.attachSessions, { projectKey: before });
}
