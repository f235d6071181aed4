import * as vscode from 'vscode';
import { messageOf } from '../../core/errors.js';
import { countGroups } from '../../core/restore/layout.js';
import type { Place } from '../../core/model/editors.js';
import { placeKey, placeLabel } from '../../core/restore/places.js';
import { mapPlaces } from '../../core/restore/tabs.js';
import type {
  RestoreOutcome,
  RestorePlan,
  RestoreReport,
  RestoreStep,
} from '../../core/restore/types.js';
import { breakpointLabel } from '../../core/restore/workbench.js';
import { activateTab, closeTab, focusGroup, moveTab, setLayout } from './groups.js';
import { openDraft } from './openDraft.js';
import { openTab } from './openTab.js';
import type { StepResult } from './stepResult.js';
import { done, failed, skipped } from './stepResult.js';
import { findTab, untilTabs } from './tabModel.js';
import { showView } from './view.js';
import { addBreakpoint, startTerminal } from './workbench.js';

export interface ApplyOptions {
  /** Gives a draft's text by its hash. */
  readonly readText: (hash: string) => Promise<string>;
  readonly progress?: vscode.Progress<{ message?: string; increment?: number }> | undefined;
  /** Stops between two steps. */
  readonly token?: vscode.CancellationToken | undefined;
}

/**
 * Runs a plan and reports every item. Never throws: what fails is one line of the report, and the rest
 * goes on.
 */
export async function applyRestore(
  plan: RestorePlan,
  options: ApplyOptions,
): Promise<RestoreReport> {
  const { progress, token } = options;
  const outcomes: RestoreOutcome[] = [...plan.notes];
  const increment = 100 / plan.steps.length;
  const run: Run = { readText: options.readText, names: new Map() };
  let cancelled = false;
  // Two opens in one group at the same time cancel each other ("Could NOT open editor for ..."), so
  // steps run one after the other; see https://github.com/avaly/vscode-restore-git-branch-tabs/issues/2.
  for (const step of plan.steps) {
    cancelled = token?.isCancellationRequested === true;
    if (cancelled) break;
    const label = labelOf(step);
    progress?.report({ message: label, increment });
    outcomes.push({ kind: step.kind, label, ...(await attempt(step, run)) });
  }
  const { sessionId, snapshotId } = plan;
  return { sessionId, snapshotId, outcomes, cancelled };
}

interface Run extends Pick<ApplyOptions, 'readText'> {
  /** Places of the plan that got another name when they were opened, by key. */
  readonly names: Map<string, Place>;
}

async function attempt(step: RestoreStep, run: Run): Promise<StepResult> {
  try {
    return await runStep(renamed(step, run), run);
  } catch (error) {
    return failed(messageOf(error));
  }
}

function renamed(step: RestoreStep, { names }: Run): RestoreStep {
  if (!('tab' in step) || step.tab === undefined) return step;
  return { ...step, tab: mapPlaces(step.tab, (place) => names.get(placeKey(place)) ?? place) };
}

async function runStep(step: RestoreStep, { readText, names }: Run): Promise<StepResult> {
  switch (step.kind) {
    case 'layout':
      await setLayout(step.layout, countGroups(step.layout));
      return done;
    case 'open':
      return openTab(step);
    case 'draft': {
      const { result, place } = await openDraft(step, readText);
      names.set(placeKey(step.place), place);
      return result;
    }
    case 'close':
      return close(step);
    case 'move':
    case 'pin':
    case 'unpin':
      return arrange(step);
    case 'terminal':
      return startTerminal(step);
    case 'breakpoint':
      return addBreakpoint(step.breakpoint);
    case 'focus':
      return focus(step);
  }
}

type Step<K extends RestoreStep['kind']> = Extract<RestoreStep, { readonly kind: K }>;

async function close({ tab, group }: Step<'close'>): Promise<StepResult> {
  const found = findTab(tab, group);
  if (found === undefined) return done;
  // Closing it would ask the person, and wait for the answer.
  if (found.tab.isDirty) return skipped('dirty');
  return (await closeTab(found.tab, group)) ? done : failed();
}

async function arrange(step: Step<'move' | 'pin' | 'unpin'>): Promise<StepResult> {
  const { tab, group } = step;
  const found = findTab(tab, group);
  // Why it is not there stands in the line of its own step.
  if (found === undefined) return skipped('missing');
  if (step.kind === 'move') {
    await moveTab(group, found.index, step.index);
    return done;
  }
  const pinned = step.kind === 'pin';
  if (found.tab.isPinned === pinned) return done;
  await activateTab(group, found.index);
  await vscode.commands.executeCommand(`workbench.action.${step.kind}Editor`);
  const isSo = await untilTabs(() => findTab(tab, group)?.tab.isPinned === pinned);
  return isSo ? done : failed();
}

async function focus({ group, tab, view }: Step<'focus'>): Promise<StepResult> {
  const found = tab === undefined ? undefined : findTab(tab, group);
  if (found === undefined) await focusGroup(group);
  else await activateTab(group, found.index);
  if (view !== undefined) await showView(view, group);
  return done;
}

export function labelOf(step: RestoreStep): string {
  switch (step.kind) {
    case 'layout':
      return '';
    case 'draft':
      return placeLabel(step.place);
    case 'terminal':
      return step.terminal.name;
    case 'breakpoint':
      return breakpointLabel(step.breakpoint);
    case 'open':
    case 'close':
    case 'move':
    case 'pin':
    case 'unpin':
    case 'focus':
      return step.tab?.label ?? '';
  }
}
