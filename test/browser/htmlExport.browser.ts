import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser } from '../../scripts/vscode/browser.js';
import { installServer } from '../../scripts/vscode/install.js';
import { html } from '../../src/handoff/formats/html.js';
import type { ReadableSession } from '../../src/handoff/formats/readable.js';
import { everywhere, readableOf } from '../../src/handoff/formats/testThreads.js';
import { exportPayloads, importPayloads } from '../pagePayloads.js';
import { factsOf } from './pageFacts.js';
import { watch, type Watch } from './watched.js';

const payloads = [...exportPayloads, ...importPayloads];

suite('an exported page in a real browser (R23)', function () {
  this.timeout(1_800_000);
  let folder: string;
  let browser: BrowserContext;
  let page: Page;
  let watched: Watch;
  suiteSetup(async () => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'keepthread-page-')));
    const { browser: brought } = installServer(path.join(import.meta.dirname, '..', '..'));
    browser = await openBrowser(path.join(folder, 'profile'), brought);
    watched = await watch(browser, (url) => url.startsWith('file:'));
    page = browser.pages()[0] ?? (await browser.newPage());
  });
  suiteTeardown(async () => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  setup(() => {
    watched.seen.length = 0;
  });

  /** Opens a page as a person does who was sent it. */
  const open = async (text: string): Promise<string> => {
    const file = path.join(folder, 'page.html');
    writeFileSync(file, text);
    const { href } = pathToFileURL(file);
    await page.goto(href, { waitUntil: 'load' });
    return href;
  };
  const exported = async (readable: ReadableSession): Promise<string> => {
    let text = '';
    for await (const piece of html(readable)) text += piece;
    return text;
  };

  test('runs nothing, asks for nothing and goes nowhere, whatever stands in its session', async () => {
    const inEvery = (text: string): ReadableSession =>
      readableOf(everywhere(text), { title: text, goal: text, tags: [text] });
    await open(await exported(inEvery('plain')));
    const plain = await factsOf(page.mainFrame());
    assert.match(plain.policy ?? '', /^default-src 'none';/);
    assert.deepEqual(plain.attributes, []);
    for (const payload of payloads) {
      const at = await open(await exported(inEvery(payload)));
      const facts = await factsOf(page.mainFrame());
      assert.deepEqual(facts.elements, plain.elements, payload);
      assert.deepEqual([facts.attributes, facts.policy], [[], plain.policy], payload);
      assert.deepEqual([watched.seen, page.url(), page.frames().length], [[], at, 1], payload);
    }
  });

  test('is watched by something that sees what a page does', async () => {
    // The same without any of the care: then every kind is noticed.
    await open('<script>alert(1)</script><img src="https://x.invalid/1">');
    await open(
      '<script>fetch("https://x.invalid/2").catch(() => (document.title = "failed"))</script>',
    );
    await page.waitForFunction('document.title === "failed"');
    const kinds = ['dialog 1', 'request of https://x.invalid/1', 'request of https://x.invalid/2'];
    assert.deepEqual(watched.seen.toSorted(), kinds);
  });
});
