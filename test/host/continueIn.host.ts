import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Command } from '../../src/extension/ids.js';
import { claudeThread, installProgram } from './agents.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';
import { clearWindow, run, until } from './windowState.js';

suite('going on in another agent', () => {
  setup(clearWindow);
  suiteTeardown(clearWindow);

  /** Calls the command as another extension does, with a program that notes what it was started with. */
  const continueIn = async (agent: string, program: string, only?: 'brief') => {
    const said = path.join(hostRun.scratch, `said-${agent}`);
    rmSync(said, { force: true });
    const removeProgram = installProgram(
      program,
      `printf '%s\\0' "$PWD" "$@" > '${said}.new'; mv '${said}.new' '${said}'; sleep 60`,
    );
    const threadId = await claudeThread();
    const result = await call(Command.continueIn, { threadId, agent, only });
    await until('the agent has started', () => existsSync(said));
    removeProgram();
    const [folder, ...argv] = readFileSync(said, 'utf8').split('\0').slice(0, -1);
    assert.ok(result);
    return { threadId, result, folder, argv };
  };

  test('writes the conversation there, starts the agent, and belongs to the same session', async function () {
    if (process.platform === 'win32') this.skip();
    const { threadId, result, folder, argv } = await continueIn('codex', 'codex');
    const { sessionId, files } = result;
    assert.deepEqual([folder, ...argv], [hostRun.workspace, 'resume', sessionId]);
    assert.equal(files.length, 1);
    assert.match(readFileSync(files[0]?.path ?? '', 'utf8'), /GET \/todos\?due=overdue/);

    await call(Command.refresh);
    const { sessionId: session } = await call(Command.save, {});
    const found = (await call(Command.list, {})).find(({ id }) => id === session);
    for (const agent of ['claude-code', 'codex']) assert.ok(found?.agents.includes(agent), agent);
    assert.notEqual(`codex:${sessionId}`, threadId);
  });

  test('begins with a brief where only that is wanted', async function () {
    if (process.platform === 'win32') this.skip();
    const { result, argv } = await continueIn('gemini-cli', 'gemini', 'brief');
    assert.equal(result.sessionId, null);
    assert.deepEqual(result.files, []);
    assert.deepEqual(argv, ['--prompt-interactive', result.prompt]);
    assert.match(result.prompt ?? '', /Describe \?due= in the README/);
  });

  test('opens a chat of VS Code with what was said', async () => {
    const threadId = await claudeThread();
    await call(Command.continueIn, { threadId, agent: 'vscode-chat' });
    const exported = path.join(hostRun.scratch, 'continued-chat.json');
    await run('workbench.action.chat.export', vscode.Uri.file(exported));
    assert.match(readFileSync(exported, 'utf8'), /GET \/todos\?due=overdue/);
  });

  test('says what is wrong, and writes nothing', async () => {
    const threadId = await claudeThread();
    const before = readdirSync(hostRun.home, { recursive: true }).length;
    const wrong = vscode.commands.executeCommand(Command.continueIn, { threadId, agent: 'nobody' });
    await assert.rejects(Promise.resolve(wrong), /cannot be continued in nobody/);
    assert.equal(readdirSync(hostRun.home, { recursive: true }).length, before);
  });
});
