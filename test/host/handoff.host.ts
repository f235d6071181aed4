import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Command } from '../../src/extension/ids.js';
import { dropSessionFiles } from '../../src/extension/handoff/arrivals.js';
import { claudeThread } from './agents.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';
import { takeFirst } from './person.js';
import { clearWindow, open, removeFiles, run, until } from './windowState.js';

const output = path.join(hostRun.scratch, 'session.keepthread');

suite('handing a session over', () => {
  setup(clearWindow);
  teardown(() => rmSync(output, { force: true }));
  suiteTeardown(async () => {
    await clearWindow();
    removeFiles();
  });

  /** Exports the window's session, as another extension does. */
  const exported = async (
    options: { readonly passphrase?: string; readonly sign?: boolean } = {},
  ) => {
    await claudeThread();
    await open('handed-over');
    const { sessionId } = await call(Command.save, { label: 'to hand over' });
    return exportedAgain(sessionId, options);
  };
  const exportedAgain = async (
    sessionId: string,
    options: { readonly passphrase?: string } = {},
  ) => {
    const result = await call(Command.exportSession, { sessionId, output, ...options });
    assert.ok(result);
    return { ...result, sessionId };
  };

  const pageIsOpen = (): boolean => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    return input instanceof vscode.TabInputCustom && input.viewType === 'keepthread.importPage';
  };

  test('a file comes back as a session of its own, marked with who sent it, once however often', async () => {
    const { bytes, snapshots, threads } = await exported({ sign: true });
    assert.ok(bytes > 0 && snapshots > 0 && threads > 0);
    const first = await call(Command.importSession, { file: output });
    assert.equal(first?.outcome, 'new');
    assert.equal(first.inspection.author.signature, 'unknown');
    const again = await call(Command.importSession, { file: output });
    assert.deepEqual([again?.outcome, again?.sessionId], ['unchanged', first.sessionId]);
    assert.equal(again?.inspection.author.signature, 'verified', 'the key is known from now on');
    const rows = (await call(Command.list, {})).filter(({ id }) => id === first.sessionId);
    assert.equal(rows.length, 1);
    assert.notEqual(rows[0]?.origin, undefined);
  });

  test('a file opens as a page, and nothing of it is taken', async () => {
    await exported();
    const before = (await call(Command.list, {})).length;
    await run('vscode.open', vscode.Uri.file(output));
    await until('the page is open', pageIsOpen);
    assert.equal((await call(Command.list, {})).length, before);
  });

  test('the explorer’s menu opens the page too', async () => {
    await exported();
    await run(Command.importSession, vscode.Uri.file(output));
    await until('the page is open', pageIsOpen);
  });

  test('a file that is dropped on the view opens as a page', async () => {
    await exported();
    const dropped = new vscode.DataTransfer();
    const list = [vscode.Uri.file(output), vscode.Uri.file(`${output}.txt`)].join('\r\n');
    dropped.set('text/uri-list', new vscode.DataTransferItem(list));
    const { token } = new vscode.CancellationTokenSource();
    await dropSessionFiles.handleDrop?.(undefined, dropped, token);
    await until('the page is open', pageIsOpen);
  });

  test('a file with a passphrase opens with it alone', async () => {
    await exported({ passphrase: 'correct horse' });
    assert.equal(readFileSync(output, 'latin1').slice(0, 21), 'age-encryption.org/v1');
    const wrong = run(Command.importSession, { file: output, passphrase: 'wrong horse' });
    await assert.rejects(Promise.resolve(wrong));
    const result = await call(Command.importSession, { file: output, passphrase: 'correct horse' });
    assert.ok(result?.sessionId);
  });

  test('a person takes from a newer file what both have changed, or closes the choice', async () => {
    const { sessionId: theirs } = await exported();
    const taken = await call(Command.importSession, { file: output });
    assert.ok(taken);
    const { sessionId } = taken;
    const titled = async (): Promise<string | undefined> =>
      (await call(Command.list, {})).find(({ id }) => id === sessionId)?.title;
    await call(Command.rename, { sessionId, title: 'Mine' });
    await call(Command.rename, { sessionId: theirs, title: 'Theirs' });
    rmSync(output);
    await exportedAgain(theirs);
    const choosing = (): { readonly isDone: () => boolean } => {
      let isDone = false;
      const end = (): void => {
        isDone = true;
      };
      call(Command.importSession, { file: output, choose: true }).then(end, end);
      return { isDone: () => isDone };
    };
    const closed = choosing();
    await until('the choice is closed', async () => {
      // Not one behind the other: those that are still on their way would close what is asked next.
      if (!closed.isDone()) await run('workbench.action.closeQuickOpen');
      return closed.isDone();
    });
    assert.equal(await titled(), 'Mine', 'nothing is taken');
    const chosen = choosing();
    await takeFirst('what is ticked is taken', chosen.isDone);
    assert.equal(await titled(), 'Theirs');
  });

  test('what was looked at is what is taken', async () => {
    await exported();
    const wrong = run(Command.importSession, { file: output, takeTheirs: 'yes' });
    await assert.rejects(Promise.resolve(wrong), /not arguments of this command/);
    const other = await call(Command.importSession, { file: output, expect: '0'.repeat(64) });
    assert.equal(other, undefined, 'said to the person, and nothing taken');
  });
});
