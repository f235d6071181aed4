import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import {
  clearWindow,
  columns,
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
} from './windowState.js';

suite('restoring tabs', () => {
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

  /** Takes a snapshot, disturbs the window, restores, and holds the tabs against those before. */
  const comesBack = async (disturb: () => Promise<unknown>): Promise<void> => {
    const content = await keeper.takeAtRest();
    const before = tabsNow();
    await disturb();
    const report = await keeper.restore(content);
    assert.deepEqual(troubles(report), []);
    await tabsAre(before);
    await keeper.nothingLeft(content);
  };

  const inThreeGroups = async (): Promise<void> => {
    await run('vscode.setEditorLayout', row(3));
    for (const column of columns) {
      for (const name of ['a', 'b', 'c', 'd']) await open(`${name}${column}`, column);
    }
    await open('b2', vscode.ViewColumn.Two);
  };

  test('three groups of four tabs come back in order', async () => {
    await inThreeGroups();
    await comesBack(clearWindow);
  });

  test('tabs come back in order among those that are open', async () => {
    await inThreeGroups();
    await comesBack(async () => {
      await clearWindow();
      for (const name of ['d1', 'x', 'a1', 'y']) await open(name);
    });
  });

  test('a grid comes back as a grid', async () => {
    const sizes = [{ size: 0.6 }, { size: 0.4 }];
    const groups = [{ size: 0.7 }, { size: 0.3, groups: sizes }];
    await run('vscode.setEditorLayout', { orientation: 0, groups });
    for (const column of columns) await open(`g${column}`, column);
    const { layout } = (await keeper.take()).editors ?? {};
    await comesBack(clearWindow);
    assert.deepEqual((await keeper.take()).editors?.layout, layout);
  });

  test('a grid comes back from a window with more groups', async () => {
    await run('vscode.setEditorLayout', row(2));
    await open('g1', vscode.ViewColumn.One);
    await open('g2', vscode.ViewColumn.Two);
    await comesBack(async () => {
      await run('vscode.setEditorLayout', row(4));
      await open('g2', vscode.ViewColumn.Three);
      await open('x', vscode.ViewColumn.Four);
    });
  });

  test('pins come back in order', async () => {
    for (const name of ['a', 'b', 'c', 'd']) await open(name);
    for (const name of ['c', 'b']) {
      await open(name);
      await run('workbench.action.pinEditor');
    }
    await tabsAre('c[pin] b*[pin] a d');
    await comesBack(clearWindow);
    await comesBack(async () => {
      await open('c');
      await run('workbench.action.unpinEditor');
      await open('d');
      await run('workbench.action.pinEditor');
    });
  });

  test('a preview tab comes back as one, in its place', async () => {
    await open('a');
    await vscode.window.showTextDocument(file('p'), { preview: true });
    await tabsAre('a p*[preview]');
    await comesBack(clearWindow);
  });

  test('twenty tabs in one group all open', async () => {
    for (let number = 1; number <= 20; number++) await open(`f${number}`);
    await comesBack(clearWindow);
  });

  test('a group keeps its place when all of its tabs change', async () => {
    await run('vscode.setEditorLayout', row(3));
    await open('b', vscode.ViewColumn.Two);
    await open('c', vscode.ViewColumn.Three);
    await comesBack(async () => {
      await open('x', vscode.ViewColumn.One);
      await open('y', vscode.ViewColumn.Two);
      await vscode.window.tabGroups.close(
        vscode.window.tabGroups.all.flatMap(({ tabs }) =>
          tabs.filter(({ label }) => label === 'b'),
        ),
      );
    });
  });

  test('a file that is gone is said, and the rest comes back', async () => {
    for (const name of ['a', 'gone', 'b']) await open(name);
    const gone = file('gone');
    const content = await keeper.take();
    await clearWindow();
    rmSync(gone.fsPath);
    assert.deepEqual(troubles(await keeper.restore(content)), ['tab gone missing']);
    await tabsAre('a b*');
  });

  test('an unsaved tab stays open', async () => {
    await open('a');
    const content = await keeper.take();
    const editor = await open('dirty');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved '));
    assert.deepEqual(troubles(await keeper.restore(content)), ['tab dirty dirty']);
    await tabsAre('a* dirty[dirty]');
    assert.equal(editor.document.getText(), 'unsaved dirty\n');
  });

  test('an image comes back', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const image = file('dot.png');
    writeFileSync(image.fsPath, Buffer.from(png, 'base64'));
    await open('a');
    await run('vscode.open', image, { preview: false });
    assert.deepEqual(
      tabsOf(await keeper.take()).map(({ kind }) => kind),
      ['text', 'custom'],
    );
    await comesBack(clearWindow);
  });

  test('a file of 52 MB comes back by its name; its text is nobody’s draft', async () => {
    const log = file('large.log');
    writeFileSync(log.fsPath, `${'x'.repeat(1023)}\n`.repeat(52 * 1024));
    await run('vscode.open', log, { preview: false });
    assert.deepEqual((await keeper.take()).editors?.drafts, []);
    await comesBack(clearWindow);
  });

  test('a binary file without an editor of its own comes back', async () => {
    const binary = file('data.bin');
    writeFileSync(binary.fsPath, Buffer.from([0, 1, 2, 0, 255, 0, 3]));
    await run('vscode.open', binary, { preview: false });
    await comesBack(clearWindow);
  });

  test('a comparison of two files comes back', async () => {
    await run('vscode.diff', file('left'), file('right'), 'left and right', { preview: false });
    await comesBack(clearWindow);
    assert.deepEqual(
      tabsOf(await keeper.take()).map(({ kind }) => kind),
      ['diff'],
    );
  });

  test('a notebook comes back', async () => {
    const notebook = file('n.ipynb', '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}');
    await run('vscode.openWith', notebook, 'jupyter-notebook', { preview: false });
    assert.deepEqual(
      tabsOf(await keeper.take()).map(({ kind }) => kind),
      ['notebook'],
    );
    await comesBack(clearWindow);
  });

  test('Settings are named', async () => {
    await open('a');
    await run('workbench.action.openSettings2');
    const content = await keeper.take();
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), ['tab Settings notRestorable']);
    await tabsAre('a*');
  });
});
