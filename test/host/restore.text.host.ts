import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { hostRun } from './hostRun.js';
import {
  clearWindow,
  file,
  Keeper,
  open,
  removeFiles,
  row,
  run,
  tabsAre,
  tabsNow,
  tabsOf,
  troubles,
  until,
} from './windowState.js';

const start = new vscode.Position(0, 0);

const untitled = async (
  name: string,
  text: string,
  viewColumn = vscode.ViewColumn.Active,
): Promise<vscode.TextDocument> => {
  const uri = vscode.Uri.parse(`untitled:${name}`);
  const editor = await vscode.window.showTextDocument(uri, { preview: false, viewColumn });
  await editor.edit((edit) => edit.insert(start, text));
  return editor.document;
};

const textOf = (name: string, scheme = 'file'): string | undefined =>
  vscode.workspace.textDocuments
    .find(({ uri }) => uri.path.endsWith(name) && uri.scheme === scheme)
    ?.getText();

/** Writes a file, and waits until documents that linger in memory have followed. */
const write = async (uri: vscode.Uri, text: string): Promise<void> => {
  writeFileSync(uri.fsPath, text);
  await until('documents follow', () =>
    vscode.workspace.textDocuments.every(
      (open) => open.uri.toString() !== uri.toString() || open.getText() === text,
    ),
  );
};

const topOf = ({ visibleRanges }: vscode.TextEditor): number => visibleRanges[0]?.start.line ?? 0;

