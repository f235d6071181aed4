import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Command } from '../../src/extension/ids.js';
import { claudeThread, installProgram } from './agents.js';
import { hostRun } from './hostRun.js';
import { call, keepthread } from './keepthread.js';
import {
  clearWindow,
  inFront,
  open,
  removeFiles,
  run,
  tabsAre,
  tabsNow,
  until,
} from './windowState.js';

suite('commands', () => {
  setup(clearWindow);
  suiteTeardown(async () => {
    await clearWindow();
    removeFiles();
  });

  test('everything that the palette offers is there', async () => {
    await keepthread();
    const registered = await vscode.commands.getCommands(true);
    assert.deepEqual(
      Object.values(Command).filter((command) => !registered.includes(command)),
      [],
    );
  });

  test('what was saved is listed, and loading it brings the tabs back', async () => {
    for (const name of ['a', 'b']) await open(name);
    const before = tabsNow();
    const saved = await call(Command.save, { label: 'two tabs' });
    const [session] = (await call(Command.list, {})).filter(({ id }) => id === saved.sessionId);
    assert.equal(session?.last?.id, saved.snapshotId);
    assert.equal(session.last.label, 'two tabs');

    await clearWindow();
    await open('x');
    const report = await call(Command.load, saved);
    await tabsAre(before);
    assert.equal(report.snapshotId, saved.snapshotId);

    await call(Command.undoRestore);
    await tabsAre('x*');
  });

  test('loading a session alone takes its newest snapshot', async () => {
    await open('older');
    await call(Command.save, {});
    await open('newer');
    const newest = await call(Command.save, {});
    await clearWindow();
    const report = await call(Command.load, { sessionId: newest.sessionId, apply: 'editors' });
    assert.equal(report.snapshotId, newest.snapshotId);
    await tabsAre('older newer*');
  });

  test('the list answers at once while it is shown', async () => {
    const { sessionId } = await call(Command.save, {});
    const rows = await call(Command.list);
    await run('workbench.action.closeQuickOpen');
    assert.ok(rows.some(({ id }) => id === sessionId));
  });

  test('a session takes a title, a goal and tags, ends, and begins again', async () => {
    const { id: sessionId } = await call(Command.newSession, { title: 'First' });
    await call(Command.rename, { sessionId, title: 'Second' });
    await call(Command.setGoal, { sessionId, goal: 'All tests pass' });
    await call(Command.tag, { sessionId, tags: ['a', 'b'] });
    const finished = await call(Command.finish, { sessionId });
    const { title, goal, tags, status } = finished;
    assert.deepEqual(
      { title, goal, tags, status },
      { title: 'Second', goal: 'All tests pass', tags: ['a', 'b'], status: 'finished' },
    );
    assert.equal((await call(Command.reopen, { sessionId })).status, 'paused');
  });

  test('a new session pauses the one before', async () => {
    const { sessionId } = await call(Command.save, {});
    const { id } = await call(Command.newSession, { title: 'Next' });
    const rows = await (await keepthread()).list();
    const statusOf = (wanted: string) => rows.find((row) => row.id === wanted)?.status;
    assert.deepEqual([statusOf(sessionId), statusOf(id)], ['paused', 'active']);
  });

  test('loading another session goes on with it', async () => {
    await open('a');
    const first = await call(Command.save, {});
    await call(Command.newSession, { title: 'In between' });
    await call(Command.load, first);
    assert.equal((await call(Command.save, {})).sessionId, first.sessionId);
  });

  test('a deleted session is not listed any more, and the next save begins another', async () => {
    const { id: sessionId } = await call(Command.newSession, { title: 'To be deleted' });
    await call(Command.deleteSession, { sessionId });
    const rows = await call(Command.list, {});
    assert.ok(!rows.some(({ id }) => id === sessionId));
    assert.notEqual((await call(Command.save, {})).sessionId, sessionId);
  });

  test('what is wrong with a call is said to the caller', async () => {
    const api = await keepthread();
    const expects = (reason: string, made: PromiseLike<unknown>) =>
      assert.rejects(Promise.resolve(made), { isExpected: true, reason });
    await expects('snapshotMissing', api.load({ sessionId: 'none' }));
    const { sessionId } = await call(Command.save, {});
    await expects('snapshotMissing', api.load({ sessionId, snapshotId: 'none' }));
    // A command's errors arrive without their reason: VS Code keeps the words only.
    const wrong = vscode.commands.executeCommand(Command.load, { sessionId: 1 });
    await assert.rejects(Promise.resolve(wrong), /not arguments of this command/);
  });

  test('other extensions hear of every save', async () => {
    const api = await keepthread();
    const heard: string[] = [];
    const listener = api.onDidSave(({ snapshotId }) => heard.push(snapshotId));
    const { snapshotId } = await api.save({ label: 'heard' });
    listener.dispose();
    assert.deepEqual(heard, [snapshotId]);
  });

  test('a conversation opens as a document to read', async () => {
    const thread = await claudeThread();
    await call(Command.openThread, { threadId: thread });
    const { document } = await inFront('keepthread-thread');
    assert.match(document.getText(), /due/);
  });

  test('a conversation goes on in a terminal, in its folder, with the agent’s own argv', async function () {
    if (process.platform === 'win32') this.skip();
    const said = path.join(hostRun.scratch, 'said');
    const removeProgram = installProgram(
      'claude',
      `printf '%s\\n' "$PWD" "$@" > '${said}'; sleep 60`,
    );
    const threadId = await claudeThread();
    await call(Command.continueThread, { threadId });
    await until(
      'the program has started',
      () => existsSync(said) && readFileSync(said, 'utf8') !== '',
    );
    const nativeId = threadId.slice('claude-code:'.length);
    assert.equal(readFileSync(said, 'utf8'), `${hostRun.workspace}\n--resume\n${nativeId}\n`);

    const before = vscode.window.terminals.length;
    await call(Command.continueThread, { threadId });
    assert.equal(vscode.window.terminals.length, before, 'one terminal a conversation');
    removeProgram();
  });

  test('a chat of VS Code opens again, and comes back from our copy when VS Code has lost it', async () => {
    const { file, threadId } = await chatThread('keep the thread');
    await run('workbench.action.chat.newChat');
    await call(Command.continueThread, { threadId });
    await until('the chat is open', () => tabsNow().includes('keep the thread'));
    await clearWindow();

    await lose(file);
    await call(Command.continueThread, { threadId });
    // No empty chat in the place of the lost one.
    await tabsAre('');
    const exported = path.join(hostRun.scratch, 'chat.json');
    await run('workbench.action.chat.export', vscode.Uri.file(exported));
    assert.match(readFileSync(exported, 'utf8'), /You said: keep the thread/);
  });
});

