import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Locator, Page } from 'playwright-core';
import type { Window } from '../../scripts/vscode/window.js';
import { click, runCommand } from '../hands.js';
import { seenIn } from '../seenInPage.js';
import { comesToBe, until } from '../until.js';
import type { PersonAnswer, PersonOrder } from './hostSchemas.js';
import { personOrderSchema } from './hostSchemas.js';

const message = '.notifications-center .notification-list-item';
const row = '.tree-explorer-viewlet-tree-view .monaco-list-row[aria-label]';
const closedGroup = `${row}[aria-level="1"][aria-expanded="false"]:not([aria-label$="has actions"])`;
const choice = '.quick-input-list .monaco-list-row[aria-label]';

/** Does in a page what the tests of its window ask for, one after the other; the returned function ends that. */
export function startPerson(page: Page, folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const done = new Set<string>();
  let busy = false;
  const look = async (): Promise<void> => {
    if (busy) return;
    busy = true;
    for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
      if (done.has(name)) continue;
      done.add(name);
      const file = path.join(folder, name);
      const order = personOrderSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
      const answer = await obey(page, order).catch(failed);
      writeFileSync(`${file}.part`, JSON.stringify(answer));
      renameSync(`${file}.part`, `${file}.answer`);
    }
    busy = false;
  };
  const timer = setInterval(() => void look(), 100);
  return () => clearInterval(timer);
}

async function obey(page: Page, order: PersonOrder): Promise<PersonAnswer> {
  const done = await act(page, order);
  // A person who looks for a session opens the groups that VS Code has closed: today's, and older ones.
  if (order.do === 'look' && order.opens === true) await click(page.locator(closedGroup));
  const labels = (selector: string): Promise<string[]> =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(selector)})]
        .filter((each) => each.checkVisibility())
        .map((each) => each.ariaLabel)`,
    );
  const [messages, rows, choices, around] = await Promise.all([
    page.locator(message).allInnerTexts(),
    labels(row),
    labels(choice),
    seenIn(page, order.do === 'look' ? order.picture : undefined),
  ]);
  return { done, messages, rows, choices, around };
}

async function act(page: Page, order: PersonOrder): Promise<boolean> {
  switch (order.do) {
    case 'press':
      return click(page.locator(message).getByText(order.button, { exact: true }));
    case 'recall':
      return page.evaluate<boolean>(recall(order.text));
    case 'look':
      return true;
  }
}

/** Looks for a text in all that VS Code keeps in the browser; run in the page. */
const recall = (text: string): string => `(async () => {
  const asked = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await asked(indexedDB.open(name));
    try {
      for (const store of database.objectStoreNames) {
        const all = await asked(database.transaction(store).objectStore(store).getAll());
        if (all.some((value) => typeof value === 'string' && value.includes(${JSON.stringify(text)}))) return true;
      }
    } finally {
      database.close();
    }
  }
  return false;
})()`;

const failed = (error: unknown): PersonAnswer => ({
  ...{ done: false, messages: [], rows: [], choices: [] },
  around: error instanceof Error ? error.message : String(error),
});

/** Runs a command of the palette that asks for a path, and waits for the workspace that the window goes to. */
export async function answerWithPath(
  { page, url }: Window,
  command: string,
  file: string,
): Promise<string> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  await runCommand(page, command, () => asksForPath(input));
  const isGone = (): boolean => workspaceIn(page.url()) !== workspaceIn(url);
  const answer = async (): Promise<boolean> => {
    if (await asksForPath(input)) {
      await input.fill(file, { timeout: 5_000 }).catch(() => undefined);
      if (!(await comesToBe(() => restsAt(page, file)))) return false;
      // The first Enter may only complete the path.
      await input.press('Enter', { timeout: 5_000 }).catch(() => undefined);
    }
    return comesToBe(isGone);
  };
  await until(`the window goes to what is at ${file}`, answer, () => seenIn(page));
  await page.waitForSelector('.monaco-workbench');
  return workspaceIn(page.url()) ?? '';
}

/**
 * Whether the dialog has looked up a path that was typed. Before, Enter means what was in front until then, such as
 * the folder above.
 */
async function restsAt(page: Page, file: string): Promise<boolean> {
  const looks = async (): Promise<string> =>
    page.evaluate<string>(`(() => {
      const widget = document.querySelector('.quick-input-widget');
      const inFront = [...widget.querySelectorAll('.monaco-list-row.focused .label-name')];
      return JSON.stringify({
        path: widget.querySelector('input[type="text"]').value,
        busy: widget.querySelector('.monaco-progress-container.active') !== null,
        inFront: inFront.map((each) => each.textContent),
      });
    })()`);
  const atRest = (inFront: readonly string[]): string =>
    JSON.stringify({ path: file, busy: false, inFront });
  const wanted = [atRest([]), atRest([path.basename(file)])];
  for (let times = 0; times < 20; times += 1) {
    if (!wanted.includes(await looks())) return false;
    await wait(100);
  }
  return true;
}

/** The dialog begins with a path of its own. */
const asksForPath = (input: Locator): Promise<boolean> =>
  input.inputValue({ timeout: 1_000 }).then(
    (value) => value.startsWith('/'),
    () => false,
  );

const workspaceIn = (address: string | URL): string | null => {
  const { searchParams } = new URL(address);
  return searchParams.get('workspace') ?? searchParams.get('folder');
};
