import * as vscode from 'vscode';
import { groupsInOrder } from '../capture/tabs.js';
import { untilTabs } from './tabModel.js';

/** VS Code has a command for each of the first eight groups. */
const focusCommands = [
  'First',
  'Second',
  'Third',
  'Fourth',
  'Fifth',
  'Sixth',
  'Seventh',
  'Eighth',
].map((name) => `workbench.action.focus${name}EditorGroup`);

/** Gives a group the keyboard, so that commands on "the active editor" mean its editor. */
export async function focusGroup(group: number): Promise<void> {
  const named = Math.min(group, focusCommands.length - 1);
  await run(focusCommands[named] ?? '');
  for (let at = named; at < group; at++) await run('workbench.action.focusNextGroup');
  await untilTabs(() => groupsInOrder()[group]?.isActive === true);
}

/** Shows the tab at an index of a group, and gives it the keyboard. */
export async function activateTab(group: number, index: number): Promise<void> {
  await focusGroup(group);
  if (groupsInOrder()[group]?.tabs[index]?.isActive === true) return;
  await run('workbench.action.openEditorAtIndex', index);
  await untilTabs(() => groupsInOrder()[group]?.tabs[index]?.isActive === true);
}

/** Moves the tab at one index of a group to another. */
export async function moveTab(group: number, from: number, to: number): Promise<void> {
  if (from === to) return;
  const tab = groupsInOrder()[group]?.tabs[from];
  await activateTab(group, from);
  await run('moveActiveEditor', { to: 'position', by: 'tab', value: to + 1 });
  await untilTabs(() => groupsInOrder()[group]?.tabs[to] === tab);
}

export async function setLayout(layout: unknown, groups: number): Promise<void> {
  await run('vscode.setEditorLayout', layout);
  await untilTabs(() => groupsInOrder().length >= groups);
}

/**
 * Closes a tab whose group stays, even as an empty one. By default VS Code drops a group with its last
 * tab, and the groups behind it would change their numbers.
 *
 * @returns whether the tab was closed
 */
export async function closeTab(tab: vscode.Tab, group: number): Promise<boolean> {
  const groups = groupsInOrder().length;
  const drops = groups > 1 && groupsInOrder()[group]?.tabs.length === 1 && dropsEmptyGroups();
  const layout = drops ? await run('vscode.getEditorLayout') : undefined;
  if (!(await vscode.window.tabGroups.close(tab, true))) return false;
  if (!drops) return true;
  await untilTabs(() => groupsInOrder().length < groups);
  if (group < groups - 1) {
    await focusGroup(group);
    await run('workbench.action.newGroupLeft');
  }
  await setLayout(layout, groups);
  return true;
}

const dropsEmptyGroups = (): boolean =>
  vscode.workspace.getConfiguration('workbench.editor').get('closeEmptyGroups', true);

const run = (command: string, ...args: unknown[]): Thenable<unknown> =>
  vscode.commands.executeCommand(command, ...args);
