import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { Command } from '../../src/extension/ids.js';
import { ClaudeWriter } from '../agents/claudeRecords.js';
import { hostileTexts } from '../agents/hostileTexts.js';
import { hostRun } from './hostRun.js';
import { call } from './keepthread.js';
import { takeFirst } from './person.js';
import { clearWindow, inFront, until } from './windowState.js';

const id = '7e1a3c52-0000-4000-8000-00000000read'.replace('read', '0ead');
const threadId = `claude-code:${id}`;
const store = path.join(hostRun.home, '.claude', 'projects', encodeFolder(hostRun.workspace));
const transcript = path.join(store, `${id}.jsonl`);
const files = path.join(hostRun.workspace, 'reading-tests');
/** A red dot, 1 by 1. */
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const secret = `ghp_${'A1b2C3d4E5f6G7h8I9j0'.repeat(2).slice(0, 36)}`;
const hostile = [
  '# Not a heading',
  '[run](command:workbench.action.terminal.new) <a href="command:workbench.action.quit">x</a>',
  '![x](command:workbench.action.quit) <img src=x onerror=alert(1)> ```',
  `key ${secret}`,
].join('\n');

function write(): void {
  const common = { sessionId: id, cwd: hostRun.workspace };
  const to = new ClaudeWriter(common);
  to.user(hostile);
  const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
  to.call('m1', 't1', 'Read', { file_path: path.join(files, 'kept.ts'), offset: 2 });
  to.result('t1', [{ type: 'text', text: 'reading-tests/kept.ts:3: and gone/none.ts:1' }, image]);
  to.call('m2', 't2', 'Edit', {
    file_path: path.join(files, 'old.ts'),
    old_string: 'export const before = "a long line of its own";',
    new_string: 'export const after = "another long line of its own";',
  });
  const answer = to.result('t2');
  to.user('A prompt that was edited');
  to.say('m3', 'An answer to it');
  to.user('Then this', { parentUuid: answer });
  to.call('m4', 't3', 'Task', { description: 'Look around', prompt: 'Look into every file' });
  to.result('t3', 'Done.');
  to.call('m5', 't4', 'Read', { file_path: '/etc/hostname' });
  to.result('t4', 'name');
  const inner = new ClaudeWriter({ ...common, isSidechain: true, agentId: 'abc1' });
  inner.user('Look into every file');
  inner.say('s1', 'Nothing found');
  mkdirSync(path.join(store, id, 'subagents'), { recursive: true });
  writeFileSync(path.join(store, id, 'subagents', 'agent-abc1.jsonl'), inner.text);
  writeFileSync(transcript, to.text);
  mkdirSync(path.join(files, 'moved'), { recursive: true });
  writeFileSync(path.join(files, 'kept.ts'), 'one\ntwo\nthree\n');
  writeFileSync(
    path.join(files, 'moved', 'renamed.ts'),
    'export const after = "another long line of its own";\n',
  );
}

