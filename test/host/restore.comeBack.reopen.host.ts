import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { KeepthreadApi } from '../../src/extension/api.js';
import { hostRun, reopenWith } from './hostRun.js';
import { clearWindow, open, row, run, tabsNow, until } from './windowState.js';

const activate = async (): Promise<KeepthreadApi> => {
  const api = await vscode.extensions
    .getExtension<KeepthreadApi>('keepthread.keepthread')
    ?.activate();
  assert.ok(api);
  return api;
};

/** Types at the beginning of the new document in the second group; makes it if there is none. */
const typeNew = async (text: string): Promise<void> => {
  await run('workbench.action.focusSecondEditorGroup');
  if (vscode.window.activeTextEditor?.document.isUntitled !== true) {
    await run('workbench.action.files.newUntitledFile');
  }
  const editor = vscode.window.activeTextEditor;
  assert.ok(editor?.document.isUntitled);
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
};

const newText = (): readonly string[] =>
  vscode.workspace.textDocuments
    .filter(({ isUntitled, isClosed }) => isUntitled && !isClosed)
    .map((document) => document.getText());

const terminals = (): readonly string[] =>
  vscode.window.terminals.map(({ name }) => name).toSorted();

const windowOfPhase1 = 'b[pin] a* | to do*[dirty]';

/** Longer than the offer waits for VS Code to bring its own things back. */
const longEnough = 6_000;

suite('phase 1 (killed): a window with work in it', () => {
  test('is saved', async () => {
    await vscode.workspace
      .getConfiguration()
      .update('keepthread.restore.onOpen', 'always', vscode.ConfigurationTarget.Global);
    await clearWindow();
    await run('vscode.setEditorLayout', row(2));
    await open('b');
    await run('workbench.action.pinEditor');
    await typeNew('to do');
    vscode.window.createTerminal({ name: 'build', cwd: `${hostRun.workspace}/src` });
    await open('a');
    assert.equal(tabsNow(), windowOfPhase1);
    await (await activate()).save({ label: 'before the crash' });
    reopenWith({ forgetful: true });
  });
});

suite('phase 2: the window again, of which VS Code remembers nothing', () => {
  test('is brought back', async () => {
    await activate();
    await until('tabs are back', () => tabsNow() === windowOfPhase1);
    assert.deepEqual(newText(), ['to do']);
    await until('the terminal is back', () => terminals().includes('build'));
  });

  test('and saved as it is now, behind the snapshot to go back to', async () => {
    const api = await activate();
    const newest = async () => (await api.list())[0]?.last;
    for (let tries = 0; (await newest())?.reason !== 'start' && tries < 60; tries++) {
      await wait(500);
    }
    assert.equal((await newest())?.tabs, 3);
  });

  test('keeps text that was typed right before it closes', async () => {
    await activate();
    await typeNew('last words, ');
    await wait(50);
    reopenWith({ forgetful: true });
  });
});

suite('phase 3: the window after it was closed', () => {
  test('has the last words', async () => {
    await activate();
    await until('text is back', () => newText().includes('last words, to do'));
    // VS Code writes down what it will bring back itself with a delay.
    await wait(3_000);
  });
});

suite('phase 4: the window again, brought back by VS Code itself', () => {
  test('gets nothing twice', async () => {
    const api = await activate();
    await wait(longEnough);
    // Groups, and tabs of new documents without their text, are as VS Code last wrote them down.
    const labels = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs.map(({ label }) => label))
      .filter((label) => label !== 'Untitled-1');
    assert.deepEqual(labels.toSorted(), ['a', 'b', 'last words, to do']);
    assert.deepEqual(terminals(), ['build']);
    assert.notEqual((await api.list())[0]?.last?.reason, 'beforeRestore');
  });
});
