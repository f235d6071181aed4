import * as vscode from 'vscode';
import type { Tab } from '../../core/model/editors.js';
import { tabKey } from '../../core/restore/tabs.js';
import { describeTab, groupsInOrder } from '../capture/tabs.js';

/** How long the tab model may lag behind what a command has done, in milliseconds: seconds where much else runs. */
const usualPatience = 10_000;

/** A tab and where it stands, both counted from 0. */
export interface FoundTab {
  readonly tab: vscode.Tab;
  readonly index: number;
}

/** The tab of a group that shows the same as `wanted`. */
export function findTab(wanted: Tab, group: number): FoundTab | undefined {
  const key = tabKey(wanted);
  const tabs = groupsInOrder()[group]?.tabs ?? [];
  const index = tabs.findIndex((tab) => tabKey(describeTab(tab)) === key);
  const tab = tabs[index];
  return tab === undefined ? undefined : { tab, index };
}

/** The column of a group, for calls that open something in it. */
export const columnOf = (group: number): vscode.ViewColumn =>
  groupsInOrder()[group]?.viewColumn ?? vscode.ViewColumn.Beside;

/**
 * Waits until something is true of the tabs: they follow a command some milliseconds later.
 *
 * @param patience milliseconds
 * @returns false when it is still not so then
 */
export async function untilTabs(isSo: () => boolean, patience = usualPatience): Promise<boolean> {
  if (isSo()) return true;
  return new Promise((resolve) => {
    const finish = (result: boolean): void => {
      clearTimeout(timer);
      listeners.dispose();
      resolve(result);
    };
    const check = (): void => {
      if (isSo()) finish(true);
    };
    const timer = setTimeout(() => finish(isSo()), patience);
    const listeners = vscode.Disposable.from(
      vscode.window.tabGroups.onDidChangeTabs(check),
      vscode.window.tabGroups.onDidChangeTabGroups(check),
    );
  });
}
