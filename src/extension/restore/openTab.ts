import * as vscode from 'vscode';
import type { Place, Tab } from '../../core/model/editors.js';
import { placesOf } from '../../core/restore/tabs.js';
import type { RestoreStep } from '../../core/restore/types.js';
import { activateTab, moveTab } from './groups.js';
import { canOpen } from './now.js';
import type { StepResult } from './stepResult.js';
import { done, failed, skipped } from './stepResult.js';
import { columnOf, findTab, untilTabs } from './tabModel.js';
import { groupsInOrder } from '../capture/tabs.js';
import { showView } from './view.js';
import { toGitUri } from './git.js';

type OpenStep = Extract<RestoreStep, { readonly kind: 'open' }>;

/** Opens a tab of any kind at its place in its group. */
export async function openTab(step: OpenStep): Promise<StepResult> {
  const { tab, group, index, view } = step;
  const there = findTab(tab, group);
  if (there !== undefined) return keepTab(step, there.index);
  const files = placesOf(tab).filter((place) => place.git === undefined);
  for (const place of files) {
    if (!(await canOpen(vscode.Uri.parse(place.uri)))) return skipped('missing');
  }
  await standBefore(group, index);
  await open(tab, {
    viewColumn: columnOf(group),
    preview: tab.preview === true,
    preserveFocus: true,
  });
  if (!(await untilTabs(() => findTab(tab, group) !== undefined))) return failed();
  await settle(tab, group, index);
  if (view !== undefined) await showView(view, group);
  return done;
}

/**
 * Makes the left neighbour of a new tab the active one, since a tab opens to the right of that. Only
 * so does a preview tab get its place: moving it makes it a normal one.
 */
export async function standBefore(group: number, index: number): Promise<void> {
  const tabs = groupsInOrder()[group]?.tabs ?? [];
  const neighbour = tabs[index - 1];
  if (neighbour !== undefined && !neighbour.isActive) await activateTab(group, index - 1);
}

/** Moves a new tab where the settings had it opened elsewhere (`workbench.editor.openPositioning`). */
export async function settle(tab: Tab, group: number, index: number): Promise<void> {
  const found = findTab(tab, group);
  if (found !== undefined) await moveTab(group, found.index, index);
}

async function keepTab({ tab, group }: OpenStep, index: number): Promise<StepResult> {
  if (tab.preview === true) return done;
  await activateTab(group, index);
  await vscode.commands.executeCommand('workbench.action.keepEditor');
  return done;
}

async function open(tab: Tab, options: vscode.TextDocumentShowOptions): Promise<void> {
  switch (tab.kind) {
    case 'text':
      return openText(await uriOf(tab.place), options);
    case 'notebook':
      return run('vscode.openWith', await uriOf(tab.place), tab.notebookType, options);
    case 'custom':
      return run('vscode.openWith', await uriOf(tab.place), tab.viewType, options);
    case 'diff':
    case 'notebookDiff': {
      const sides = [await uriOf(tab.original), await uriOf(tab.modified)];
      return run('vscode.diff', ...sides, tab.label, options);
    }
    case 'terminal':
    case 'webview':
    case 'unknown':
      return;
  }
}

/** Binary files and files over 50 MB have no document; the workbench opens them all the same. */
async function openText(uri: vscode.Uri, options: vscode.TextDocumentShowOptions): Promise<void> {
  try {
    await vscode.window.showTextDocument(uri, options);
  } catch {
    await run('vscode.open', uri, options);
  }
}

async function uriOf(place: Place): Promise<vscode.Uri> {
  const uri = vscode.Uri.parse(place.uri);
  return place.git === undefined ? uri : ((await toGitUri(place.git)) ?? uri);
}

const run = async (command: string, ...args: unknown[]): Promise<void> => {
  await vscode.commands.executeCommand(command, ...args);
};
