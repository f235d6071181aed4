// Runs inside the extension host: does with commands what a person does with the mouse.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { KeepthreadApi } from '../../src/extension/api.js';
import { View } from '../../src/extension/ids.js';
import { describeWindow } from './look.js';
import type { After, Before, Failure, Orders } from './orders.js';

export const run = async (): Promise<void> => {
  const orders = JSON.parse(readFileSync(process.env['KEEPTHREAD_DEMO'] ?? '', 'utf8')) as Orders;
  const answer = (value: Before | After | Failure): void => {
    // Renamed, so that whoever waits for the file never sees a part of it.
    writeFileSync(`${orders.answer}.part`, JSON.stringify(value));
    renameSync(`${orders.answer}.part`, orders.answer);
  };
  try {
    const keepthread = await vscode.extensions
      .getExtension<KeepthreadApi>('keepthread.keepthread')
      ?.activate();
    if (keepthread === undefined) throw new Error('Keepthread is not here.');
    const { saved } = orders;
    const done = saved ? await comeBack(keepthread, saved) : await work(keepthread);
    await vscode.commands.executeCommand(`${View.sessions}.focus`);
    answer(done);
  } catch (error) {
    answer({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  }
  // The window stays for a picture until it is killed.
  await new Promise(() => undefined);
};

const work = async (keepthread: KeepthreadApi): Promise<Before> => {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (!folder) throw new Error('No folder is open.');
  const file = (path: string): vscode.Uri => vscode.Uri.joinPath(folder, path);
  const show = async (
    path: string,
    viewColumn: vscode.ViewColumn,
    line: number,
  ): Promise<vscode.TextEditor> =>
    vscode.window.showTextDocument(file(path), {
      viewColumn,
      preview: false,
      selection: new vscode.Range(line, 0, line, 0),
    });

  await vscode.commands.executeCommand('vscode.setEditorLayout', {
    orientation: 0,
    groups: [{ size: 0.6 }, { size: 0.4, groups: [{ size: 0.5 }, { size: 0.5 }] }],
  });
  const { One, Two } = vscode.ViewColumn;
  await show('src/todos.js', One, 19);
  await vscode.commands.executeCommand('workbench.action.pinEditor');
  await show('README.md', One, 8);
  const routes = await show('src/routes.js', One, 13);
  await routes.edit((edit) =>
    edit.insert(new vscode.Position(0, 0), '// Not saved yet: which dates?\n'),
  );
  await show('test/due.test.js', Two, 19);
  await vscode.commands.executeCommand(
    'vscode.open',
    vscode.Uri.parse('untitled:release-notes.md'),
    {
      viewColumn: 3,
      preview: false,
    },
  );
  await vscode.window.activeTextEditor?.edit((edit) =>
    edit.insert(new vscode.Position(0, 0), 'Todos can be listed by when they are due.\n'),
  );
  vscode.debug.addBreakpoints([
    new vscode.SourceBreakpoint(
      new vscode.Location(file('src/todos.js'), new vscode.Position(26, 0)),
    ),
  ]);
  vscode.window.createTerminal({ name: 'server', cwd: folder }).show(true);
  // Shells tell their folder, and the agents' stores are read, a moment later.
  await until(async () => (await keepthread.list()).some(({ threads }) => threads > 0));
  await wait(2_000);
  const saved = await keepthread.save({ label: 'Due filter works, tests are missing' });
  return { saved, window: await describeWindow(), session: await session(keepthread, saved) };
};

const comeBack = async (keepthread: KeepthreadApi, saved: Before['saved']): Promise<After> => {
  const empty = await describeWindow();
  const report = await keepthread.load({ ...saved, apply: 'all' });
  await wait(2_000);
  return {
    empty,
    report,
    window: await describeWindow(),
    session: await session(keepthread, saved),
  };
};

const session = async (
  keepthread: KeepthreadApi,
  { sessionId }: Before['saved'],
): Promise<Before['session']> => {
  const found = (await keepthread.list()).find(({ id }) => id === sessionId);
  return {
    agents: found?.agents ?? [],
    threads: found?.threads ?? 0,
    label: found?.last?.label,
    branch: found?.branch,
  };
};

const until = async (condition: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 60; tries += 1) {
    if (await condition()) return;
    await wait(500);
  }
};
