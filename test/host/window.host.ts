import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { hostRun } from './hostRun.js';
import { until } from './windowState.js';

suite('the window of the host suite', () => {
  test('holds a copy of the sample workspace', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.equal(folder?.uri.toString(), vscode.Uri.file(hostRun.workspace).toString());
    assert.equal((await vscode.workspace.findFiles('src/todos.js')).length, 1);
  });

  test('never sees the home of the person who runs it', () => {
    assert.equal(process.env['HOME'], hostRun.home);
  });

  test('can have chat turns without a login', async () => {
    await until('there is a model', async () => {
      const models = await vscode.lm.selectChatModels({ vendor: 'keepthread-tests' });
      return models.map(({ id }) => id).join() === 'echo';
    });
  });
});
