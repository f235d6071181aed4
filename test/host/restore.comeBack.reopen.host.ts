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

const typeIntoNotes = async (text: string): Promise<void> => {
  const editor = await vscode.window.showTextDocument(vscode.Uri.parse('untitled:notes.md'), {
    viewColumn: vscode.ViewColumn.Two,
    preview: false,
  });
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
};

const textOf = (name: string): string | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.path.endsWith(name))?.getText();

const terminals = (): readonly string[] =>
  vscode.window.terminals.map(({ name }) => name).toSorted();

const windowOfPhase1 = 'b[pin] a* | notes.md*[dirty]';

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
    await typeIntoNotes('to do');
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
    assert.equal(textOf('notes.md'), 'to do');
    await until('the terminal is back', () => terminals().includes('build'));
  });

  test('with a snapshot to go back to', async () => {
    const [session] = await (await activate()).list();
    assert.ok(session);
    assert.ok(session.snapshots >= 2);
  });

  test('keeps text that was typed right before it closes', async () => {
    await activate();
    await typeIntoNotes('last words, ');
    await wait(50);
    reopenWith({ forgetful: true });
  });
});

suite('phase 3: the window after it was closed', () => {
  test('has the last words', async () => {
    await activate();
    await until('text is back', () => textOf('notes.md') === 'last words, to do');
    // VS Code writes down what it will bring back itself with a delay.
    await wait(3_000);
  });
});

suite('phase 4: the window again, brought back by VS Code itself', () => {
  test('gets nothing twice', async () => {
    const api = await activate();
    const before = (await api.list())[0]?.last;
    await wait(longEnough);
    // Which tab shows is as VS Code last wrote it down.
    assert.equal(tabsNow().replaceAll('*', ''), 'b[pin] a | notes.md[dirty]');
    assert.deepEqual(terminals(), ['build']);
    assert.equal((await api.list())[0]?.last?.id, before?.id);
  });
});
