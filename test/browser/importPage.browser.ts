import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { stageExtension } from '../../scripts/stage.js';
import { environmentOf } from '../../scripts/vscode/home.js';
import { installServer } from '../../scripts/vscode/install.js';
import { freePort } from '../../scripts/vscode/server.js';
import { writeSettings } from '../../scripts/vscode/userData.js';
import { openWindow, type Window } from '../../scripts/vscode/window.js';
import { encodeHandoff } from '../../src/handoff/encode.js';
import { writeStream } from '../../src/handoff/handoffFile.js';
import { factsOf as manifestFacts } from '../../src/handoff/testFiles.js';
import { exportPayloads, importPayloads } from '../pagePayloads.js';
import { seenIn } from '../seenInPage.js';
import { comesToBe, until } from '../until.js';
import { factsOf } from './pageFacts.js';
import { watch, type Watch } from './watched.js';

/** The page shows so many of each kind. */
const ROWS = 200;

suite('the page of a session file in a real VS Code (R23)', function () {
  this.timeout(900_000);
  let scratch: string;
  let workspace: string;
  let window: Window;
  let watched: Watch;

  suiteSetup(async function () {
    this.timeout(900_000);
    const root = path.join(import.meta.dirname, '..', '..');
    scratch = realpathSync(mkdtempSync(path.join(tmpdir(), 'keepthread-page-')));
    workspace = path.join(scratch, 'workspace');
    mkdirSync(workspace);
    const data = path.join(scratch, 'data');
    writeSettings(path.join(data, 'data'));
    const extension = path.join(scratch, 'extension');
    stageExtension(root, extension);
    const all = [...exportPayloads, ...importPayloads];
    await write('plain', ['plain']);
    for (let at = 0; at < all.length; at += ROWS) {
      await write(`hostile-${at / ROWS}`, all.slice(at, at + ROWS));
    }
    window = await openWindow({
      install: installServer(root),
      data,
      port: await freePort(),
      profile: path.join(scratch, 'profile'),
      env: environmentOf(path.join(scratch, 'home')),
      workspace,
      extensions: [extension],
    });
    // Before the extension is known, VS Code opens its files as text.
    await until(
      'Keepthread has come up',
      async () =>
        (await window.page.locator('.statusbar-item', { hasText: 'Keepthread' }).count()) > 0,
      () => seenIn(window.page, 'failed-to-come-up'),
    );
    const { origin } = new URL(window.url);
    // The workbench asks elsewhere when it likes to, such as for what extensions there are.
    watched = await watch(
      window.page.context(),
      (url) => url.startsWith(origin),
      (request) => request.isNavigationRequest() || request.frame() !== window.page.mainFrame(),
    );
  });
  suiteTeardown(async () => {
    await window.close();
    rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
  });

  /** A session file in which everything that the page shows is one of these texts. */
  const write = (name: string, texts: readonly string[]): Promise<number> =>
    writeStream(
      path.join(workspace, `${name}.keepthread`),
      encodeHandoff(hostileEntries(texts), () => hostileFacts(texts)),
    );

  /** Opens a file as a person does, and gives the frame in which the page is shown. */
  const open = async (name: string): Promise<Frame> => {
    const { page } = window;
    const file = page.locator('.explorer-folders-view .monaco-list-row', {
      hasText: `${name}.keepthread`,
    });
    const tab = page.locator('.tab.active', { hasText: `${name}.keepthread` });
    const seen = () => seenIn(page, `failed-to-open-${name}`);
    // Not by typing into a quick pick: keys that come before it has the focus go to the page that is open.
    // A click is lost where the list makes its rows anew, as it does when files change.
    const isOpen = async (): Promise<boolean> => (await tab.count()) > 0;
    const click = async (): Promise<boolean> => {
      await file.click({ timeout: 5_000 }).catch(() => undefined);
      return comesToBe(isOpen);
    };
    await until(`the tab of ${name} is in front`, click, seen);
    let found: Frame | undefined;
    const isShown = async (): Promise<boolean> => {
      for (const frame of page.frames()) {
        if (!frame.url().includes('/webview/browser/pre/fake.html')) continue;
        // The page of a file that was open before may still be there for a moment, and a new one may be half there.
        const isWhole = `document.readyState === 'complete' &&
          document.querySelector('a.button[href*="${name}.keepthread"]') !== null`;
        if (await frame.evaluate<boolean>(isWhole).catch(() => false)) found = frame;
      }
      return found !== undefined;
    };
    await until(`the page of ${name} is shown`, isShown, seen);
    return found ?? assert.fail();
  };

  /** Does something in the page of a file; again, should VS Code just then put another frame in its place. */
  const inPage = async <T>(name: string, act: (frame: Frame) => Promise<T>): Promise<T> => {
    let done: { readonly value: T } | undefined;
    const isDone = async (): Promise<boolean> => {
      const frame = await open(name);
      done = await act(frame).then(
        (value) => ({ value }),
        (error: unknown) => {
          if (frame.isDetached()) return undefined;
          throw error;
        },
      );
      return done !== undefined;
    };
    await until(`the page of ${name} stays`, isDone);
    return (done ?? assert.fail()).value;
  };

  test('runs nothing, asks for nothing and calls nothing, whatever stands in the file', async () => {
    const plain = await inPage('plain', factsOf);
    assert.match(plain.policy ?? '', /^default-src 'none'; style-src 'nonce-[^']+'$/);
    watched.seen.length = 0;
    const all = [...exportPayloads, ...importPayloads];
    for (let at = 0; at < all.length; at += ROWS) {
      const facts = await inPage(`hostile-${at / ROWS}`, factsOf);
      assert.deepEqual(facts.elements, plain.elements);
      assert.deepEqual(withoutFile(facts.attributes), withoutFile(plain.attributes));
      assert.match(facts.policy ?? '', /^default-src 'none'; style-src 'nonce-[^']+'$/);
      assert.ok(facts.text.includes('alert(1)'), 'the texts are not shown');
      assert.deepEqual(watched.seen, []);
    }
  });

  test('may ask for nothing, even if something of a file came to be in it', async () => {
    await open('plain');
    watched.seen.length = 0;
    const refused = window.page.waitForEvent('console', (message) =>
      /evil\.example.*Content Security Policy|Content Security Policy.*evil\.example/s.test(
        message.text(),
      ),
    );
    const image = `document.body.insertAdjacentHTML('beforeend', '<img src="https://evil.example/x">')`;
    await inPage('plain', (frame) => frame.evaluate(image));
    await refused;
    assert.deepEqual(watched.seen, []);
    // What watches does see what a frame that may ask asks for.
    await window.page.evaluate(`(() => {
      const frame = document.createElement('iframe');
      document.body.append(frame);
      return frame.contentWindow.fetch('https://evil.example/y').catch(() => frame.remove());
    })()`);
    assert.deepEqual(watched.seen, ['request of https://evil.example/y']);
  });
});

