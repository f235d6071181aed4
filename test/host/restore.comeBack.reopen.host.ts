import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { KeepthreadApi } from '../../src/extension/api.js';
import { Command } from '../../src/extension/ids.js';
import { editorData } from './editorData.js';
import { hostRun, reopenWith } from './hostRun.js';
import { call } from './keepthread.js';
import { hasPerson, untilRecalled } from './person.js';
import { clearWindow, open, row, run, tabsAre, until } from './windowState.js';

const activate = async (): Promise<KeepthreadApi> => {
  const api = await vscode.extensions
    .getExtension<KeepthreadApi>('keepthread.keepthread')
    ?.activate();
  assert.ok(api);
  return api;
};

/** Types at the beginning of the new document in the second group. */
const typeNew = async (text: string): Promise<void> => {
  await run('workbench.action.focusSecondEditorGroup');
  const front = (): vscode.TextEditor | undefined => vscode.window.activeTextEditor;
  await until('the new document is in front', () => front()?.document.isUntitled === true);
  await front()?.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
};

const newText = (): readonly string[] =>
  vscode.workspace.textDocuments
    .filter(({ isUntitled, isClosed }) => isUntitled && !isClosed)
    .map((document) => document.getText());

/** Unsaved text that VS Code has written down. */
const backups = (): readonly string[] =>
  readdirSync(editorData, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.parentPath.split(path.sep).includes('Backups'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    // One that is being written anew is away for a moment.
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));

const labels = (): readonly string[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

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
    await run('workbench.action.focusSecondEditorGroup');
    await run('workbench.action.files.newUntitledFile');
    await typeNew('to do');
    vscode.window.createTerminal({ name: 'build', cwd: `${hostRun.workspace}/src` });
    await open('a');
    await tabsAre(windowOfPhase1);
    await (await activate()).save({ label: 'before the crash' });
    reopenWith({ forgetful: true });
  });
});

suite('phase 2: the window again, of which VS Code remembers nothing', () => {
  test('is brought back', async () => {
    await activate();
    await tabsAre(windowOfPhase1);
    await until('text is back', () => newText().join() === 'to do');
    await until('the terminal is back', () => terminals().includes('build'));
  });

  test('and saved as it is now, behind the snapshot to go back to', async () => {
    const api = await activate();
    const before: readonly (string | undefined)[] = [undefined, 'manual', 'beforeRestore'];
    await until('the window is saved with its three tabs', async () => {
      const { last } = (await api.list())[0] ?? {};
      return !before.includes(last?.reason) && last?.tabs === 3;
    });
  });

  test('and counted as a restore that ended', async () => {
    await activate();
    await until('it is counted', async () => {
      const [project] = (await call(Command.showStatistics, {})).projects;
      return project?.restores.whole === 1;
    });
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
    await until('so are the files', () => ['a', 'b'].every((name) => labels().includes(name)));
    // VS Code writes down what it will bring back itself with a delay.
    await until('VS Code has the text', () =>
      backups().some((text) => text.includes('last words')),
    );
    if (!hasPerson) return;
    for (const name of ['restore-tests/a', 'restore-tests/b', 'Untitled-1']) {
      await untilRecalled(name);
    }
  });
});

suite('phase 4: the window again, brought back by VS Code itself', () => {
  test('gets nothing twice', async () => {
    const api = await activate();
    // Groups, and tabs of new documents without their text, are as VS Code last wrote them down.
    const here = (): string =>
      [...labels().filter((label) => label !== 'Untitled-1'), ...terminals()].toSorted().join();
    await until('everything is back', () => here() === 'a,b,build,last words, to do');
    await wait(longEnough);
    assert.equal(here(), 'a,b,build,last words, to do');
    assert.notEqual((await api.list())[0]?.last?.reason, 'beforeRestore');
  });
});
