import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { makeSample } from '../../scripts/sample.js';
import { stageExtension } from '../../scripts/stage.js';
import { environmentOf } from '../../scripts/vscode/home.js';
import { installServer } from '../../scripts/vscode/install.js';
import { freePort } from '../../scripts/vscode/server.js';
import { writeSettings } from '../../scripts/vscode/userData.js';
import { openWindow, type Window } from '../../scripts/vscode/window.js';
import { encodeFolder } from '../../src/agents/claude-code/folders.js';
import { ClaudeWriter } from '../agents/claudeRecords.js';
import { choose, click, pressButton, runCommand, shows } from '../hands.js';
import { seenIn } from '../seenInPage.js';
import { until } from '../until.js';

/** As many as take a while to be read, also on a fast machine. */
const MANY = 3000;

/** What VS Code shows to a person alone: tests inside of a window see no dialog, and press no button. */
suite('a person in a real VS Code', function () {
  this.timeout(1_800_000);
  let scratch: string;
  let workspace: string;
  let window: Window;
  let page: Page;

  suiteSetup(async () => {
    const root = path.join(import.meta.dirname, '..', '..');
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'keepthread-person-')));
    const home = path.join(scratch, 'home');
    workspace = makeSample(path.join(scratch, 'todo-api'), home).folder;
    const folder = path.join(home, '.claude', 'projects', encodeFolder(workspace));
    mkdirSync(folder, { recursive: true });
    for (let at = 0; at < MANY; at += 1) {
      const sessionId = `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
      const to = new ClaudeWriter({ cwd: workspace, sessionId });
      for (let turn = 0; turn < 4; turn += 1) {
        to.user(`Prompt ${turn} of conversation ${at}`);
        to.say(`m${turn}`, `Answer ${turn} of conversation ${at}. ${'It is long. '.repeat(50)}`);
      }
      writeFileSync(path.join(folder, `${sessionId}.jsonl`), to.text);
    }
    const data = path.join(scratch, 'data');
    writeSettings(path.join(data, 'data'), {
      'keepthread.restore.onOpen': 'never',
      'workbench.colorTheme': process.env['KEEPTHREAD_PICTURES'] ?? 'Default Light Modern',
    });
    const extension = path.join(scratch, 'extension');
    stageExtension(root, extension);
    window = await openWindow({
      install: installServer(root),
      data,
      port: await freePort(),
      profile: path.join(scratch, 'profile'),
      env: { ...environmentOf(home), PATH: withoutProgram('codex') },
      workspace,
      extensions: [extension],
    });
    ({ page } = window);
    await shows(page, 'Keepthread', page.locator('.statusbar-item', { hasText: 'Keepthread' }));
    const icon = page.locator('.activitybar .action-label[aria-label^="Keepthread"]');
    await pressButton(page, 'Keepthread', icon);
    await shows(page, 'the view', view());
  });
  suiteTeardown(async () => {
    await window.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  /** With one view in it, the view's buttons are in the title of the side bar. */
  const view = (): Locator => page.locator('.part.sidebar');
  const rows = (text: string): Locator => view().locator('.monaco-list-row', { hasText: text });
  const reading = async (): Promise<string> =>
    (await view().locator('.message').allInnerTexts()).join(' ').trim();
  const said = async (what: string, how: RegExp): Promise<string> => {
    let words = '';
    const isSo = async (): Promise<boolean> => how.test((words = await reading()));
    await until(what, isSo, async () => `“${words}” ${await seenIn(page, 'failed-to-be-said')}`);
    return words;
  };
  const pressInView = (button: string): Promise<void> =>
    pressButton(page, button, view().locator(`.action-label[aria-label="${button}"]`));
  /** Waits for a message. A window that is driven shows none by itself: they are in the list that the bell opens. */
  const message = async (text: string): Promise<Locator> => {
    const found = page.locator('.notifications-center .notification-list-item', { hasText: text });
    const isShown = async (): Promise<boolean> => {
      if ((await found.count()) > 0 && (await found.first().isVisible())) return true;
      const isOpen = (await page.locator('.notifications-center.visible').count()) > 0;
      if (!isOpen) await click(page.locator('.statusbar-item[id="status.notifications"]'));
      // What the bell says when one points at it would cover the buttons.
      await page.mouse.move(700, 300);
      return false;
    };
    await until(`it is said: ${text}`, isShown, () => seenIn(page, 'failed-to-be-said'));
    return found;
  };
  const dialog = (): Locator => page.locator('.monaco-dialog-box');
  const picture = async (name: string): Promise<void> => {
    if (process.env['KEEPTHREAD_PICTURES'] !== undefined) await seenIn(page, name);
  };

  test('stops the first reading in the view, and lets it go on', async () => {
    await said('how much is read', /^Reading conversations: /);
    await pressInView('Pause reading conversations');
    const stopped = await said('that it is paused', / is paused: /);
    const [done = 0, total = 0] = (stopped.match(/[\d,]+/g) ?? []).map((text) =>
      Number(text.replaceAll(',', '')),
    );
    assert.ok(done > 0 && done < total && total > MANY, stopped);
    await picture('reading-paused');
    await pressInView('Go on reading conversations');
    await said('nothing, once all is read', /^$/);
    await shows(page, 'all of them', rows(`Other conversations`).filter({ hasText: `${MANY}` }));
  });

  test('is told how to get an agent that is not installed, and given a brief', async () => {
    const asked = page.locator('.quick-input-widget', { hasText: 'Continue a conversation' });
    await runCommand(page, 'Continue conversation in…', async () => (await asked.count()) > 0);
    await choose(page, 'Filter todos by due date');
    await choose(page, 'Codex');
    const missing = await message('Codex is not installed');
    await picture('not-installed');
    assert.match(await missing.innerText(), /npm install -g @openai\/codex/);
    await pressButton(page, 'Show a brief', missing.getByText('Show a brief', { exact: true }));
    const offer = await message('You can edit this brief, and paste it into any agent.');
    assert.equal(await offer.getByText('Start Codex').count(), 0, 'it is not there to be started');
    const brief = page.locator('.editor-group-container .view-lines');
    await shows(page, 'the brief', brief.filter({ hasText: 'due' }));
    await picture('brief');
    await pressButton(page, 'Copy', offer.getByText('Copy', { exact: true }));
  });

  test('is asked before a session is forgotten, with what goes, and can leave it', async () => {
    const session = rows('Filter todos by due date').filter({ hasText: 'active' });
    await shows(page, 'the session', session);
    const ask = async (): Promise<string> => {
      const what = page.locator('.quick-input-widget', { hasText: 'Forget everywhere' });
      await runCommand(page, 'Forget everywhere…', async () => (await what.count()) > 0);
      await choose(page, 'A session');
      await choose(page, 'Filter todos by due date');
      await shows(page, 'the question', dialog());
      return dialog().innerText();
    };
    const words = await ask();
    await picture('forget');
    assert.match(words, /Forget "Filter todos by due date" everywhere\?/);
    assert.match(words, /\d+ records are removed/);
    assert.match(words, /This cannot be undone/);
    const isClosed = async (): Promise<boolean> => (await dialog().count()) === 0;
    await pressButton(page, 'Cancel', dialog().getByText('Cancel', { exact: true }));
    await until('the question is gone', isClosed, () => seenIn(page));
    await shows(page, 'the session, which was left', session);
    await ask();
    await pressButton(page, 'Forget', dialog().getByText('Forget', { exact: true }));
    await message('Forgotten.');
    await until(
      'it is listed no more',
      async () => (await session.count()) === 0,
      () => seenIn(page),
    );
  });
});

/** The search path without the folders in which a program is. */
const withoutProgram = (name: string): string =>
  (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !existsSync(path.join(folder, name)))
    .join(path.delimiter);