suite('reading a conversation', () => {
  suiteSetup(async () => {
    await clearWindow();
    write();
    await call(Command.refresh);
  });
  suiteTeardown(async () => {
    await clearWindow();
    rmSync(files, { recursive: true });
    rmSync(transcript);
    rmSync(path.join(store, id), { recursive: true });
  });

  test('the outline has prompts, and below them the tools that were called', async () => {
    const { document } = await openThread();
    const symbols = await ask<vscode.DocumentSymbol[]>(
      'vscode.executeDocumentSymbolProvider',
      document.uri,
    );
    const shown = symbols.map(({ name, children }) => [name, ...children.map((each) => each.name)]);
    assert.deepEqual(shown, [
      [
        '# Not a heading [run](command:workbench.action.terminal.new) <a href="command:wo…',
        'Read',
        'Edit',
      ],
      ['Then this', 'Task', 'Read'],
    ]);
  });

  test('links lead to files that are there, moved ones too, and to nothing outside', async () => {
    const { document } = await openThread();
    const links = await linksOf(document);
    const relative = (uri: vscode.Uri) =>
      `${path.relative(files, uri.fsPath)}${uri.fragment === '' ? '' : `#${uri.fragment}`}`;
    const found = links.filter(({ uri }) => uri.scheme === 'file');
    assert.deepEqual(
      found.map(({ text, uri }) => `${path.basename(text)} ${relative(uri)}`).sort(),
      ['kept.ts:2 kept.ts#L2', 'kept.ts:3 kept.ts#L3', 'old.ts moved/renamed.ts'],
    );
  });

  test('no link of the document runs a command of the transcript', async () => {
    const { document } = await openThread();
    assert.match(document.getText(), /command\\:workbench.action.quit/);
    const commands = (await linksOf(document)).filter(({ uri }) => uri.scheme === 'command');
    const ids = commands.map(({ uri }) => uri.path);
    assert.deepEqual(new Set(ids), new Set([Command.openImage, Command.openThread]));
  });

  test('sixty kinds of hostile text make no link to a command, and no entry in the outline', async () => {
    const to = new ClaudeWriter({ sessionId: id, cwd: hostRun.workspace });
    for (const [kind, text] of Object.entries(hostileTexts)) {
      const short = text.slice(0, 20_000);
      to.user(`${kind}\n\n${short}`);
      to.say(`m ${kind}`, `${kind}\n\n${short}`);
      to.call(`m ${kind}`, `t ${kind}`, 'Bash', { command: short });
      to.result(`t ${kind}`, short);
    }
    const hostileId = id.replace('7e1a', '7e1b');
    const file = path.join(store, `${hostileId}.jsonl`);
    writeFileSync(file, to.text.replaceAll(id, hostileId));
    await call(Command.refresh);
    await call(Command.openThread, { threadId: `claude-code:${hostileId}` });
    const prompts: string[] = [];
    for (;;) {
      const { document } = await inFront('keepthread-thread');
      const uris = (await linksOf(document)).map(({ uri }) => uri);
      const own = ['http', 'https', 'mailto', 'file', 'keepthread-thread'];
      assert.deepEqual(uris.filter(({ scheme }) => !own.includes(scheme)).map(String), []);
      const symbols = await ask<vscode.DocumentSymbol[]>(
        'vscode.executeDocumentSymbolProvider',
        document.uri,
      );
      prompts.push(...symbols.map(({ name }) => name));
      const before = document.uri.toString();
      const [next] = (await linksOf(document)).filter(({ text }) => text.startsWith('page '));
      const isLast = !document.getText().includes(' follows.');
      if (isLast || next === undefined) break;
      const last = (await linksOf(document)).findLast(({ text }) => text.startsWith('page '));
      await ask('vscode.open', last?.uri);
      await until('the next page is shown', () => front()?.document.uri.toString() !== before);
    }
    const kinds = Object.keys(hostileTexts);
    for (const kind of kinds) {
      assert.ok(
        prompts.some((name) => name.startsWith(kind)),
        kind,
      );
    }
    rmSync(file);
  });

  test('what was edited opens in the editor for comparisons', async () => {
    const { document } = await openThread();
    const lenses = await ask<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
    const [lens] = lenses.filter(({ command }) => command?.command === Command.openChanges);
    assert.ok(lens);
    assert.match(document.lineAt(lens.range.start).text, /^\*\*Edit\*\*/);
    const args: readonly unknown[] = lens.command?.arguments ?? [];
    await ask(Command.openChanges, ...args);
    const input = await tabInFront(vscode.TabInputTextDiff);
    const text = async (uri: vscode.Uri) =>
      (await vscode.workspace.openTextDocument(uri)).getText();
    assert.equal(await text(input.original), 'export const before = "a long line of its own";');
    assert.equal(
      await text(input.modified),
      'export const after = "another long line of its own";',
    );
  });

  test('an image opens in the editor for images, and nobody can write it', async () => {
    const { document } = await openThread();
    const [link] = (await linksOf(document)).filter(({ uri }) => uri.path === Command.openImage);
    assert.ok(link);
    assert.match(link.text, /^Image \(image\/png, \d+ B\)$/);
    await follow(link.uri);
    const input = await tabInFront(vscode.TabInputCustom);
    assert.equal(input.viewType, 'imagePreview.previewEditor');
    const bytes = await vscode.workspace.fs.readFile(input.uri);
    assert.deepEqual(Buffer.from(bytes), Buffer.from(png, 'base64'));
    assert.equal(vscode.workspace.fs.isWritableFileSystem(input.uri.scheme), false);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(input.uri, Buffer.from('x')));
  });

  test('a hover over an image shows it', async () => {
    const { document } = await openThread();
    const line = document
      .getText()
      .split('\n')
      .findIndex((text) => text.startsWith('Image ('));
    const [hover] = await ask<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      new vscode.Position(line, 2),
    );
    const [content] = hover?.contents ?? [];
    assert.ok(content instanceof vscode.MarkdownString && content.value.includes(png));
  });

  test('a call leads to the conversation of the subagent that it started', async () => {
    const { document } = await openThread();
    const [link] = (await linksOf(document)).filter(({ uri }) => uri.path === Command.openThread);
    assert.ok(link);
    assert.match(link.text, /^\*\*Task\*\* `Look around`$/);
    await follow(link.uri);
    await until('it is shown', () =>
      /> Look into every file\n[^]*Nothing found/.test(front()?.document.getText() ?? ''),
    );
  });

  test('next and previous prompt go from prompt to prompt', async () => {
    const editor = await openThread();
    const here = () => editor.document.lineAt(editor.selection.active.line).text;
    editor.selection = new vscode.Selection(0, 0, 0, 0);
    await call(Command.nextPrompt);
    await until('the cursor is there', () => /^## 1 · You/.test(here()));
    await call(Command.nextPrompt);
    await until('the cursor is there', () => /^## 2 · You/.test(here()));
    await call(Command.nextPrompt);
    await until('the cursor is there', () => /^## 2 · You/.test(here()));
    await call(Command.previousPrompt);
    await until('the cursor is there', () => /^## 1 · You/.test(here()));
  });

  test('what is copied has no secret in it', async () => {
    await openThread();
    await call(Command.copyThread, { threadId });
    const copied = await vscode.env.clipboard.readText();
    assert.ok(copied.includes('Then this') && copied.includes('[REDACTED:'));
    assert.ok(!copied.includes(secret));
    const editor = await inFront('keepthread-thread');
    const line = editor.document.getText().split('\n').indexOf('> Then this');
    editor.selection = new vscode.Selection(line, 0, line, 0);
    await call(Command.copyTurn);
    assert.match(await vscode.env.clipboard.readText(), /^## 2 · You · .+\n\n> Then this\n$/);
  });

  test('a branch that was left is a document of its own', async () => {
    const { document } = await openThread();
    assert.ok(!document.getText().includes('A prompt that was edited'));
    const choosing = ask(Command.openBranch, { threadId });
    await takeFirst(
      'the branch is chosen',
      () => front()?.document.uri.toString() !== document.uri.toString(),
    );
    await choosing;
    const text = (await inFront('keepthread-thread')).document.getText();
    assert.match(text, /> A prompt that was edited\n[^]*An answer to it/);
    assert.match(text, /- This branch was left/);
  });
});

const ask = <T>(command: string, ...args: unknown[]): Thenable<T> =>
  vscode.commands.executeCommand<T>(command, ...args);

const front = (): vscode.TextEditor | undefined => vscode.window.activeTextEditor;

async function openThread(): Promise<vscode.TextEditor> {
  await call(Command.openThread, { threadId });
  return inFront('keepthread-thread');
}

/** What the tab in front shows, once it is of a kind. */
async function tabInFront<T>(kind: new (...args: never[]) => T): Promise<T> {
  const input = (): unknown => vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  await until(`a ${kind.name} is in front`, () => input() instanceof kind);
  const found = input();
  assert.ok(found instanceof kind);
  return found;
}

async function linksOf(document: vscode.TextDocument) {
  const links = await ask<vscode.DocumentLink[]>('vscode.executeLinkProvider', document.uri, 1000);
  return links.flatMap(({ range, target }) =>
    target === undefined ? [] : [{ text: document.getText(range), uri: target }],
  );
}

/** As the editor opens a link: a command with its arguments. */
async function follow(uri: vscode.Uri): Promise<void> {
  const args: unknown = JSON.parse(decodeURIComponent(uri.query));
  assert.ok(Array.isArray(args));
  await ask(uri.path, ...(args as unknown[]));
}
