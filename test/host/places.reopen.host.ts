import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { isUnsavedWorkspace } from '../../src/core/unsavedWorkspace.js';
import { Command, View } from '../../src/extension/ids.js';
import { hostRun, reopenWith } from './hostRun.js';
import { call, keepthread } from './keepthread.js';
import { hasPerson, rowsUntil } from './person.js';
import { run } from './windowState.js';

/*
 * One project in every kind of window that VS Code has for it, one after the other, on the same data.
 */

const at = (name: string): string => path.join(hostRun.scratch, '..', name);
const renamed = at('todo-renamed');
const worktree = at('todo-fix');
const library = at('library');
const team = at('team.code-workspace');

const git = (...args: readonly string[]): void => {
  execFileSync('git', ['-C', renamed, ...args], { stdio: 'ignore' });
};

const titles = async (): Promise<readonly string[]> => {
  await keepthread();
  const all = (await call(Command.list, {})).map(({ title }) => title);
  return all.filter((title) => title.startsWith('From ')).toSorted();
};

/** Begins a session in this window and saves the window into it. */
async function work(title: string): Promise<void> {
  await keepthread();
  await call(Command.newSession, { title });
  await call(Command.save, {});
}

/** The title of the session that this window goes on with. */
async function goesOnWith(): Promise<string | undefined> {
  const { sessionId } = await call(Command.save, {});
  return (await call(Command.list, {})).find(({ id }) => id === sessionId)?.title;
}

/** Whether the view lists a session, and from which folder it says that it is; `own`: from none. */
async function shows(title: string, from: string): Promise<void> {
  if (!hasPerson) return;
  const mark = / from [^·,]+/;
  await run(`${View.sessions}.focus`);
  await rowsUntil(`“${title}” is listed, ${from}`, (rows) => {
    const row = rows.find((each) => each.includes(title));
    return row !== undefined && (from === 'own' ? !mark.test(row) : row.includes(from));
  });
}

/** What is left in the view when a person wants this folder only. */
async function onlyHere(shown: readonly string[], hidden: readonly string[]): Promise<void> {
  if (!hasPerson) return;
  const lists = (rows: readonly string[], title: string): boolean =>
    rows.some((row) => row.includes(title));
  await run(`${View.sessions}.focus`);
  await run(Command.showThisFolder);
  await rowsUntil(
    `only those of this folder: ${shown.join(', ')}`,
    (rows) =>
      shown.every((title) => lists(rows, title)) && !hidden.some((title) => lists(rows, title)),
  );
  await run(Command.showWholeProject);
  await rowsUntil('all of the project again', (rows) =>
    [...shown, ...hidden].every((title) => lists(rows, title)),
  );
}

suite('phase 1: a folder with a session', () => {
  test('is saved', async () => {
    reopenWith({ rename: { from: hostRun.workspace, to: renamed }, workspace: renamed });
    await work('From the folder');
  });
});

suite('phase 2: the folder under another name', () => {
  test('has its session as its own, and goes on with it', async () => {
    assert.deepEqual(await titles(), ['From the folder']);
    await shows('From the folder', 'own');
    assert.equal(await goesOnWith(), 'From the folder');
  });

  test('gets a worktree', () => {
    reopenWith({ workspace: worktree });
    git('worktree', 'add', '-b', 'fix', worktree);
  });
});

suite('phase 3: a worktree', () => {
  test('has the session of the folder, marked with it', async () => {
    reopenWith({ workspace: renamed });
    assert.deepEqual(await titles(), ['From the folder']);
    await shows('From the folder', 'from todo-');
    await work('From the worktree');
    await shows('From the worktree', 'own');
    await onlyHere(['From the worktree'], ['From the folder']);
  });
});

suite('phase 4: the folder, whose worktree is removed', () => {
  test('has both sessions, the worktree’s marked with it', async () => {
    git('worktree', 'remove', '--force', worktree);
    await call(Command.refresh);
    assert.deepEqual(await titles(), ['From the folder', 'From the worktree']);
    assert.equal(await goesOnWith(), 'From the folder');
    await shows('From the folder', 'own');
    await shows('From the worktree', 'from todo-fix');
    await onlyHere(['From the folder'], ['From the worktree']);
  });

  test('becomes a workspace of two folders, which has no name yet', () => {
    mkdirSync(library);
    const person = { command: 'Workspaces: Add Folder to Workspace...', path: library };
    reopenWith({ workspace: renamed, person });
  });
});

suite('phase 5: a workspace without a name', () => {
  test('has the sessions of its folder as its own, and goes on with the last one', async function () {
    if (!hasPerson) return this.skip();
    assert.ok(isUnsavedWorkspace(vscode.workspace.workspaceFile?.toString() ?? ''));
    assert.equal(vscode.workspace.workspaceFolders?.length, 2);
    assert.deepEqual(await titles(), ['From the folder', 'From the worktree']);
    await shows('From the folder', 'own');
    await shows('From the worktree', 'from todo-fix');
    assert.equal(await goesOnWith(), 'From the folder');
  });

  test('has sessions of its own, and is saved under a name', async () => {
    reopenWith({ person: { command: 'Workspaces: Save Workspace As...', path: team } });
    await work('From the unnamed workspace');
    await shows('From the unnamed workspace', 'own');
  });
});

suite('phase 6: the workspace with a name', () => {
  test('has all of these sessions, and goes on with the last one', async function () {
    if (!hasPerson) return this.skip();
    assert.equal(vscode.workspace.workspaceFile?.fsPath, team);
    assert.deepEqual(await titles(), [
      'From the folder',
      'From the unnamed workspace',
      'From the worktree',
    ]);
    assert.equal(await goesOnWith(), 'From the unnamed workspace');
    await shows('From the folder', 'own');
    await shows('From the worktree', 'from todo-fix');
    await onlyHere(['From the folder'], ['From the worktree']);
  });

  test('has sessions of its own', async () => {
    reopenWith({ workspace: renamed });
    await work('From the workspace');
  });
});

suite('phase 7: the folder again', () => {
  test('has the sessions of its workspaces, marked with them', async () => {
    reopenWith({ workspace: '' });
    await keepthread();
    await shows('From the workspace', 'from team');
    await shows('From the unnamed workspace', 'from an unsaved workspace');
  });
});

suite('phase 8: a window without a folder', () => {
  test('has no session of any project, and can have its own', async () => {
    reopenWith({ workspace: '' });
    assert.equal(vscode.workspace.workspaceFolders, undefined);
    assert.deepEqual(await titles(), []);
    await work('From no folder');
    await shows('From no folder', 'own');
  });
});

suite('phase 9: a window without a folder, again', () => {
  test('has its session and goes on with it', async () => {
    assert.deepEqual(await titles(), ['From no folder']);
    assert.equal(await goesOnWith(), 'From no folder');
    await shows('From no folder', 'own');
  });
});
