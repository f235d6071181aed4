import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Command } from '../../src/extension/ids.js';
import { claudeThread, installProgram } from './agents.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';
import { takeFirst } from './person.js';
import { clearWindow, open, removeFiles, run, tabsNow, until } from './windowState.js';

const output = path.join(hostRun.scratch, 'go-on.keepthread');
const { workspace } = hostRun;

suite('going on with a session from a file', () => {
  setup(clearWindow);
  suiteTeardown(async () => {
    await clearWindow();
    removeFiles();
    rmSync(output, { force: true });
  });

  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: workspace, encoding: 'utf8' });
  const changed = (): readonly string[] =>
    [
      ...git('diff', '--name-only', 'HEAD').split('\n'),
      ...git('ls-files', '--others', '--exclude-standard').split('\n'),
    ].filter((name) => name !== '');
  const contents = (names: readonly string[]): ReadonlyMap<string, string | undefined> =>
    new Map(
      names.map((name) => {
        const whole = path.join(workspace, name);
        return [name, existsSync(whole) ? readFileSync(whole, 'utf8') : undefined];
      }),
    );
  const put = (files: ReadonlyMap<string, string | undefined>): void => {
    for (const [name, text] of files) {
      const whole = path.join(workspace, name);
      mkdirSync(path.dirname(whole), { recursive: true });
      if (text === undefined) rmSync(whole, { force: true });
      else writeFileSync(whole, text);
    }
  };
  /** As the folder is at a colleague's: the commit, and nothing beyond it. */
  const clean = (files: ReadonlyMap<string, string | undefined>): void => {
    for (const name of files.keys()) {
      const isTracked = git('ls-tree', 'HEAD', '--', name) !== '';
      put(new Map([[name, isTracked ? git('show', `HEAD:${name}`) : undefined]]));
    }
  };

  /** Exports what is open and changed here, makes the folder a colleague's, and imports it. */
  const received = async () => {
    const threadId = await claudeThread();
    await open('was-open');
    const { sessionId } = await call(Command.save, { label: 'to hand over' });
    await call(Command.exportSession, { sessionId, output, threads: [threadId] });
    await clearWindow();
    const work = contents(changed());
    clean(work);
    const imported = await call(Command.importSession, { file: output });
    assert.ok(imported);
    return { sessionId: imported.sessionId, work };
  };

  test('says what would change, changes it, and puts it back', async () => {
    const { sessionId, work } = await received();
    try {
      const before = contents([...work.keys()]);
      const planned = await call(Command.applyChanges, { sessionId, dryRun: true });
      assert.equal(planned?.plan.state, 'ready');
      const paths = planned.plan.repositories.flatMap(({ changes }) =>
        changes.map((one) => one.path),
      );
      assert.deepEqual(paths.toSorted(), [...work.keys()].toSorted());
      assert.deepEqual(contents([...work.keys()]), before, 'a plan writes nothing');

      const applied = await call(Command.applyChanges, { sessionId });
      assert.ok(applied?.undo);
      assert.deepEqual(contents([...work.keys()]), work);
      assert.equal(git('diff', '--cached', '--name-only'), '', 'the index stays');

      const { restored } = await call(Command.undoApply, { snapshotId: applied.undo.snapshotId });
      assert.equal(restored.length, work.size);
      assert.deepEqual(contents([...work.keys()]), before);
    } finally {
      put(work);
    }
  });

  test('writes nothing over text that stands in an editor only', async () => {
    const { sessionId, work } = await received();
    try {
      const [name = ''] = [...work.keys()].filter((one) => existsSync(path.join(workspace, one)));
      const editor = await vscode.window.showTextDocument(
        vscode.Uri.file(path.join(workspace, name)),
      );
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved '));
      const report = await call(Command.applyChanges, { sessionId });
      assert.equal(report?.plan.state, 'blocked');
      const conflicts = report.plan.repositories.flatMap((one) => one.conflicts);
      assert.deepEqual(conflicts, [{ path: name, reason: 'unsaved' }]);
      assert.equal(report.undo, undefined);
      assert.match(editor.document.getText(), /^unsaved /);
    } finally {
      await clearWindow();
      put(work);
    }
  });

  test('a person merges in the editor what both have changed, and takes it back', async () => {
    const { sessionId, work } = await received();
    const isTracked = (name: string): boolean => git('ls-tree', 'HEAD', '--', name) !== '';
    const name = [...work.keys()].find((one) => isTracked(one) && work.get(one) !== undefined);
    assert.ok(name !== undefined);
    const staged = git('ls-files', '--stage');
    try {
      put(new Map([[name, 'written here\n']]));
      const before = contents([...work.keys()]);
      let isDone = false;
      const end = (): void => {
        isDone = true;
      };
      const going = call(Command.goOnHere, { sessionId });
      going.then(end, end);
      const marked = (): string =>
        vscode.window.visibleTextEditors
          .filter(({ document }) => document.uri.fsPath === path.join(workspace, name))
          .map(({ document }) => document.getText())
          .find((text) => text.includes('<<<<<<< here')) ?? '';
      // First to merge it, then to apply.
      await takeFirst('the file is open, with both versions', () => marked() !== '');
      assert.match(marked(), /<{7} here\nwritten here\n[^]*>{7} from the session/);
      assert.match(git('status', '--porcelain', '--', name), /^UU /, 'git does not call it done');
      await until('no agent was chosen', () => {
        if (!isDone) void run('workbench.action.closeQuickOpen');
        return isDone;
      });
      await run(Command.undoApply);
      assert.deepEqual(contents([...work.keys()]), before);
      assert.equal(git('ls-files', '--stage'), staged);
    } finally {
      await clearWindow();
      put(work);
    }
  });

  test('a person goes on: the changes, the editors, and an agent for the conversation', async function () {
    if (process.platform === 'win32') this.skip();
    const { sessionId, work } = await received();
    const said = path.join(hostRun.scratch, 'said-going-on');
    rmSync(said, { force: true });
    const removeProgram = installProgram(
      'claude',
      `printf '%s\\0' "$PWD" "$@" > '${said}.new'; mv '${said}.new' '${said}'; sleep 60`,
    );
    try {
      let refused: unknown;
      const going = call(Command.goOnHere, { sessionId }).then(undefined, (error: unknown) => {
        refused = error;
      });
      // Each step asks; the first choice goes on.
      await takeFirst('the agent has started', () => {
        assert.equal(refused, undefined);
        return existsSync(said);
      });
      await going;
      assert.deepEqual(contents([...work.keys()]), work, 'the changes are here');
      await until('so are the editors', () => tabsNow().includes('was-open'));
      const [folder, ...argv] = readFileSync(said, 'utf8').split('\0').slice(0, -1);
      assert.equal(folder, workspace);
      assert.equal(argv[0], '--resume');
      const active = (await call(Command.list, {})).find(({ status }) => status === 'active');
      assert.equal(active?.id, sessionId);
    } finally {
      removeProgram();
      put(work);
    }
  });
});