const numbered = (from: number, count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${from + index}\n`).join('');

suite('restoring text and places in it', () => {
  let keeper: Keeper;
  setup(async () => {
    await clearWindow();
    keeper = new Keeper();
  });
  teardown(() => keeper.dispose());
  suiteTeardown(async () => {
    await clearWindow();
    removeFiles();
  });

  test('the text of an untitled document comes back once, in its place', async () => {
    await open('a');
    await untitled('notes.md', 'to do: sleep');
    await open('b');
    const before = tabsNow();
    const content = await keeper.take();
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    await tabsAre(before);
    assert.equal(textOf('notes.md', 'untitled'), 'to do: sleep');
    // A document that was made another way would get a second tab about a second later.
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await tabsAre(before);
    await keeper.nothingLeft(content);
  });

  test('an untitled document comes back in its group, and only there', async () => {
    await run('vscode.setEditorLayout', row(2));
    await run('workbench.action.focusSecondEditorGroup');
    await untitled('side.md', 'beside', vscode.ViewColumn.Two);
    await open('a');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await tabsAre('a* | side.md*[dirty]');
    const content = await keeper.take();
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await tabsAre('a* | side.md*[dirty]');
  });

  test('documents that have only a number come back as such, each in its place', async () => {
    await run('vscode.setEditorLayout', row(2));
    await open('a');
    await run('workbench.action.focusSecondEditorGroup');
    for (const text of ['first', 'second']) {
      await run('workbench.action.files.newUntitledFile', { languageId: 'markdown' });
      await vscode.window.activeTextEditor?.edit((edit) => edit.insert(start, text));
      await open('b', vscode.ViewColumn.Two);
    }
    const before = tabsNow();
    const content = await keeper.take();
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    await tabsAre(before);
    await keeper.nothingLeft(content);
    const documents = vscode.workspace.textDocuments.filter(({ isUntitled }) => isUntitled);
    assert.deepEqual(
      documents.map((document) => `${document.languageId} ${document.getText()}`).toSorted(),
      ['markdown first', 'markdown second'],
    );
  });

  test('an untitled document that is open is not doubled, nor is other text covered', async () => {
    await untitled('notes.md', 'mine');
    const content = await keeper.take();
    await keeper.nothingLeft(content);
    await clearWindow();
    await untitled('notes.md', 'yours');
    await keeper.restore(content);
    assert.equal(textOf('notes.md', 'untitled'), 'yours');
    assert.equal(textOf('notes-1.md', 'untitled'), 'mine');
  });

  test('unsaved changes to a file come back, and not over newer work', async () => {
    const target = file('draft.txt', 'saved\n');
    const editor = await vscode.window.showTextDocument(target, { preview: false });
    await editor.edit((edit) => edit.insert(start, 'unsaved, '));
    const content = await keeper.take();
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    assert.equal(textOf('draft.txt'), 'unsaved, saved\n');
    await tabsAre('draft.txt*[dirty]');
    await clearWindow();
    await write(target, 'newer\n');
    assert.deepEqual(troubles(await keeper.restore(content)), ['draft draft.txt changedOnDisk']);
    assert.equal(textOf('draft.txt'), 'newer\n');
  });

  test('the cursor stays in its line of unsaved changes, which the file does not have', async () => {
    const target = file('cursor.txt', '\n\n\n');
    const editor = await vscode.window.showTextDocument(target, { preview: false });
    await editor.edit((edit) => edit.insert(start, 'unsaved\n'));
    editor.selection = new vscode.Selection(2, 0, 2, 0);
    const content = await keeper.take();
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    await until(
      'the cursor is back',
      () => vscode.window.visibleTextEditors[0]?.selection.active.line === 2,
    );
  });

  test('unsaved text of a file that is gone comes back', async () => {
    const target = file('lost.txt', 'saved\n');
    const editor = await vscode.window.showTextDocument(target, { preview: false });
    await editor.edit((edit) => edit.insert(start, 'unsaved, '));
    const content = await keeper.take();
    await clearWindow();
    rmSync(target.fsPath);
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    assert.equal(textOf('lost.txt', 'untitled'), 'unsaved, saved\n');
  });

  test('selection and scroll come back, of tabs behind others too', async () => {
    const target = file('long.txt', numbered(0, 400));
    const editor = await vscode.window.showTextDocument(target, { preview: false });
    editor.selection = new vscode.Selection(150, 2, 152, 3);
    editor.revealRange(editor.selection, vscode.TextEditorRevealType.AtTop);
    // Some lines above stay visible for sticky scroll.
    await until('it has scrolled', () => topOf(editor) > 100);
    const top = topOf(editor);
    await open('front');
    const content = await keeper.take();
    await clearWindow();
    await keeper.restore(content);
    const again = await vscode.window.showTextDocument(target, { preview: false });
    await until('the selection is back', () =>
      again.selection.isEqual(new vscode.Selection(150, 2, 152, 3)),
    );
    await until(`line ${top} is at the top`, () => topOf(again) === top);
  });

  test('a cursor stays at its line when the file has changed', async () => {
    const target = file('unsaved.txt', numbered(0, 300));
    const editor = await vscode.window.showTextDocument(target, { preview: false });
    editor.selection = new vscode.Selection(150, 2, 150, 4);
    const content = await keeper.take();
    await clearWindow();
    await write(target, `new\n${'more\n'.repeat(9)}${numbered(0, 300)}`);
    await keeper.restore(content);
    await until(
      'the cursor is at its line',
      () => vscode.window.activeTextEditor?.selection.active.line === 160,
    );
  });

  test('comparisons with git come back as comparisons', async () => {
    const changed = vscode.Uri.file(`${hostRun.workspace}/src/todos.js`);
    const git = await vscode.extensions
      .getExtension<{ getAPI(version: 1): { toGitUri(uri: vscode.Uri, ref: string): vscode.Uri } }>(
        'vscode.git',
      )
      ?.activate();
    assert.ok(git);
    const at = (ref: string): vscode.Uri => git.getAPI(1).toGitUri(changed, ref);
    await run('vscode.diff', at('HEAD'), changed, 'working tree', { preview: false });
    await run('vscode.diff', at('HEAD~1'), at('HEAD'), 'commit', { preview: false });
    const before = tabsNow();
    const content = await keeper.take();
    assert.deepEqual(
      tabsOf(content).map((tab) => tab.kind === 'diff' && tab.original.git?.ref),
      ['HEAD', 'HEAD~1'],
    );
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    await tabsAre(before);
    await keeper.nothingLeft(content);
  });
});
