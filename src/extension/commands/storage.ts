import * as vscode from 'vscode';
import type { StoreStats } from '../../core/statistics.js';
import { withJob } from '../jobs.js';
import { cleanupDocument, statisticsDocument } from '../views/statistics.js';
import { counted, fullMomentWords } from '../views/words.js';
import type { Run } from './context.js';
import { requireTrust } from './target.js';

/** How much is stored, of what, and how saves and restores went; shown as a page to a person. */
export const showStatistics: Run<StoreStats> = async ({ sessions, reports }, args) => {
  const engine = await sessions.engine();
  const stats = await withJob(engine, vscode.l10n.t('Counting what is stored'), (job) =>
    engine.statistics(job),
  );
  const byPerson = args[0] === undefined || args[0] === null;
  if (byPerson) {
    await reports.show(vscode.l10n.t('Statistics'), statisticsDocument(stats, Date.now()));
  }
  return stats;
};

/** What tidying up would remove; removes nothing. */
export const previewCleanup: Run<undefined> = async ({ sessions, reports }) => {
  const engine = await sessions.engine();
  const cleanup = await withJob(engine, vscode.l10n.t('Looking for what would go'), (job) =>
    engine.previewCleanup(job),
  );
  await reports.show(vscode.l10n.t('What would go'), cleanupDocument(cleanup));
  return undefined;
};

/** Makes the list and the database of this window again from the vault. */
export const rebuild: Run<undefined> = async ({ sessions, list }) => {
  const engine = await sessions.engine();
  await withJob(engine, vscode.l10n.t('Making the list again'), async (job) => {
    await engine.rebuild(job);
    await list.refresh();
  });
  vscode.window.setStatusBarMessage(`$(check) ${vscode.l10n.t('The list was made again')}`, 4000);
  return undefined;
};

/** Adds what the newest automatic backup has and the vault lost. */
export const bringBack: Run<undefined> = async ({ sessions, list }) => {
  requireTrust();
  const engine = await sessions.engine();
  const { records, at } = await withJob(engine, vscode.l10n.t('Reading the backup'), (job) =>
    engine.bringBack(job),
  );
  await list.refresh();
  const when = fullMomentWords(at);
  const said =
    counted(
      records,
      vscode.l10n.t('1 record came back from the backup of {0}.', when),
      vscode.l10n.t('{0} records came back from the backup of {1}.', records, when),
    ) ?? vscode.l10n.t('The backup of {0} has nothing that is not here.', when);
  void vscode.window.showInformationMessage(said);
  return undefined;
};
