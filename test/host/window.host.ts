import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hostRun } from './hostRun.js';

suite('the window of the host suite', () => {
  test('holds a copy of the sample workspace', async () => {
    assert.equal(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath, hostRun.workspace);
    const [transcript] = await vscode.workspace.findFiles('src/todos.js');
    assert.ok(transcript);
  });

  test('never sees the home of the person who runs it', () => {
    assert.equal(process.env['HOME'], hostRun.home);
  });

  test('can have chat turns without a login', async () => {
    const models = await vscode.lm.selectChatModels({ vendor: 'keepthread-tests' });
    assert.deepEqual(
      models.map(({ id }) => id),
      ['echo'],
    );
  });
});
