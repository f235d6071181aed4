import assert from 'node:assert/strict';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import { createEngine } from '../../src/library/engine.js';
import { Command } from '../../src/extension/ids.js';
import { storeFolder } from './editorData.js';
import { hostRun } from './hostRun.js';
import { call, keepthread } from './keepthread.js';

/** As a window of the same VS Code on another folder: its session, and the key of its project. */
async function workElsewhere(folder: string, title: string): Promise<string> {
  const extension = vscode.extensions.getExtension('keepthread.keepthread');
  assert.ok(extension);
  const none = (): void => undefined;
  const engine = createEngine({
    wasm: path.join(extension.extensionPath, 'dist', 'sql-wasm.wasm'),
    events: { changed: none, turnEnded: none, activity: none, problem: none },
  });
  await (await keepthread()).save({ label: 'here' });
  const uri = pathToFileURL(folder).href;
  const { projectKey } = await engine.open({
    store: storeFolder(),
    folders: [{ name: path.basename(folder), uri }],
    workspace: uri,
    trusted: true,
    chatStores: [],
    settings: { maxFileBytes: 1e6, maxFiles: 100, redact: true, agentHomes: {}, pollMs: 0 },
  });
  await engine.createSession({ title, status: 'active' });
  await engine.close();
  return projectKey;
}

const titles = async (): Promise<readonly string[]> =>
  (await call(Command.list, {})).map(({ title }) => title);

suite('a folder of this machine and its sessions', () => {
  const other = path.join(hostRun.scratch, 'another-disk');
  suiteSetup(() => mkdirSync(other, { recursive: true }));
  suiteTeardown(() => rmSync(other, { recursive: true }));

  test('are attached to this one, saved to, and given back', async () => {
    const key = await workElsewhere(other, 'From another disk');
    const before = await titles();
    assert.ok(!before.includes('From another disk'));

    const attached = await call(Command.attachSessions, { projectKey: key });
    assert.equal(attached.projectKey, key);
    assert.deepEqual(await titles(), ['From another disk']);
    const { sessionId } = await call(Command.save, { label: 'after' });
    const session = (await call(Command.list, {})).find(({ id }) => id === sessionId);
    assert.equal(session?.last?.label, 'after');

    const detached = await call(Command.detach, {});
    assert.equal(detached.before, key);
    assert.deepEqual(await titles(), before);
    await assert.rejects(async () => call(Command.detach, {}), /not attached/);
  });

  test('are archived and brought back; a call without a session that exists says so', async () => {
    const { id } = await call(Command.newSession, { title: 'To put away' });
    await call(Command.newSession, { title: 'Another' });
    assert.equal((await call(Command.archive, { sessionId: id })).archived, true);
    assert.equal((await call(Command.unarchive, { sessionId: id })).archived, undefined);
    await assert.rejects(async () => call(Command.archive, { sessionId: 'none' }), /no session/);
  });
});
