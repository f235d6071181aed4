import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { jsonBytes } from '../../src/core/jsonBytes.js';
import type { SessionEvent } from '../../src/core/model/session.js';
import { Command, Setting, View } from '../../src/extension/ids.js';
import { offerArchive } from '../../src/extension/offerArchive.js';
import { warnOfDamage, warnOfQuota } from '../../src/extension/warnings.js';
import { FrameType } from '../../src/vault/types.js';
import { openVault } from '../../src/vault/vault.js';
import { storeFolder } from './editorData.js';
import { hostRun, reopenWith } from './hostRun.js';
import { call, keepthread } from './keepthread.js';
import { hasPerson, messagesUntil, press, rowsUntil, takeFirst } from './person.js';
import { clearWindow, run, tabsNow, until } from './windowState.js';

const day = 24 * 60 * 60 * 1000;

const set = (setting: string, value: unknown): Thenable<void> =>
  vscode.workspace.getConfiguration().update(setting, value, vscode.ConfigurationTarget.Global);

const find = async (title: string) =>
  (await call(Command.list, {})).find((session) => session.title === title);

const untilListed = (title: string, isSo: (archived: boolean | undefined) => boolean) =>
  until(`“${title}” is listed`, async () => {
    const session = await find(title);
    return session !== undefined && isSo(session.archived);
  });

/** The folder of the only project of this suite. */
function projectFolder(): string {
  const projects = path.join(storeFolder(), 'projects');
  const [key] = readdirSync(projects);
  assert.ok(key);
  return path.join(projects, key);
}

/** Changes a byte of what was written first of a session, as a failing disk does. */
async function damage(title: string): Promise<void> {
  const folder = projectFolder();
  const vault = await openVault({ folder });
  for await (const news of vault.poll()) {
    if (!('frame' in news) || news.frame.type !== FrameType.session) continue;
    const { pack, end, payload } = news.frame;
    if (!Buffer.from(payload).includes(title)) continue;
    const handle = openSync(path.join(folder, 'packs', pack), 'r+');
    const last = Buffer.alloc(1);
    readSync(handle, last, 0, 1, end - 1);
    writeSync(handle, Buffer.from([(last[0] ?? 0) ^ 1]), 0, 1, end - 1);
    closeSync(handle);
    return;
  }
  assert.fail('the session is in no pack');
}

/** A session as another window would have finished it a hundred days ago. */
async function addOldSession(title: string): Promise<void> {
  const vault = await openVault({ folder: projectFolder() });
  const sessionId = randomUUID();
  const event: SessionEvent = {
    schemaVersion: 1,
    sessionId,
    at: Date.now() - 100 * day,
    workspace: vscode.Uri.file(hostRun.workspace).toString(),
    set: { title, status: 'finished' },
  };
  await vault.append([{ type: FrameType.session, sessionId, payload: jsonBytes(event) }]);
  await vault.close();
}

suite('phase 1: what a person is warned of', () => {
  setup(async function () {
    if (!hasPerson) this.skip();
    await keepthread();
  });
  suiteTeardown(clearWindow);

  test('a vault near its quota, with a button that shows what would go', async () => {
    await set(Setting.restoreOnOpen, 'never');
    await call(Command.newSession, { title: 'Will be damaged' });
    await call(Command.save, {});
    await set(Setting.quotaMegabytes, 0.001);
    // The engine opens anew with it.
    assert.ok(await find('Will be damaged'));
    await press('See what would go');
    await until('the page is open', () => tabsNow().includes('What would go'));
    await set(Setting.quotaMegabytes, undefined);
    assert.ok(await find('Will be damaged'), 'nothing is removed for a quota');
  });

  test('and with one that shows what is stored', async () => {
    void warnOfQuota();
    await press('Show what is stored');
    await until('the page is open', () => tabsNow().includes('Statistics'));
  });

  test('damage, with a button that brings the lost records back from the backup', async () => {
    const backups = path.join(storeFolder(), 'backups');
    assert.ok(readdirSync(backups).length > 0, 'the backup comes before the quota is looked at');
    await damage('Will be damaged');
    await run(Command.rebuild);
    assert.equal(await find('Will be damaged'), undefined, 'damage is not passed for data');
    await press('Bring it back from the backup');
    await untilListed('Will be damaged', () => true);
    await messagesUntil('it is said how much came back', (said) =>
      /\d+ records? came back from the backup of /.test(said.join('\n')),
    );
  });

  test('and with one that shows the log', async () => {
    void warnOfDamage();
    await press('Show log');
    await until('the log is shown', () =>
      vscode.window.visibleTextEditors.some(({ document }) => document.uri.scheme === 'output'),
    );
  });

  test('finished sessions become old', async () => {
    await addOldSession('Long finished');
    await set(Setting.retentionDays, 30);
    reopenWith({ forgetful: true });
  });
});

suite('phase 2: what a person is asked when a window opens', () => {
  setup(async function () {
    if (!hasPerson) this.skip();
    await keepthread();
  });

  test('whether a session that was finished long ago is to be archived, which can be undone', async () => {
    await press('Review…');
    const isArchived = async () => (await find('Long finished'))?.archived === true;
    await takeFirst('the old session is archived', isArchived);
    await press('Undo');
    await untilListed('Long finished', (archived) => archived !== true);
  });

  test('and which are archived are listed again where the person wants to see them', async () => {
    const lists = (rows: readonly string[]): boolean =>
      rows.some((row) => row.includes('Finished long ago'));
    await addOldSession('Finished long ago');
    await run(`${View.sessions}.focus`);
    await untilListed('Finished long ago', (archived) => archived !== true);
    void run(Command.reviewFinished);
    const isArchived = async () => (await find('Finished long ago'))?.archived === true;
    await takeFirst('the old session is archived', isArchived);
    await rowsUntil('it has left the list', (rows) => rows.length > 0 && !lists(rows));
    await press('Show archived');
    await rowsUntil('it is in the list again', lists);
    await run(Command.hideArchived);
    await rowsUntil('it has left the list once more', (rows) => !lists(rows));
  });

  test('once a week, and not before', async () => {
    const offers = (messages: readonly string[]): boolean =>
      messages.some((message) => message.includes('Archive it?'));
    await addOldSession('Long finished, too');
    await untilListed('Long finished, too', (archived) => archived !== true);
    const week = 7 * day;
    const asked: number[] = [];
    const offer = async (before: number): Promise<void> => {
      const state = {
        get: () => Date.now() - before,
        update: (_key: string, at: number) => Promise.resolve(void asked.push(at)),
      };
      const listSessions = async () => call(Command.list, {});
      const engine = () => Promise.resolve({ listSessions });
      await offerArchive({ sessions: { state: 'saved', engine }, state });
    };
    await offer(week - day);
    assert.deepEqual(asked, []);
    void offer(week + 1000);
    await messagesUntil('it is asked', offers);
    assert.equal(asked.length, 1, 'it is kept when that was');
    await press('Not now');
    assert.notEqual((await find('Long finished, too'))?.archived, true);
  });
});
