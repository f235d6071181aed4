import assert from 'node:assert/strict';
import { realpathSync } from 'node:fs';
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
  troubles,
  until,
} from './windowState.js';

const cwd = `${hostRun.workspace}/src`;

const names = (): readonly string[] => vscode.window.terminals.map(({ name }) => name).sort();

suite('restoring terminals and breakpoints', () => {
  let keeper: Keeper;
  setup(async () => {
    await clearWindow();
    await until('terminals are gone', () => vscode.window.terminals.length === 0);
    keeper = new Keeper();
  });
  teardown(() => keeper.dispose());
  suiteTeardown(async () => {
    await clearWindow();
    removeFiles();
  });

  test('terminals come back in their folders, and none twice', async () => {
    vscode.window.createTerminal({ name: 'build', cwd });
    vscode.window.createTerminal({ name: 'serve' });
    const content = await keeper.take();
    await keeper.nothingLeft(content);
    for (const terminal of vscode.window.terminals) {
      if (terminal.name === 'build') terminal.dispose();
    }
    await until('closed', () => vscode.window.terminals.length === 1);
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    assert.deepEqual(names(), ['build', 'serve']);
    const build = vscode.window.terminals.find(({ name }) => name === 'build');
    await until('its shell tells where it is', () => build?.shellIntegration?.cwd !== undefined);
    assert.equal(realpathSync(build?.shellIntegration?.cwd?.fsPath ?? ''), realpathSync(cwd));
    await keeper.nothingLeft(content);
  });

  test('a terminal in the editor area keeps its group', async () => {
    await run('vscode.setEditorLayout', row(3));
    await open('a', vscode.ViewColumn.One);
    vscode.window.createTerminal({
      name: 'side',
      cwd,
      location: { viewColumn: vscode.ViewColumn.Two },
    });
    await until('it has a tab', () => tabsNow().includes('side'));
    await open('c', vscode.ViewColumn.Three);
    const before = tabsNow();
    const content = await keeper.take();
    await clearWindow();
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    await tabsAre(before);
    assert.deepEqual(names(), ['side']);
    await keeper.nothingLeft(content);
  });

  test('commands are told, as shell integration gives them; what other programs run is named', async () => {
    const shell = vscode.window.createTerminal({ name: 'shell', cwd });
    const program = vscode.window.createTerminal({
      name: 'program',
      shellPath: '/bin/sh',
      shellArgs: ['-c', 'sleep 60'],
    });
    vscode.window.createTerminal({ name: 'hidden', hideFromUser: true });
    await until('the shell listens', () => shell.shellIntegration !== undefined);
    shell.shellIntegration?.executeCommand('echo $((20 + 22))');
    const commands = () =>
      keeper.trackers.terminals.capture().find(({ name }) => name === 'shell')?.commands;
    await until('the command has ended', () => commands()?.length === 1);
    assert.deepEqual(commands(), [{ line: 'echo $((20 + 22))', exitCode: 0 }]);
    const content = await keeper.take();
    program.dispose();
    await clearWindow();
    await until('terminals are gone', () => vscode.window.terminals.length === 0);
    const report = await keeper.restore(content);
    assert.deepEqual(troubles(report).toSorted(), [
      'terminal hidden notStarted',
      'terminal program notStarted',
    ]);
    assert.deepEqual(names(), ['shell']);
  });

  test('nothing but editors comes back when editors are asked for', async () => {
    await open('a');
    vscode.window.createTerminal({ name: 'build', cwd });
    const content = await keeper.take();
    await clearWindow();
    await until('terminals are gone', () => vscode.window.terminals.length === 0);
    await keeper.restore(content, 'editors');
    await tabsAre('a*');
    assert.deepEqual(names(), []);
  });

  test('breakpoints come back with their conditions, and those set since stay', async () => {
    const uri = file('code.js', 'one();\ntwo();\nthree();\n');
    const at = (line: number) => new vscode.Location(uri, new vscode.Position(line, 0));
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(at(1), false, 'x > 1', '3', 'x is {x}'),
      new vscode.FunctionBreakpoint('main'),
    ]);
    const content = await keeper.take();
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(at(2))]);
    assert.deepEqual(troubles(await keeper.restore(content)), []);
    await until('they are set', () => vscode.debug.breakpoints.length === 3);
    const back = vscode.debug.breakpoints.find(
      (one) => one instanceof vscode.SourceBreakpoint && one.location.range.start.line === 1,
    );
    assert.ok(back);
    const { enabled, condition, hitCondition, logMessage } = back;
    assert.deepEqual(
      [enabled, condition, hitCondition, logMessage],
      [false, 'x > 1', '3', 'x is {x}'],
    );
    await keeper.nothingLeft(content);
  });
});
