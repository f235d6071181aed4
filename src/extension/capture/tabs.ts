import * as vscode from 'vscode';
import type { Tab } from '../../core/model/editors.js';
import { placeOf } from './places.js';

/**
 * What a tab shows. The classes' names are minified at run time and kinds grow, so only `instanceof`
 * tells them apart, and what is not known has a kind of its own.
 */
export function describeTab(tab: vscode.Tab): Tab {
  const { input } = tab;
  const flags = flagsOf(tab);
  if (input instanceof vscode.TabInputText) {
    return { kind: 'text', place: placeOf(input.uri), ...flags };
  }
  if (input instanceof vscode.TabInputTextDiff) {
    return { kind: 'diff', ...sidesOf(input), ...flags };
  }
  if (input instanceof vscode.TabInputNotebook) {
    const { notebookType } = input;
    return { kind: 'notebook', place: placeOf(input.uri), notebookType, ...flags };
  }
  if (input instanceof vscode.TabInputNotebookDiff) {
    const { notebookType } = input;
    return { kind: 'notebookDiff', ...sidesOf(input), notebookType, ...flags };
  }
  if (input instanceof vscode.TabInputCustom) {
    return { kind: 'custom', place: placeOf(input.uri), viewType: input.viewType, ...flags };
  }
  if (input instanceof vscode.TabInputTerminal) return { kind: 'terminal', ...flags };
  if (input instanceof vscode.TabInputWebview) {
    return { kind: 'webview', viewType: input.viewType, ...flags };
  }
  return { kind: 'unknown', ...flags };
}

/** The groups in the order of their columns: VS Code lists them in the order in which they were made. */
export const groupsInOrder = (): readonly vscode.TabGroup[] =>
  vscode.window.tabGroups.all.toSorted((a, b) => a.viewColumn - b.viewColumn);

const sidesOf = (input: { readonly original: vscode.Uri; readonly modified: vscode.Uri }) => ({
  original: placeOf(input.original),
  modified: placeOf(input.modified),
});

const flagsOf = (tab: vscode.Tab) => ({
  label: tab.label,
  ...(tab.isPinned ? { pinned: true } : {}),
  ...(tab.isPreview ? { preview: true } : {}),
  ...(tab.isActive ? { active: true } : {}),
  ...(tab.isDirty ? { dirty: true } : {}),
});
