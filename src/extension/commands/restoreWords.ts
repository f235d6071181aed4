import * as vscode from 'vscode';
import type {
  RestoreOutcome,
  RestorePlan,
  RestoreReason,
  RestoreReport,
  RestoreStep,
} from '../../core/restore/types.js';
import { labelOf } from '../restore/apply.js';
import { fullMomentWords } from '../views/words.js';
import { escapeMarkdown, plain } from '../views/plainText.js';

/** A line of a preview: what would happen to one thing. */
export interface PlannedItem {
  readonly section: PlanSection;
  readonly label: string;
}

export type PlanSection = 'open' | 'draft' | 'close' | 'terminal' | 'breakpoint' | 'arrange';

const sections: Readonly<Record<RestoreStep['kind'], PlanSection>> = {
  open: 'open',
  draft: 'draft',
  close: 'close',
  terminal: 'terminal',
  breakpoint: 'breakpoint',
  layout: 'arrange',
  move: 'arrange',
  pin: 'arrange',
  unpin: 'arrange',
  focus: 'arrange',
};

/** The plan as a person reads it: one line a thing, and one for all that only arranges editors. */
export function plannedItems(plan: RestorePlan): readonly PlannedItem[] {
  const items = plan.steps
    .map((step): PlannedItem => ({ section: sections[step.kind], label: plain(labelOf(step)) }))
    .filter(({ section }) => section !== 'arrange');
  const arranges = plan.steps.some(({ kind }) => sections[kind] === 'arrange');
  return arranges
    ? [...items, { section: 'arrange', label: vscode.l10n.t('Layout, order, pins and focus') }]
    : items;
}

export function sectionWords(section: PlanSection): string {
  switch (section) {
    case 'open':
      return vscode.l10n.t('Will open');
    case 'draft':
      return vscode.l10n.t('Unsaved text will come back');
    case 'close':
      return vscode.l10n.t('Will close');
    case 'terminal':
      return vscode.l10n.t('Terminals will start');
    case 'breakpoint':
      return vscode.l10n.t('Breakpoints will be set');
    case 'arrange':
      return vscode.l10n.t('Editors will be arranged');
  }
}

export function whyWords(reason: RestoreReason): string {
  switch (reason) {
    case 'alreadyThere':
      return vscode.l10n.t('already there');
    case 'missing':
      return vscode.l10n.t('the file is not there any more');
    case 'notRestorable':
      return vscode.l10n.t('VS Code does not let extensions open this kind');
    case 'changedOnDisk':
      return vscode.l10n.t('the file has changed since');
    case 'differentDraft':
      return vscode.l10n.t('it holds other unsaved text now');
    case 'dirty':
      return vscode.l10n.t('it has unsaved changes');
    case 'kept':
      return vscode.l10n.t('it stays, since it could not be brought back');
    case 'revivedByEditor':
      return vscode.l10n.t('VS Code brought it back by itself');
    case 'notStarted':
      return vscode.l10n.t('it was running; it is not started by itself');
    case 'untrusted':
      return vscode.l10n.t('not in restricted mode');
    case 'unreadable':
      return vscode.l10n.t("Keepthread's copy is damaged");
    case 'failed':
      return vscode.l10n.t('it failed');
  }
}

/** Whether an item that was skipped is a tab that stays open, and not one that is missed. */
export const stays = (reason: RestoreReason | undefined): boolean =>
  reason === 'dirty' || reason === 'kept';

/** One sentence on what a restore did. */
export function summaryWords(report: RestoreReport): string {
  const count = (fits: (item: RestoreOutcome) => boolean): number =>
    report.outcomes.filter(fits).length;
  const missed = count(
    ({ outcome, reason }) => outcome === 'failed' || (outcome === 'skipped' && !stays(reason)),
  );
  const done = count(({ outcome }) => outcome === 'done');
  if (report.cancelled) return vscode.l10n.t('Stopped after {0} steps.', done);
  if (done === 0 && missed === 0) return vscode.l10n.t('Everything was there already.');
  if (missed === 0) return vscode.l10n.t('Restored. Everything came back.');
  return missed === 1
    ? vscode.l10n.t('Restored. One thing did not come back.')
    : vscode.l10n.t('Restored. {0} things did not come back.', missed);
}

/** The whole report, item by item, as a markdown document. */
export function reportDocument(report: RestoreReport, at: number): string {
  const part = (
    heading: string,
    outcome: RestoreOutcome['outcome'],
    fits: (item: RestoreOutcome) => boolean = () => true,
  ): string[] => {
    const items = report.outcomes.filter((item) => item.outcome === outcome && fits(item));
    return items.length === 0
      ? []
      : [`## ${heading} (${items.length})`, items.map(line).join('\n')];
  };
  return [
    `# ${vscode.l10n.t('Restore report')}`,
    escapeMarkdown(`${fullMomentWords(at)} · ${summaryWords(report)}`),
    ...part(vscode.l10n.t('Failed'), 'failed'),
    ...part(vscode.l10n.t('Did not come back'), 'skipped', ({ reason }) => !stays(reason)),
    ...part(vscode.l10n.t('Stayed open'), 'skipped', ({ reason }) => stays(reason)),
    ...part(vscode.l10n.t('Done'), 'done'),
    ...part(vscode.l10n.t('Was there already'), 'alreadyThere'),
    '',
  ].join('\n\n');
}

function line({ kind, label, reason, detail }: RestoreOutcome): string {
  const why = reason === undefined || reason === 'alreadyThere' ? '' : `: ${whyWords(reason)}`;
  const error = detail === undefined ? '' : ` (${plain(detail, 300)})`;
  return `- ${escapeMarkdown(`${kindWords(kind)} ${plain(label)}${why}${error}`)}`;
}

function kindWords(kind: RestoreOutcome['kind']): string {
  switch (kind) {
    case 'open':
    case 'tab':
      return vscode.l10n.t('Editor');
    case 'close':
      return vscode.l10n.t('Closed');
    case 'draft':
      return vscode.l10n.t('Unsaved text');
    case 'terminal':
      return vscode.l10n.t('Terminal');
    case 'breakpoint':
      return vscode.l10n.t('Breakpoint');
    case 'layout':
      return vscode.l10n.t('Layout');
    case 'move':
      return vscode.l10n.t('Order');
    case 'pin':
      return vscode.l10n.t('Pin');
    case 'unpin':
      return vscode.l10n.t('Unpin');
    case 'focus':
      return vscode.l10n.t('Focus');
    case 'task':
      return vscode.l10n.t('Task');
    case 'debug':
      return vscode.l10n.t('Debug session');
    case 'part':
      return vscode.l10n.t('Part');
  }
}
