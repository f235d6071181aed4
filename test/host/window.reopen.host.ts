import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { hostRun, reopenWith } from './hostRun.js';
import { hasPerson, untilRecalled } from './person.js';
import { until } from './windowState.js';

const todos = vscode.Uri.file(`${hostRun.workspace}/src/todos.js`);
const labels = (): readonly string[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

suite('phase 1 (killed): a window with a file', () => {
  test('is open when the extension host is killed', async () => {
    await vscode.window.showTextDocument(todos, { preview: false });
    // In a browser the workbench writes its own state every few seconds.
    if (hasPerson) await untilRecalled('todos.js');
    else await wait(8_000);
  });
});

suite('phase 2: the same window again', () => {
  test('shows what VS Code itself remembers', async () => {
    await until('its tab is back', () => labels().length > 0);
    assert.deepEqual(labels(), ['todos.js']);
    reopenWith({ forgetful: true });
  });
});

suite('phase 3: a window that remembers nothing', () => {
  test('is empty, so that whatever comes back was brought back by Keepthread', () => {
    assert.deepEqual(labels(), []);
  });
});