/** The addresses of the page's own commands name the file. */
const withoutFile = (attributes: readonly string[]): readonly string[] =>
  attributes.map((attribute) => attribute.replace(/\?.*/, ''));

const place = (text: string) => ({ uri: `file:///w/${encodeURIComponent(text)}`, path: text });

function hostileEntries(texts: readonly string[]): readonly object[] {
  const [first = ''] = texts;
  return [
    {
      kind: 'session',
      id: first,
      title: first,
      goal: texts.join('\n'),
      status: 'active',
      tags: texts,
      createdAt: 1,
      updatedAt: 2,
      ...Object.fromEntries(texts.slice(0, 100).map((text) => [text, text])),
    },
    ...texts.map((text, at) => ({
      kind: 'thread',
      id: `agent${at}:${text}`,
      generations: [],
      title: text,
      turns: 1,
    })),
    {
      kind: 'part',
      id: 'w1',
      part: 'workbench',
      value: {
        terminals: [{ name: first, commands: texts.map((line) => ({ line })) }],
        breakpoints: [],
        running: { tasks: [] },
      },
    },
    {
      kind: 'part',
      id: 'c1',
      part: 'changes',
      value: {
        repositories: [
          {
            root: `file:///w/${encodeURIComponent(first)}`,
            files: texts.map((text) => ({ path: text, status: ' M' })),
            untracked: [],
            problems: [],
          },
        ],
      },
    },
    {
      kind: 'part',
      id: 'e1',
      part: 'editors',
      value: {
        groups: [{ tabs: [{ kind: 'text', place: place(first), label: first }] }],
        activeGroup: 0,
        views: [],
        drafts: [],
      },
    },
    {
      kind: 'snapshot',
      snapshot: {
        id: 'p1',
        sessionId: first,
        at: 2,
        reason: 'manual',
        label: first,
        parts: { workbench: 'w1', changes: 'c1', editors: 'e1' },
        threads: [],
        summary: { tabs: 1, changes: 1, turns: 1 },
      },
    },
  ];
}

function hostileFacts(texts: readonly string[]) {
  const facts = manifestFacts();
  const [first = ''] = texts;
  return {
    ...facts,
    tool: { name: first, version: first },
    author: { name: first },
    contents: { sessions: 1, snapshots: 1, threads: texts.length, records: 0, parts: 3, blobs: 0 },
    bases: texts.map((text) => ({ name: text, remote: text, branch: text, head: text })),
    redaction: {
      ...facts.redaction,
      masked: texts.map((kind) => ({ kind, count: 1 })),
      leftOut: texts.map((what) => ({ what, reason: 'secrets' as const })),
    },
  };
}
