import * as vscode from 'vscode';
import { z } from 'zod';
import {
  unresolvedIn,
  type ApplyPlan,
  type ApplyReport,
  type ApplyRequest,
  type UndoReport,
} from '../../core/apply/types.js';
import type { Engine } from '../../core/engine.js';
import { ExpectedError } from '../../core/errors.js';
import { readCall, sessionTargetSchema } from '../commands/call.js';
import type { CommandContext, Run } from '../commands/context.js';
import { requireTrust, targetSession } from '../commands/target.js';
import { Command, type ApplyOptions, type UndoApplyOptions } from '../ids.js';
import { withJob } from '../jobs.js';
import { openUnresolved, unresolvedWords } from './mergeInEditor.js';
import { placeRepository } from './placeRepository.js';
import { pickPlan } from './planPick.js';

const optionsSchema: z.ZodType<ApplyOptions> = sessionTargetSchema.extend({
  snapshotId: z.string().optional(),
  places: z.record(z.string(), z.string().nullable()).optional(),
  without: z.array(z.string()).optional(),
  sensitive: z.boolean().optional(),
  staged: z.boolean().optional(),
  markers: z.boolean().optional(),
  dryRun: z.boolean().optional(),
});

/** Lays a session's changes on the files of this window, as a person chooses or a call says. */
export const applyChanges: Run<ApplyReport | undefined> = async (context, args) => {
  requireTrust();
  const call = readCall(args, optionsSchema);
  const engine = await context.sessions.engine();
  if (call.from === 'program') {
    const { dryRun = false, ...options } = call.options;
    const request = { ...options, unsaved: unsavedFiles() };
    const plan = await engine.planApply(request);
    return dryRun ? { plan } : carryOut(context, engine, request, plan);
  }
  const session = await targetSession(context, call);
  const report = await askAndApply(context, session.id);
  if (report === undefined) return undefined;
  if (report.undo !== undefined) await openUnresolved(report.plan);
  void context.errors.run(() => sayApplied(report));
  return undefined;
};

/** Puts back the files that the last apply of this window replaced, or the one that a call names. */
export const undoApply: Run<UndoReport | undefined> = async (context, args) => {
  requireTrust();
  const schema: z.ZodType<UndoApplyOptions> = z.object({ snapshotId: z.string() });
  const call = readCall(args, schema);
  const snapshotId =
    call.from === 'program' ? call.options.snapshotId : context.state.get<string>(LAST);
  if (snapshotId === undefined) {
    throw new ExpectedError('nothingReplaced', 'No changes were applied in this folder.');
  }
  const report = await (await context.sessions.engine()).undoApply(snapshotId);
  if (call.from !== 'program') await context.state.update(LAST, undefined);
  void vscode.window.showInformationMessage(
    vscode.l10n.t('Put back {0} files.', report.restored.length),
  );
  return report;
};

/** Where the window remembers what it can undo. */
const LAST = 'keepthread.lastApply';

/**
 * Finds out where the session's repositories are, shows what would change, and does it when a person says so.
 * Undefined: they closed it. The report has no `undo` when nothing was written.
 */
export async function askAndApply(
  context: CommandContext,
  sessionId: string,
): Promise<ApplyReport | undefined> {
  const engine = await context.sessions.engine();
  // What is staged is in the plan; whether it is staged here too, the person says.
  let request: ApplyRequest = { sessionId, staged: true };
  for (;;) {
    request = { ...request, unsaved: unsavedFiles() };
    const plan = await withJob(engine, vscode.l10n.t('Looking at the changes'), (job) =>
      engine.planApply({ ...request, job }),
    );
    const lost = plan.repositories.find(
      ({ state }) => state === 'noFolder' || state === 'noCommit',
    );
    if (lost !== undefined) {
      const placing = await placeRepository(lost);
      if (placing === undefined) return undefined;
      const { root } = lost;
      if ('fetch' in placing) {
        const places = { ...request.places, ...(lost.folder ? { [root]: lost.folder } : {}) };
        request = { ...request, places };
        await withJob(engine, vscode.l10n.t('Fetching the commit'), (job) =>
          engine.fetchCommit({ ...request, root, job }),
        );
      } else {
        request = { ...request, places: { ...request.places, [root]: placing.folder } };
      }
      continue;
    }
    if (plan.state === 'nothing' && !hasNotes(plan)) return { plan };
    const choice = await pickPlan(plan);
    switch (choice?.do) {
      case undefined:
        return undefined;
      case 'skip':
        return { plan };
      case 'sensitive':
        request = { ...request, sensitive: true };
        break;
      case 'merge':
        request = { ...request, markers: true };
        break;
      case 'without':
        request = { ...request, without: [...(request.without ?? []), ...choice.paths] };
        break;
      case 'apply': {
        const { staged } = choice;
        return withJob(engine, vscode.l10n.t('Applying the changes'), (job) =>
          carryOut(context, engine, { ...request, staged, job }, plan),
        );
      }
    }
  }
}

/** Whether a person should see it although there is nothing to do. */
const hasNotes = ({ repositories }: ApplyPlan): boolean =>
  repositories.some(({ left, isBehind }) => left.length > 0 || isBehind === true);

/** The window as it was is kept in the session that it was in. */
async function carryOut(
  { sessions, state }: CommandContext,
  engine: Engine,
  request: ApplyRequest,
  { token }: ApplyPlan,
): Promise<ApplyReport> {
  const report = await sessions.exclusive(async () => {
    const keepIn = sessions.activeSessionId ?? (await sessions.create()).id;
    const label = vscode.l10n.t('Before applying changes');
    return engine.applyChanges(
      { ...request, expect: token, keepIn, label },
      await sessions.capture(),
    );
  });
  if (report.undo) await state.update(LAST, report.undo.snapshotId);
  sessions.noteChange();
  return report;
}

/** What stands in an editor only must not be overtaken on the disk. */
const unsavedFiles = (): readonly string[] =>
  vscode.workspace.textDocuments
    .filter(({ isDirty, uri }) => isDirty && uri.scheme === 'file')
    .map(({ uri }) => uri.fsPath);

export async function sayApplied({ plan, undo }: ApplyReport): Promise<void> {
  if (undo === undefined) {
    void vscode.window.showInformationMessage(
      plan.state === 'nothing'
        ? vscode.l10n.t('There is nothing to apply: all of it is here.')
        : vscode.l10n.t('No files were changed.'),
    );
    return;
  }
  const back = vscode.l10n.t('Undo');
  const { length: unresolved } = unresolvedIn(plan);
  const choice = await (unresolved === 0
    ? vscode.window.showInformationMessage(appliedWords(plan), back)
    : vscode.window.showWarningMessage(unresolvedWords(unresolved), back));
  if (choice === back) await vscode.commands.executeCommand(Command.undoApply);
}

function appliedWords({ repositories }: ApplyPlan): string {
  const files = repositories.reduce((sum, { changes }) => sum + changes.length, 0);
  if (files === 0) return vscode.l10n.t('Staged what is staged in the session.');
  return files === 1
    ? vscode.l10n.t('Applied the changes to 1 file.')
    : vscode.l10n.t('Applied the changes to {0} files.', files);
}