/** A chat that a participant has answered, as VS Code keeps it. */
async function chatThread(prompt: string): Promise<{ file: string; threadId: string }> {
  const storage = path.join(path.dirname(hostRun.scratch), 'editor');
  const chats = (): string[] =>
    readdirSync(storage, { recursive: true, encoding: 'utf8' })
      .filter((name) => /chatSessions.*\.jsonl$/.test(name))
      .map((name) => path.join(storage, name))
      .filter((name) => readFileSync(name, 'utf8').includes(`You said: ${prompt}`));
  // VS Code lets a participant answer only where there is a model.
  const modelSelector = { vendor: 'keepthread-tests', id: 'echo' };
  const query = `@echo ${prompt}`;
  await run('workbench.action.chat.open', { query, modelSelector, blockOnResponse: true });
  await until('the chat is written', () => chats().length > 0);
  const [file] = chats();
  assert.ok(file);
  await call(Command.refresh);
  return { file, threadId: `vscode-chat:${path.basename(file, '.jsonl')}` };
}

/** Removes a file that VS Code may still be about to write, such as a chat that was closed just now. */
async function lose(file: string): Promise<void> {
  let goneSince = Date.now();
  await until('the file stays away', () => {
    if (existsSync(file)) goneSince = Date.now();
    rmSync(file, { force: true });
    return Date.now() - goneSince > 5_000;
  });
}
