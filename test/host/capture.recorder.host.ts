import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { KeepthreadApi } from '../../src/extension/api.js';
import type { SessionSummary } from '../../src/core/model/session.js';
import { hostRun } from './hostRun.js';
import { clearWindow, file, open, removeFiles, tabsAre, tabsNow, until } from './windowState.js';

const start = new vscode.Position(0, 0);

/** Longer than the recorder waits after edits. */
const calm = 8_000;

const strategy = (value: string | undefined): Thenable<void> =>
  vscode.workspace
    .getConfiguration()
    .update('keepthread.checkpoint.strategy', value, vscode.ConfigurationTarget.Global);

suite('recording a window', () => {
  let api: KeepthreadApi;

  suiteSetup(async () => {
    const extension = vscode.extensions.getExtension<KeepthreadApi>('keepthread.keepthread');
    assert.ok(extension);
    api = await extension.activate();
    await strategy(undefined);
    await clearWindow();
  });
  suiteTeardown(async () => {
    await strategy(undefined);
    await clearWindow();
    removeFiles();
  });

  const active = async (): Promise<SessionSummary> => {
    const session = (await api.list()).find(({ status }) => status === 'active');
    assert.ok(session, 'a session is active');
    return session;
  };

  /** Waits for a snapshot that was taken for a reason. */
  const untilSaved = (reason: string): Promise<void> =>
    until(`the newest snapshot is for ${reason}`, async () => {
      const [session] = await api.list();
      return session?.last?.reason === reason;
    });

  test('work is kept without anybody asking', async () => {
    const editor = await open('work');
    await editor.edit((edit) => edit.insert(start, 'typed '));
    await untilSaved('edits');
    await editor.document.save();
  });

  test('a commit is kept', async () => {
    const identity = ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.com'];
    const git = [...identity, 'commit', '--quiet', '--allow-empty', '--message', 'a moment'];
    execFileSync('git', git, { cwd: hostRun.workspace });
    await untilSaved('gitHead');
  });

  test('a window that nobody touches is not saved again', async () => {
    // What was done before may still be saved for a while.
    let saved = -1;
    let since = 0;
    await until('nothing is saved for a while', async () => {
      const { snapshots } = await active();
      if (snapshots !== saved) since = performance.now();
      saved = snapshots;
      return performance.now() - since > 2 * calm;
    });
  });

  test('recording that is turned off still lets what was saved come back, and be undone', async () => {
    await strategy('manual');
    await open('kept');
    const target = await api.save({ label: 'to come back to' });
    const kept = tabsNow();
    await clearWindow();
    const editor = await vscode.window.showTextDocument(file('later'), { preview: false });
    await editor.edit((edit) => edit.insert(start, 'typed '));
    await editor.document.save();
    const later = tabsNow();
    await wait(calm);
    assert.equal((await active()).last?.id, target.snapshotId);

    const report = await api.load({ ...target, apply: 'editors' });
    await tabsAre(kept);
    const { undoSessionId: sessionId, undoSnapshotId: snapshotId } = report;
    assert.ok(sessionId !== undefined && snapshotId !== undefined);
    await api.load({ sessionId, snapshotId, apply: 'editors' });
    await tabsAre(later);
  });
});
