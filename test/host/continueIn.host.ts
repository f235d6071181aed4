import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { splitState } from '../../src/agents/splitState.js';
import { ChatParser } from '../../src/agents/vscode-chat/parser.js';
import type { Turn } from '../../src/core/model/thread.js';
import { Command } from '../../src/extension/ids.js';
import { claudeThread, installProgram } from './agents.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';
import { clearWindow, run, until } from './windowState.js';

/** What the chat of this window holds, in the form that VS Code exports. */
async function exportChat(): Promise<string> {
  const file = path.join(hostRun.scratch, 'exported.json');
  await run('workbench.action.chat.export', vscode.Uri.file(file));
  return readFileSync(file, 'utf8');
}

function readChat(chat: string): readonly Turn[] {
  const parser = new ChatParser('', { images: true });
  for (const record of splitState(Buffer.from(chat), 'requests')) parser.push(record);
  return parser.thread().turns;
}

/** Who answered, in the form that VS Code keeps: an agent is told of what it answered itself. */
const historian = {
  extensionId: { value: 'keepthread-tests.chat-helper', _lower: 'keepthread-tests.chat-helper' },
  extensionVersion: '0.0.0',
  extensionPublisherId: 'keepthread-tests',
  extensionDisplayName: 'chat-helper',
  id: 'keepthread-tests.history',
  name: 'history',
  description: '',
  metadata: {},
  locations: ['panel'],
  modes: ['agent', 'ask', 'edit'],
  slashCommands: [],
  disambiguation: [],
};

/** Takes a chat in as one that an agent of ours had, and asks that agent what VS Code tells it of the turns before. */
async function askHistory(chat: string): Promise<string> {
  const all = JSON.parse(chat) as { readonly requests: readonly object[] };
  const requests = all.requests.map((request) => ({ ...request, agent: historian }));
  const file = path.join(hostRun.scratch, 'history.json');
  writeFileSync(file, JSON.stringify({ ...all, requests }));
  const target = 'chatViewPane';
  await run('workbench.action.chat.import', { inputPath: vscode.Uri.file(file), target });
  const query = '@history what do you know?';
  const modelSelector = { vendor: 'keepthread-tests', id: 'echo' };
  await run('workbench.action.chat.open', { query, modelSelector, blockOnResponse: true });
  const parts = readChat(await exportChat()).at(-1)?.parts ?? [];
  return parts.map((part) => ('text' in part ? part.text : '')).join('');
}

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

  test('is undone when the agent has ended: what was written for it goes', async function () {
    if (process.platform === 'win32') this.skip();
    const { result } = await continueIn('codex', 'codex');
    const written = result.files.map((file) => file.path);
    assert.equal(written.filter((file) => existsSync(file)).length, 1);
    await call(Command.refresh);
    for (const terminal of vscode.window.terminals) terminal.dispose();
    const undo = () =>
      call(Command.undoContinue, { threadId: `codex:${result.sessionId}` }).then(
        () => true,
        () => false,
      );
    await until('the agent has ended, and it is undone', undo);
    assert.deepEqual(
      written.filter((file) => existsSync(file)),
      [],
    );
  });

  test('begins with a brief where only that is wanted', async function () {
    if (process.platform === 'win32') this.skip();
    const { result, argv } = await continueIn('gemini-cli', 'gemini', 'brief');
    assert.equal(result.sessionId, null);
    assert.deepEqual(result.files, []);
    assert.deepEqual(argv, ['--prompt-interactive', result.prompt]);
    assert.match(result.prompt ?? '', /Describe \?due= in the README/);
  });

  test('opens a chat of VS Code that holds prompts, answers, calls and results, and tells its agent of them', async () => {
    const threadId = await claudeThread();
    const continued = await call(Command.continueIn, { threadId, agent: 'vscode-chat' });
    const { chat = '' } = continued ?? assert.fail();
    const given = readChat(chat);
    const calls = given.flatMap(({ parts }) => parts.filter(({ kind }) => kind === 'toolCall'));
    assert.ok(given.length > 2 && calls.length > 0);
    assert.match(chat, /GET \/todos\?due=overdue/);
    assert.deepEqual(readChat(await exportChat()), given);
    assert.deepEqual(
      readdirSync(hostRun.scratch).filter((name) => name.startsWith('chat-')),
      [],
    );

    const answer = await askHistory(chat);
    for (const part of given.flatMap((turn) => turn.parts)) {
      const words = part.kind === 'toolCall' ? [part.id, part.name] : [];
      for (const word of words) assert.ok(answer.includes(JSON.stringify(word)), answer);
    }
  });

  test('says what is wrong, and writes nothing', async () => {
    const threadId = await claudeThread();
    const before = readdirSync(hostRun.home, { recursive: true }).length;
    const wrong = vscode.commands.executeCommand(Command.continueIn, { threadId, agent: 'nobody' });
    await assert.rejects(Promise.resolve(wrong), /cannot be continued in nobody/);
    assert.equal(readdirSync(hostRun.home, { recursive: true }).length, before);
  });
});
