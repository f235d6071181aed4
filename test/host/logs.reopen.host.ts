import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { Command } from '../../src/extension/ids.js';
import { ClaudeWriter } from '../agents/claudeRecords.js';
import { editorData } from './editorData.js';
import { hostRun } from './hostRun.js';
import { call, keepthread } from './keepthread.js';
import { run } from './windowState.js';

/** Words of a transcript, of which no eight letters in a row are to be found in a log. */
const prompt = 'qzvwkjxp murplefrost gwybndal hxqtfrep';
const answer = 'vjkqzwxb snorglewick tyzzfumb pwqkrald';
const secret = ['ghp_q7Rk2Xw9Lm4Tz8Vb3Nc6', 'Hd1Jf5Gs0PyaAbCd'].join('');
const canaries = [prompt, answer, secret];

const id = '5c0ffee0-0000-4000-8000-0000000c4a47';
const threadId = `claude-code:${id}`;
const inHome = (...parts: readonly string[]): string => {
  const file = path.join(hostRun.home, ...parts);
  mkdirSync(path.dirname(file), { recursive: true });
  return file;
};

/** Conversations that are whole, and files of agents that are broken in every way that a parser complains of. */
function writeStores(): readonly string[] {
  const claude = (name: string): string =>
    inHome('.claude', 'projects', encodeFolder(hostRun.workspace), name);
  const to = new ClaudeWriter({ sessionId: id, cwd: hostRun.workspace });
  to.user(`${prompt} ${secret}`);
  to.say('m1', answer);
  to.call('m2', 't1', 'Bash', { command: `echo ${answer}` });
  to.result('t1', `${prompt} ${secret}`);
  writeFileSync(claude(`${id}.jsonl`), to.text);
  const broken = [
    `${prompt}\n`,
    `{"type":"user","message":{"role":"user","content":"${prompt} ${secret}`,
    `{"type":${prompt}}\n`,
    `["${answer}", ${secret}]\n{"cwd": ${answer}}\n`,
  ];
  for (const [at, text] of broken.entries()) {
    const name = `00000000-0000-4000-8000-00000000000${at}`;
    writeFileSync(claude(`${name}.jsonl`), `${to.text}${text}${to.text}`);
    writeFileSync(claude(`1${name.slice(1)}.jsonl`), text);
    writeFileSync(inHome('.codex', 'sessions', '2026', '11', '30', `rollout-${name}.jsonl`), text);
    writeFileSync(inHome('.gemini', 'tmp', `${at}`, 'chats', `session-${name}.json`), text);
    writeFileSync(inHome('.gemini', 'projects.json'), text);
    writeFileSync(inHome('.qwen', 'projects', 'p', 'chats', `${name}.jsonl`), text);
    writeFileSync(inHome('.kimi', 'sessions', 'x', name, 'context.jsonl'), text);
    writeFileSync(inHome('.pi', 'agent', 'sessions', 'x', `${name}.jsonl`), text);
    writeFileSync(inHome('.continue', 'sessions', `${name}.json`), text);
    writeFileSync(inHome('.local', 'share', 'opencode', 'opencode.db'), text);
    writeFileSync(inHome('.local', 'share', 'goose', 'sessions', `${name}.jsonl`), text);
  }
  return broken;
}

/** Fails quietly: what is wrong is said to the person, and logged. */
const attempt = (command: string, ...args: unknown[]): Promise<unknown> =>
  Promise.resolve(run(command, ...args)).catch(() => undefined);

suite('phase 1: a window through which secrets and prompts go', () => {
  test('reads, searches, shares and fails', async () => {
    await keepthread();
    const broken = writeStores();
    await call(Command.refresh);
    const title = `${prompt} ${secret}`;
    await call(Command.newSession, { title, goal: answer, tags: ['gwybndal'] });
    const draft = await vscode.workspace.openTextDocument({ content: `${answer} ${secret}` });
    await vscode.window.showTextDocument(draft);
    const { sessionId } = await call(Command.save, { label: prompt });
    await call(Command.openThread, { threadId });
    await call(Command.copyThread, { threadId });
    assert.ok((await call(Command.search, { query: 'murplefrost' })).length > 0);
    await attempt(Command.search, { query: `after:soon ${answer}` });
    await call(Command.forget, { text: 'tyzzfumb', dryRun: true });
    await attempt(Command.forget, { text: 'qz' });
    await attempt(Command.continueIn, { threadId, agent: 'nobody' });
    await call(Command.load, { sessionId });

    // A page says what it expects; what goes wrong then is shown and logged.
    const expect = '0'.repeat(64);
    const file = path.join(hostRun.scratch, 'session.keepthread');
    await call(Command.exportSession, { sessionId, output: file });
    await call(Command.importSession, { file, expect });
    const whole = readFileSync(file);
    const [header = ''] = whole.toString('latin1').split('\n');
    const files = [
      ...broken,
      `{"format":"keepthread","version":${prompt}}\n`,
      `${header}\n${prompt} ${secret}`,
      whole.subarray(0, whole.length - 40),
    ];
    for (const bytes of files) {
      writeFileSync(file, bytes);
      await call(Command.importSession, { file, expect });
    }
    await call(Command.rebuild);
    await call(Command.forget, { threadId, dryRun: true });
    await call(Command.forget, { threadId });
    await attempt(Command.forget, { threadId: 'claude-code:nobody' });
    await call(Command.takeBackForgetting, { threadId });
  });
});

suite('phase 2: the logs of the window before', () => {
  const logs = readdirSync(editorData, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.split(path.sep).includes('logs'))
    .filter((name) => statSync(path.join(editorData, name)).isFile())
    .map((name) => ({ name, text: readFileSync(path.join(editorData, name), 'latin1') }));

  test('are there, and say what went wrong', () => {
    const own = logs.filter(({ name }) => name.endsWith('Keepthread.log'));
    const text = own.map((log) => log.text).join('\n');
    assert.match(text, /Opened project /);
    assert.match(text, /The session file is damaged/);
  });

  test('hold no secret, and nothing that was said', () => {
    const pieces = canaries.flatMap((canary) => canary.split(' ')).flatMap(piecesOf);
    for (const { name, text } of logs) {
      const found = pieces.filter((piece) => text.includes(piece));
      const lines = text.split('\n').filter((line) => found.some((piece) => line.includes(piece)));
      assert.deepEqual(lines, [], name);
    }
  });
});

/** Every eight characters in a row: parsers quote the beginning of what they could not read. */
const piecesOf = (word: string): readonly string[] =>
  Array.from({ length: word.length - 7 }, (_, at) => word.slice(at, at + 8));
