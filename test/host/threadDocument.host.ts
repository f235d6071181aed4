import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { Command } from '../../src/extension/ids.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';
import { clearWindow, inFront, until } from './windowState.js';

suite('a conversation as a document', () => {
  suiteSetup(clearWindow);
  suiteTeardown(clearWindow);

  test('tool calls are folded when it opens, and stay unfolded once a person has unfolded them', async () => {
    const editor = await openThread();
    const { document } = editor;
    assert.equal(document.languageId, 'keepthread-conversation');
    assert.match(document.getText(), /^# .+\n\n- Agent: Claude Code\n/);
    const calls = document.getText().match(/^\*\*(Bash|Read|Edit|Write)\*\*/gm) ?? [];
    assert.ok(calls.length > 3);
    await until('tool calls are folded', () => editor.visibleRanges.length > 1);
    for (const { end } of editor.visibleRanges.slice(0, -1)) {
      assert.match(document.lineAt(end).text, /^\*\*|^\*Thinking\*/);
    }

    await vscode.commands.executeCommand('editor.unfoldAll');
    await until('everything is unfolded', () => editor.visibleRanges.length === 1);
    await openThread();
    assert.equal(vscode.window.activeTextEditor?.visibleRanges.length, 1);

    await clearWindow();
    const again = await openThread();
    await until('they are folded again in a new tab', () => again.visibleRanges.length > 1);
    assert.equal(
      vscode.window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .filter(({ input }) => input instanceof vscode.TabInputText).length,
      1,
    );
  });

  test('it cannot be typed into', async () => {
    const { document } = await openThread();
    const before = document.getText();
    await vscode.commands.executeCommand('type', { text: 'x' });
    assert.equal(document.getText(), before);
  });

  test('it grows with the conversation', async () => {
    const { document } = await openThread();
    const prompt = 'And one more thing about the due dates';
    assert.ok(!document.getText().includes(prompt));
    const file = transcript();
    const sessionId = path.basename(file, '.jsonl');
    const uuids = readFileSync(file, 'utf8').match(/"uuid":"[^"]+"/g) ?? [];
    const record = {
      type: 'user',
      uuid: 'aaaaaaaa-0000-4000-8000-00000000beef',
      parentUuid: uuids.at(-1)?.slice('"uuid":"'.length, -1),
      sessionId,
      cwd: hostRun.workspace,
      timestamp: '2026-11-30T10:00:00.000Z',
      message: { role: 'user', content: prompt },
    };
    appendFileSync(file, `${JSON.stringify(record)}\n`);
    await call(Command.refresh);
    await until('the new prompt is shown', () => document.getText().includes(`> ${prompt}`));
  });
});

const transcript = (): string => {
  const store = path.join(hostRun.home, '.claude', 'projects');
  const [file] = readdirSync(store, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.jsonl'),
  );
  assert.ok(file);
  return path.join(store, file);
};

async function openThread(): Promise<vscode.TextEditor> {
  await call(Command.refresh);
  await call(Command.openThread, {
    threadId: `claude-code:${path.basename(transcript(), '.jsonl')}`,
  });
  return inFront('keepthread-thread');
}
