import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { Window } from '../../scripts/vscode/window.js';
import type { PersonAnswer, PersonOrder } from './hostSchemas.js';
import { personOrderSchema } from './hostSchemas.js';

const message = '.notifications-center .notification-list-item';
const row = '.pane-body .monaco-list-row[aria-label]';

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
      const answer = await obey(page, order).catch((error: unknown) => failed(error));
      writeFileSync(`${file}.part`, JSON.stringify(answer));
      renameSync(`${file}.part`, `${file}.answer`);
    }
    busy = false;
  };
  const timer = setInterval(() => void look(), 100);
  return () => clearInterval(timer);
}

async function obey(page: Page, order: PersonOrder): Promise<PersonAnswer> {
  if (order.do === 'press') {
    const button = page.locator(message).getByText(order.button, { exact: true });
    await button.first().click({ timeout: 100_000 });
  }
  // A person who looks for a session of today opens the group that VS Code has closed.
  const closed = page.locator(`${row}[aria-expanded="false"]`, { hasText: 'Today' });
  if ((await closed.count()) > 0) await closed.first().click({ timeout: 2_000 });
  const [messages, rows] = await Promise.all([
    page.locator(message).allInnerTexts(),
    page.evaluate<string[]>(
      `[...document.querySelectorAll(${JSON.stringify(row)})].map((each) => each.ariaLabel)`,
    ),
  ]);
  return { messages, rows };
}

const failed = (error: unknown): PersonAnswer => ({
  error: error instanceof Error ? error.message : String(error),
  messages: [],
  rows: [],
});

/** Runs a command of the palette that asks for a path, and waits for the workspace that the window goes to. */
export async function answerWithPath(
  { page, url }: Window,
  command: string,
  file: string,
): Promise<string> {
  const input = page.locator('.quick-input-widget input[type="text"]');
  await page.locator('.statusbar-item').first().waitFor();
  await page.keyboard.press('F1');
  await input.fill(`>${command}`);
  await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
  await page.keyboard.press('Enter');
  // The dialog begins with a path of its own.
  while (!(await input.inputValue()).startsWith('/')) await wait(100);
  // The first Enter may only complete the path.
  const gone = page.waitForURL((address) => workspaceIn(address) !== workspaceIn(url), {
    timeout: 60_000,
    waitUntil: 'commit',
  });
  const enter = async (): Promise<void> => {
    await input.fill(file, { timeout: 1_000 });
    await page.keyboard.press('Enter');
  };
  const timer = setInterval(() => void enter().catch(() => undefined), 2_000);
  await gone.finally(() => clearInterval(timer));
  await page.waitForSelector('.monaco-workbench', { timeout: 60_000 });
  return workspaceIn(page.url()) ?? '';
}

const workspaceIn = (address: string | URL): string | null => {
  const { searchParams } = new URL(address);
  return searchParams.get('workspace') ?? searchParams.get('folder');
};
