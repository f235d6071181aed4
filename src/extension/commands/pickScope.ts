import * as vscode from 'vscode';
import type { RestoreNote, RestorePlan, RestoreScope } from '../../core/restore/types.js';
import { escapeIcons, plain } from '../views/plainText.js';
import { pick } from './pick.js';
import type { PlanSection } from './restoreWords.js';
import { plannedItems, sectionWords, stays, whyWords } from './restoreWords.js';

interface ScopeItem extends vscode.QuickPickItem {
  readonly scope?: RestoreScope;
}

const order: readonly PlanSection[] = [
  'close',
  'open',
  'draft',
  'terminal',
  'breakpoint',
  'arrange',
];

/** Shows a plan before it runs, and asks how much of it should. */
export async function pickScope(
  all: RestorePlan,
  editors: RestorePlan,
  step?: { readonly at: number; readonly of: number },
): Promise<RestoreScope | 'back' | undefined> {
  const picked = await pick<ScopeItem>({
    items: [...choices(all, editors), ...previewItems(all), ...leftItems(all)],
    title: vscode.l10n.t('What will happen'),
    placeholder: vscode.l10n.t('Choose how much to restore. The list below says what changes'),
    step,
    back: step !== undefined,
    isChoice: (item) => item.scope !== undefined,
  });
  return picked === 'back' ? 'back' : picked?.scope;
}

function choices(all: RestorePlan, editors: RestorePlan): ScopeItem[] {
  const everything: ScopeItem = {
    scope: 'all',
    iconPath: new vscode.ThemeIcon('check'),
    label: vscode.l10n.t('Restore everything'),
  };
  const isSame = editors.steps.length === all.steps.length;
  if (isSame || editors.steps.length === 0) return [everything];
  const editorsOnly: ScopeItem = {
    scope: 'editors',
    iconPath: new vscode.ThemeIcon('files'),
    label: vscode.l10n.t('Restore editors only'),
    description: vscode.l10n.t('no terminals, no breakpoints'),
  };
  return [everything, editorsOnly];
}

function previewItems(plan: RestorePlan): ScopeItem[] {
  const items = plannedItems(plan);
  return order.flatMap((section) => {
    const members = items.filter((item) => item.section === section);
    if (members.length === 0) return [];
    return [
      heading(sectionWords(section)),
      ...members.map(({ label }): ScopeItem => ({ label: escapeIcons(label) })),
    ];
  });
}

/** What will not come back or not be closed, and why. What is there already needs no line. */
function leftItems(plan: RestorePlan): ScopeItem[] {
  const left = plan.notes.filter(({ outcome }) => outcome === 'skipped');
  const missed = left.filter(({ reason }) => !stays(reason));
  const staying = left.filter(({ reason }) => stays(reason));
  return [
    ...noteItems(vscode.l10n.t('Will not come back ({0})', missed.length), missed),
    ...noteItems(vscode.l10n.t('Will stay open ({0})', staying.length), staying),
  ];
}

function noteItems(title: string, notes: readonly RestoreNote[]): ScopeItem[] {
  if (notes.length === 0) return [];
  return [
    heading(title),
    ...notes.map(({ label, reason }): ScopeItem => ({
      label: escapeIcons(plain(label)),
      description: whyWords(reason),
    })),
  ];
}

const heading = (label: string): ScopeItem => ({
  label,
  kind: vscode.QuickPickItemKind.Separator,
});
